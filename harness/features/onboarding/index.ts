export {
  asker,
  catalogModels,
  socketAsker,
} from '../../kernel/probing/index.ts';
export { costOfTrying, presenceSteps, tryCapabilities } from './capability-tries.ts';
export { type Discovered, discover } from './discovery.ts';
export { runDoctorChecks } from './doctor-checks.ts';
export type { Finding } from './finding.ts';
export { findListHeader } from './headers.ts';
export { initialTargetFile, type Seen, unusualKeys } from './init-target-file.ts';
export { type LookOptions, look, mayAsk, tryOut } from './look.ts';
export { declarable, openOf, seenTable } from './seen-table.ts';
export { type Address, type CredentialPlace, type Region, startTarget } from './start-target.ts';
export { tellingCapabilities } from './undeclared.ts';
export { unseen } from './unseen.ts';
export { type Addition, withAdditions } from './update-target-file.ts';
