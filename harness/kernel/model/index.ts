export {
  access,
  type CreationMode,
  creationModes,
  type MadeResponse,
  type Operation,
  operations,
  type RequestMode,
  type ResponseState,
  requestModes,
  type StoredOperationName,
} from './access.ts';
export {
  type Cell,
  type Design,
  designOf,
  expectedOf,
  hasReason,
  inWords,
  isGranted,
  narrowed,
  type SubjectPlan,
  wayOf,
} from './cells.ts';
export { covering } from './covering.ts';
export { type Chosen, pairwiseRows, type StandingRow } from './pairs.ts';
export { type Reason, reasons } from './reasons.ts';
export { rowOf } from './rows.ts';
