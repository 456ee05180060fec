/** A client for each protocol: what a scenario calls, made into requests. */
export type {
  AlteredKey,
  Call,
  Caller,
  CallOptions,
  Deployment,
  ForeignHeader,
  KeyName,
  Placement,
  SocketSession,
} from './call.ts';
export { callLimit } from './called-function.ts';
export { type ChatCompletionsClient, chatCompletionsClient } from './chat-completions/client.ts';
export { secretsOf, unknownKey } from './credentials.ts';
export type { Defaults, Fields } from './defaults.ts';
export { type Endpoint, type EndpointName, endpoints } from './endpoints.ts';
export {
  type GenerativeClient,
  type GenerativeOptions,
  generativeClient,
} from './generative/client.ts';
export { type MessagesClient, messagesClient } from './messages/client.ts';
export { type ModelsClient, modelsClient } from './model-lists.ts';
export { protocolModules } from './modules.ts';
export { type ProbesClient, probesClient } from './probes.ts';
export { type RawClient, rawClient } from './raw.ts';
export { buildRequest, type Identity } from './request.ts';
export { type ResponsesClient, responsesClient, type Turn } from './responses/client.ts';
export {
  type StoredOperation,
  type StoredOperationName,
  storedOperations,
} from './stored-operations.ts';
export { type SystemOneClient, systemoneClient, systemoneQuestion } from './systemone/client.ts';
