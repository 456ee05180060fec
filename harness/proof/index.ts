/** The door for measurements of the proof, which are not shipped. */

export { waysOfBreaking } from './faults/broken-operations.ts';
export { faults } from './faults/index.ts';
export { killRecord } from './generated/kill-table.ts';
export { foundRecord, medianOf } from './histories/found.ts';
export { groups, historyFaults } from './histories/index.ts';
export { type StartedFront, startFront } from './honest/front.ts';
export { honestGateways, judgedByAll } from './honest/index.ts';
export { outcomes } from './honest/verdicts.ts';
export { liveRun } from './many.ts';
export { nullTargetKinds } from './null-servers.ts';
export { madeNow, withAge } from './provenance.ts';
export { type Variant, variants } from './variants/index.ts';
