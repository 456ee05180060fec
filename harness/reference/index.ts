export type { AskedCapability } from './asked.ts';
export { type Balancer, byPath, startBalancer, type Upstream } from './balancer.ts';
export { callsIn, outputWith, silence, thinkingFirst } from './blocks.ts';
export type {
  Access,
  Answer,
  Call,
  Context,
  Dialect,
  Frames,
  Head,
  Headers,
  Policy,
  Route,
  Seams,
  StreamContext,
} from './call.ts';
export { Database } from './database.ts';
export type { BodyKind, DialectName, Operation, StreamEvent, StreamKind } from './dialect.ts';
export { bodyEndpoints, type EndpointName, endpoints, modelEndpoints } from './endpoint-names.ts';
export type { Generation, Prompt } from './engine.ts';
export { asServed, type FixtureModel, fixtureModels } from './fixture-models.ts';
export { isArray, isObject, isShallow, type Json, type JsonObject, objectOrEmpty } from './json.ts';
export {
  type FixtureKeys,
  fixtureKeys,
  type Key,
  type KeyRole,
  keyRoles,
  keyVariable,
} from './keys.ts';
export type { LedgerRecord } from './ledger.ts';
export {
  type ChoosingOptions,
  findDefect,
  listDefects,
  type Named,
  type Rated,
  type Shelf,
} from './mock/choosing.ts';
export type { Pacing } from './mock/pace.ts';
export { plainForms } from './mock/plain-faults.ts';
export type { JournalOptions, RequestEntry, RequestFilter } from './mock/requests.ts';
export type { Outcome, Rule, Script, When } from './mock/script.ts';
export type { ScriptReader } from './mock/script-door.ts';
export type { OpenSocket } from './open-socket.ts';
export { Written } from './prepared.ts';
export { ledgerPath, probesAt } from './probes.ts';
export { mayReach } from './reach.ts';
export { quoted, Refusal, type RefusalReason } from './refusal.ts';
export { Echo, type ResponseRequest } from './responses/request.ts';
export { ResponseTurn } from './responses/turn.ts';
export type { RunState } from './run.ts';
export { type Defect, type Overrides, withDefect } from './seams.ts';
export type { Attend } from './server.ts';
export { type ReferenceGateway, type ReferenceOptions, startReference } from './start.ts';
export type { StoredOperation, StoredResponse } from './store.ts';
