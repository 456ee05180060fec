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
  inWords,
  isGranted,
  isOn,
  narrowed,
  type Reason,
  reasons,
  type SubjectPlan,
  wayOf,
} from './cells.ts';
export { rowOf } from './rows.ts';
