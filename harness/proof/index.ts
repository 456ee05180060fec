/** The door for measurements of the proof, which are not shipped. */

export { changed, set, without } from './editing.ts';
export { waysOfBreaking } from './faults/broken-operations.ts';
export { type Fault, faults } from './faults/index.ts';
export { type KillRow, readKillRows } from './generated/kill-table.ts';
export { medianOf, readFound } from './histories/found.ts';
export { type Group, groups, historyFaults } from './histories/index.ts';
export { type StartedFront, startFront } from './honest/front.ts';
export { honestGateways, judgedByAll } from './honest/index.ts';
export { type Outcome, readOutcomes } from './honest/verdicts.ts';
export { killing } from './matrix.ts';
export { type NullTargetKind, nullTargetKinds } from './null-servers.ts';
export {
  bodies,
  eachData,
  eachEvent,
  endpointOf,
  handling,
  lookedUp,
  responseAt,
  together,
} from './planting.ts';
export { type RecordedFailures, readRecorded } from './recorded-failures.ts';
export { type Named, startSubject } from './subject.ts';
export { type Variant, variants } from './variants/index.ts';
