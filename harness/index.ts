/**
 * The only door for suites: what a check file needs, and nothing else.
 */

export { type Ask, asks, type Capability, over, streamOver } from './core/capability.ts';
export { each } from './core/each.ts';
export { protocolOfEndpoint } from './core/endpoint.ts';
export type { Exchange } from './core/exchange.ts';
export type { RequirementOver } from './core/id-types.ts';
export { memberTwice } from './core/member-twice.ts';
export {
  type Protocol,
  protocols,
  type StreamingProtocol,
  streamingProtocols,
} from './core/protocol.ts';
export { servedNote } from './core/served-note.ts';
export { eachStream, protocolOfForm, type StreamForm } from './core/stream-form.ts';
export type { Variation } from './engine/ask.ts';
export { check, checkEach, checkRules } from './engine/check.ts';
export { clientCheck, clientCheckEach } from './engine/clients/client-check.ts';
export { clientObserved, clientObservedEach } from './engine/clients/client-observed.ts';
export {
  type ClientIo,
  type ClientScenario,
  clientScenario,
} from './engine/clients/client-scenario.ts';
export { otherHost, type Script } from './engine/clients/script.ts';
export {
  generationsIn as generationsSent,
  headerOf,
  pathOf,
  saidBy as saidByClient,
} from './engine/clients/seen.ts';
export type { ClientSession, ClientTask } from './engine/clients/session.ts';
export { type Known, responsesIn } from './engine/consistency.ts';
export {
  cellsOfPlan,
  designAt,
  goodTurnModel,
  isIn,
  modelFor,
  namedModel,
} from './engine/design.ts';
export { inventedWords } from './engine/drawn/invented-word.ts';
export { type LongTexts, wordsOfTexts } from './engine/drawn/long-texts.ts';
export { shownWords } from './engine/drawn/shown-words.ts';
export {
  type EverywhereJudgement,
  type EverywhereOn,
  everywhere,
  everywhereEach,
  everywhereRules,
} from './engine/everywhere.ts';
export { type Io, idOf } from './engine/io.ts';
export type { JudgeContext, Judgement } from './engine/judge.ts';
export { clientRequestIdOf, type LedgerRecord, ledgerRecords } from './engine/ledger.ts';
export type { Needs } from './engine/needs.ts';
export { mostPolls } from './engine/polling.ts';
export { present } from './engine/present.ts';
export {
  type Captures,
  type Cost,
  cheaperElsewhere,
  type Scenario,
  scenario,
  type View,
  view,
} from './engine/scenario.ts';
export type { WholeRun } from './engine/whole-run.ts';
export * from './judge/index.ts';
export { type CreationMode, creationModes, type Operation } from './model/access.ts';
export {
  type Cell,
  type Design,
  designOf,
  inWords,
  isGranted,
  isOn,
  type Reason,
  reasons,
  type SubjectPlan,
  wayOf,
} from './model/cells.ts';
export { rowOf } from './model/rows.ts';
export { jsonTexts } from './protocols/answer.ts';
export {
  answerSchema,
  answerText,
  askedLimit,
  candidateCount,
  countingText,
  lastBeforeStop,
  likelyTokens,
  type Said,
  stopSequences,
} from './protocols/asked.ts';
export type {
  AlteredKey,
  Call,
  CallOptions,
  ForeignHeader,
  KeyName,
  Placement,
  SocketSession,
} from './protocols/call.ts';
export { calledFunction, callLimit, constantArgument } from './protocols/called-function.ts';
export { foreignHeaders, isSought } from './protocols/credentials.ts';
export { baseUrlOf } from './protocols/custom-headers.ts';
export { type Fields, fieldsAt, merged } from './protocols/defaults.ts';
export {
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpointOf,
  endpoints,
} from './protocols/endpoints.ts';
export { protocolOfEvent } from './protocols/event-protocol.ts';
export { generationsIn } from './protocols/generations.ts';
export type { SaidTurn } from './protocols/module.ts';
export {
  asksToGenerate,
  type GrammarRule,
  protocolModules,
  protocolOf,
} from './protocols/modules.ts';
export { decoded } from './protocols/path-segment.ts';
export { endsTurn } from './protocols/responses/events.ts';
export { ownCredential } from './protocols/shown-credential.ts';
export { setLimits } from './protocols/shown-limits.ts';
export {
  type StoredOperation,
  type StoredOperationName,
  storedOperations,
} from './protocols/stored-operations.ts';
export { permittedKeys } from './target/roles.ts';
export type { Model, Target } from './target/target.ts';
export { headerValues, json, text } from './wire/body.ts';
export { remembered } from './wire/remembered.ts';
