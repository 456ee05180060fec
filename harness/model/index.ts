export {
  access,
  type CreationMode,
  creationModes,
  type Expected,
  type MadeResponse,
  type Operation,
  operations,
  type RequestMode,
  type ResponseState,
  requestModes,
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
