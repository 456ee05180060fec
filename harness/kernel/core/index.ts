export {
  type Ask,
  asks,
  type Capability,
  capabilities,
  capabilitiesOf,
  capabilityFamilies,
  over,
  protocolOfCapability,
  protocolsOfAsk,
} from './capability.ts';
export {
  buildCatalogue,
  type Catalogue,
  loadCatalogue,
  UnknownRequirement,
} from './catalogue.ts';
export { clientCommandLine, commandInWords } from './client-command.ts';
export { CommandError } from './command-error.ts';
export { type Conversation, type ConversationRequest, timesAsked } from './conversation.ts';
export { each } from './each.ts';
export { type EndpointName, protocolOfEndpoint } from './endpoint.ts';
export {
  type About,
  type Chunk,
  type Exchange,
  type ExchangeFailure,
  type FailureKind,
  failureKinds,
  type HeaderLines,
  type Peer,
  type PeerTls,
  type ReceivedResponse,
  type SocketFrame,
  type SocketTranscript,
  trusts,
} from './exchange.ts';
export {
  type AgainReason,
  compareIds,
  type ExchangeId,
  exchangeId,
  formatId,
  formatSender,
  idShape,
  parseId,
  parseSender,
  type SenderId,
  sameId,
} from './exchange-id.ts';
export { budgets, inTime, openForeign, readForeign, UnfitFile } from './foreign-file.ts';
export type {
  AxisRequirementId,
  AxisValueOf,
  CheckId,
  FirstOf,
  RequirementOver,
  SecondOf,
} from './id-types.ts';
export {
  deepestJson,
  Meter,
  mostThings,
  overBound,
  parseForeign,
  tooMuchJson,
} from './json-size.ts';
export { whyOtherwise } from './json-spelling.ts';
export {
  asList,
  asObject,
  at,
  isInteger,
  isObject,
  isPath,
  type JsonObject,
  listAt,
  numberAt,
  parsed,
  shown,
  textAt,
} from './json-value.ts';
export {
  allowing,
  entriesOf,
  excuse,
  failsRun,
  isAllowed,
  isDay,
  type KnownFailure,
  type Listed,
  listedIn,
  readKnownFailures,
  unknownOf,
  verdictThatCounts,
} from './known-failures.ts';
export { WithoutLogCommands, withoutLogCommands } from './log-commands.ts';
export { cut, cutLine, messageOf, whyUnreadable } from './message-of.ts';
export { operationRows } from './operation-rows.ts';
export { assertInstalled } from './optional-package.ts';
export { codeFile, fixture, packageRoot, suiteVersion } from './package-root.ts';
export { type Percentiles, percentilesOf } from './percentiles.ts';
export { covers, isAskedFor, placeOf, type Subject, subjectFilters } from './place.ts';
export { printable } from './printable.ts';
export { claimable, isAmong, isOf, profilesNamed, type RestrictionEntry } from './profiles.ts';
export {
  type CredentialHeader,
  declaredAs,
  type ExchangeProtocol,
  eachStream,
  exchangeProtocols,
  type Protocol,
  protocolOfForm,
  protocols,
  protocolTitles,
  type ShownCredential,
  type StreamingProtocol,
  shownCredentials,
  streamingProtocols,
} from './protocol.ts';
export {
  type Certificate,
  type ClockDifference,
  type Connection,
  joinedProvenance,
  type Provenance,
} from './provenance.ts';
export { atMost, confidence, percent, rateInWords, type Seen } from './rate.ts';
export {
  headersOf,
  ourName,
  type Recognisable,
  type RequestIdentity,
  saysWhoCalls,
} from './recognisable.ts';
export {
  type Basis,
  type CheckDefinition,
  type Citation,
  expand,
  type Level,
  levels,
  type Requirement,
  type Side,
  sides,
} from './requirement.ts';
export {
  type CheckResult,
  type Claims,
  type ClientSubject,
  countsOf,
  durationOf,
  type GatewayEnd,
  type HeldBack,
  type HeldBy,
  heldBackBy,
  type Invocation,
  isUnfinished,
  type JudgedModels,
  type KnownFailures,
  type Lag,
  type Lagging,
  type Latency,
  type LoadTraffic,
  longestLags,
  type ObservedIn,
  partInWords,
  pointsJudged,
  type Round,
  type RunResult,
  type ScenarioTime,
  type Settled,
  sideOf,
  suiteOf,
  type TargetSummary,
  type Traffic,
  type Tries,
} from './result.ts';
export { type Broken, type RootCause, rootCausesOf } from './root-causes.ts';
export { lackingFor, type Scope, scopeOf } from './scope.ts';
export { searchRequirements } from './search.ts';
export { protocolsLeftOut, servedIn, servedNote } from './served-note.ts';
export {
  finite,
  flag,
  kind,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  orNull,
  type Read,
  text,
  textLike,
  whole,
} from './shape.ts';
export { commandLine, inShell, type Piece, type Word, wordsIn } from './shell.ts';
export type { SpecificationVersion } from './specification.ts';
export { belowStage } from './stage-path.ts';
export {
  allowableCauses,
  binds,
  type Cause,
  type CheckState,
  type CheckVerdict,
  causes,
  checkStates,
  type Difference,
  type Evidence,
  exitCode,
  exitCodes,
  type Finding,
  flagsIn,
  flagsOf,
  type Gap,
  isAtPoints,
  isOutside,
  isTransient,
  type Points,
  type Restriction,
  type RestrictionFlags,
  type RunVerdict,
  redStates,
  restrictionFields,
  restrictionNames,
  restrictionOf,
  restrictionsSaid,
  runVerdict,
  worstExitCode,
  worstStates,
} from './verdict.ts';
