export { actRequest, creations } from './acts.ts';
export { alteredKeys } from './altered-keys.ts';
export { type Answer, answerOf } from './answer.ts';
export { viewOf } from './answer-view.ts';
export { askedValues, type Said } from './asked.ts';
export { type Again, askedAgain } from './asked-again.ts';
export type {
  Call,
  Caller,
  CallOptions,
  Deployment,
  KeyName,
  SocketSession,
} from './call.ts';
export { calledFunction } from './called-function.ts';
export { type ChatCompletionsClient, chatCompletionsClient } from './chat-completions/client.ts';
export {
  contentOf,
  errorBody,
  hasGeneratedContent,
  isEnveloped,
  nativeBody,
  nextPage,
  saidBy,
  tokenCounts,
} from './content.ts';
export { foreignHeaders, isSought, secretsOf } from './credentials.ts';
export { baseUrlOf } from './custom-headers.ts';
export { type Defaults, type Fields, fieldsAt, merged } from './defaults.ts';
export {
  actsOnStored,
  type EndpointName,
  endpointNames,
  endpointOf,
  endpoints,
  operationOf,
  storedIdIn,
} from './endpoints.ts';
export {
  type ErrorBody,
  errorIn,
  errorInWords,
  failureIn,
  undecidedError,
  undecidedStatuses,
} from './error-body.ts';
export { protocolOfEvent } from './event-protocol.ts';
export { featureChoices, featuredRequest, featureModes, keptApart } from './features.ts';
export { generationsIn } from './generations.ts';
export {
  type GenerativeClient,
  generativeClient,
  generativeCount,
  generativeCountCall,
} from './generative/client.ts';
export {
  type EventStream,
  eventInWords,
  type Findings,
  type GrammarOptions,
  isDone,
  type StreamEvent,
} from './grammar.ts';
export {
  type MessagesClient,
  messagesClient,
  messagesCount,
  messagesCountCall,
} from './messages/client.ts';
export { catalogCall, listCall, type ModelsClient, modelsClient } from './model-lists.ts';
export type { Baseline } from './module.ts';
export {
  asksToGenerate,
  type GrammarRule,
  nativeAnswer,
  protocolModules,
  protocolOf,
  streamingProtocolOf,
} from './modules.ts';
export { isNativeBody } from './native-body.ts';
export { generates, type OperationName, operationNames, operationsOf } from './operations.ts';
export { decoded } from './path-segment.ts';
export { type ProbesClient, probesClient } from './probes.ts';
export { usualNames } from './publishers.ts';
export { type RawClient, rawClient } from './raw.ts';
export { buildRequest, type Identity } from './request.ts';
export {
  compactCall,
  connectCall,
  createCall,
  inputTokensCall,
  lookupCall,
  type ResponsesClient,
  responsesClient,
  responsesCount,
  responsesFrame,
  responsesGeneration,
} from './responses/client.ts';
export { textOfItem } from './responses/content.ts';
export { endsResponse, endsTurn, isRunning, statusAtEnd, turnEnds } from './responses/events.ts';
export { judgeResponses, type ResponsesFindings } from './responses/grammar.ts';
export { overloadFrame } from './responses/index.ts';
export {
  type SchemaId,
  type SchemaViolation,
  violationInWords,
  violations,
  violationsOf,
} from './schemas.ts';
export { ownCredential } from './shown-credential.ts';
export { type SystemOneClient, systemoneClient, systemoneQuestion } from './systemone/client.ts';
