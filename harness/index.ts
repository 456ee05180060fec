/**
 * The only door for suites: what a check file needs, and nothing else.
 */

export { type Ask, asks, type Capability, over, streamOver } from './core/capability.ts';
export { each } from './core/each.ts';
export { protocolOfEndpoint } from './core/endpoint.ts';
export type { Exchange } from './core/exchange.ts';
export type { RequirementOver } from './core/id-types.ts';
export { at, isObject, listAt, numberAt, parsed, textAt } from './core/json-value.ts';
export { memberTwice } from './core/member-twice.ts';
export {
  type Protocol,
  protocols,
  type StreamingProtocol,
  streamingProtocols,
} from './core/protocol.ts';
export { servedNote } from './core/served-note.ts';
export { eachStream, protocolOfForm, type StreamForm } from './core/stream-form.ts';
export { lossOfService } from './engine/again/loss-of-service.ts';
export type { Variation } from './engine/ask.ts';
export { check, checkEach } from './engine/check.ts';
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
export type { ClientSession } from './engine/clients/session.ts';
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
export type { JudgeContext } from './engine/judge.ts';
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
export { blockPage } from './judge/block-page.ts';
export { byAnotherChannel, countsMore } from './judge/counts.ts';
export { textsIn } from './judge/denied.ts';
export { assumePrompt, assumeServed, expect } from './judge/expect.ts';
export { ExpectationFailed, Inconclusive, NothingToJudge } from './judge/failure.ts';
export { findingsOf, responsesFindings } from './judge/follow.ts';
export { isLost, lostBecause } from './judge/judged.ts';
export { keysShown } from './judge/keys-shown.ts';
export { type JudgedPoints, judgeByFirst, judgeEach } from './judge/points.ts';
export { isRefused, redirectedTo } from './judge/refused.ts';
export { asksForStream, isCarriedOut, isServed, isUnserved } from './judge/served.ts';
export { type Shown, shownBy } from './judge/shown.ts';
export { asksForResponse, turnsOf } from './judge/turns.ts';
export { expectValue } from './judge/value.ts';
export { outcome, requestInWords } from './judge/wording.ts';
export { type CreationMode, creationModes } from './model/access.ts';
export {
  type Cell,
  inWords,
  isGranted,
  type Reason,
  reasons,
  type SubjectPlan,
  wayOf,
} from './model/cells.ts';
export { rowOf } from './model/rows.ts';
export { jsonTexts } from './protocols/answer.ts';
export {
  answerText,
  askedLimit,
  candidateCount,
  countingText,
  stopSequences,
} from './protocols/asked.ts';
export type { AlteredKey, Call, CallOptions, ForeignHeader, KeyName } from './protocols/call.ts';
export {
  calledFunction,
  callLimit,
  constantArgument,
  constantWords,
} from './protocols/called-function.ts';
export {
  answerId,
  ending,
  errorBody,
  generatedText,
  hasGeneratedContent,
  inputTokens,
  isEventStream,
  jsonBody,
  jsonValues,
  nativeBody,
  outputItems,
  outputTokens,
  promptTokens,
  saidBy,
  streamEvents,
  thoughtTokens,
  tokenCount,
  toolCalls,
  usage,
} from './protocols/content.ts';
export { foreignHeaders, isSought } from './protocols/credentials.ts';
export { baseUrlOf } from './protocols/custom-headers.ts';
export { type Fields, fieldsAt, merged } from './protocols/defaults.ts';
export { type EndpointName, endpointNames, endpointOf, endpoints } from './protocols/endpoints.ts';
export type { ErrorBody } from './protocols/error-body.ts';
export { protocolOfEvent } from './protocols/event-protocol.ts';
export { generationsIn } from './protocols/generations.ts';
export type { ToolCall } from './protocols/grammar.ts';
export type { SaidTurn } from './protocols/module.ts';
export {
  asksToGenerate,
  type GrammarRule,
  protocolModules,
  protocolOf,
} from './protocols/modules.ts';
export { isEnvelopedRefusal } from './protocols/native-body.ts';
export { decoded } from './protocols/path-segment.ts';
export { textOfItem } from './protocols/responses/content.ts';
export { endsTurn } from './protocols/responses/events.ts';
export { placeOfViolation, type SchemaId, violations } from './protocols/schemas.ts';
export { ownCredential } from './protocols/shown-credential.ts';
export { setLimits } from './protocols/shown-limits.ts';
export {
  type StoredOperation,
  type StoredOperationName,
  storedOperations,
} from './protocols/stored-operations.ts';
export { permittedKeys } from './target/roles.ts';
export type { Model, Target } from './target/target.ts';
export { headerValues, text } from './wire/body.ts';
export { remembered } from './wire/remembered.ts';
