/**
 * The only door for suites: what a check file needs, and nothing else.
 */
export { check, checkEach } from './check/check.ts';
export { each } from './check/each.ts';
export { type Io, idOf } from './check/io.ts';
export { type Bench, type Judgement, NothingToJudge } from './check/judge.ts';
export { clientRequestIdOf, type LedgerRecord, ledgerRecords } from './check/ledger.ts';
export type { Needs } from './check/needs.ts';
export { mostPolls } from './check/polling.ts';
export { present } from './check/present.ts';
export { type Cost, type Scenario, scenario } from './check/scenario.ts';
export { wholeRun } from './check/whole-run.ts';
export type {
  Call,
  CallOptions,
  ForeignHeader,
  KeyName,
  NearMiss,
  Placement,
  SocketSession,
} from './clients/call.ts';
export type { Fields } from './clients/defaults.ts';
export { type Endpoint, type EndpointName, endpointNames, endpoints } from './clients/endpoints.ts';
export {
  type StoredOperation,
  type StoredOperationName,
  storedOperations,
} from './clients/stored-operations.ts';
export { callLimit, forcedCall, withResult } from './clients/tool-calls.ts';
export * from './expect/index.ts';
export { type Capability, streamOver } from './spec/capability.ts';
export {
  type Protocol,
  protocols,
  type StreamingProtocol,
  streamingProtocols,
} from './spec/protocol.ts';
export { permittedKeys } from './target/roles.ts';
export type { Model, Target } from './target/target.ts';
export { json, text } from './wire/body.ts';
export type { Exchange } from './wire/exchange.ts';
