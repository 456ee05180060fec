/**
 * The only door for suites: what a check file needs, and nothing else.
 */

export {
  type Ask,
  asks,
  at,
  type Capability,
  type Exchange,
  each,
  eachStream,
  isObject,
  listAt,
  memberTwice,
  numberAt,
  over,
  type Protocol,
  parsed,
  protocolOfEndpoint,
  protocolOfForm,
  protocols,
  type RequirementOver,
  type StreamForm,
  type StreamingProtocol,
  servedNote,
  streamingProtocols,
  streamOver,
  textAt,
} from './core/index.ts';
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
export {
  asksForResponse,
  asksForStream,
  assumePrompt,
  assumeServed,
  blockPage,
  byAnotherChannel,
  countsMore,
  ExpectationFailed,
  expect,
  expectValue,
  findingsOf,
  Inconclusive,
  isCarriedOut,
  isLost,
  isRefused,
  isServed,
  isUnserved,
  type JudgedPoints,
  judgeByFirst,
  judgeEach,
  keysShown,
  lostBecause,
  NothingToJudge,
  outcome,
  redirectedTo,
  requestInWords,
  responsesFindings,
  type Shown,
  shownBy,
  textsIn,
  turnsOf,
} from './judge/index.ts';
export {
  type Cell,
  type CreationMode,
  creationModes,
  inWords,
  isGranted,
  type Reason,
  reasons,
  rowOf,
  type SubjectPlan,
  wayOf,
} from './model/index.ts';
export {
  type AlteredKey,
  answerId,
  answerText,
  askedLimit,
  asksToGenerate,
  baseUrlOf,
  type Call,
  type CallOptions,
  calledFunction,
  callLimit,
  candidateCount,
  constantArgument,
  constantWords,
  countingText,
  decoded,
  type EndpointName,
  type ErrorBody,
  ending,
  endpointNames,
  endpointOf,
  endpoints,
  endsTurn,
  errorBody,
  type Fields,
  type ForeignHeader,
  fieldsAt,
  foreignHeaders,
  type GrammarRule,
  generatedText,
  generationsIn,
  hasGeneratedContent,
  inputTokens,
  isEnvelopedRefusal,
  isEventStream,
  isSought,
  jsonBody,
  jsonTexts,
  jsonValues,
  type KeyName,
  merged,
  nativeBody,
  outputItems,
  outputTokens,
  ownCredential,
  placeOfViolation,
  promptTokens,
  protocolModules,
  protocolOf,
  protocolOfEvent,
  type SaidTurn,
  type SchemaId,
  type StoredOperation,
  type StoredOperationName,
  saidBy,
  setLimits,
  stopSequences,
  storedOperations,
  streamEvents,
  type ToolCall,
  textOfItem,
  thoughtTokens,
  tokenCount,
  toolCalls,
  usage,
  violations,
} from './protocols/index.ts';
export { type Model, permittedKeys, type Target } from './target/index.ts';
export { headerValues, remembered, text } from './wire/index.ts';
