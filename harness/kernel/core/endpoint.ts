import type { Protocol } from './protocol.ts';

/**
 * Every endpoint of the interface, by the values of the axis "endpoint", with the protocol whose rules its answers
 * follow. `models` is the list of the `/v1` family, which belongs to no protocol.
 */
export const protocolOfEndpoint = {
  responses: 'responses',
  'chat-completions': 'chat-completions',
  messages: 'messages',
  'messages-count-tokens': 'messages',
  'generate-content': 'generative',
  'stream-generate-content': 'generative',
  'count-tokens': 'generative',
  'alternate-path': 'generative',
  systemone: 'systemone',
  models: 'models',
  catalog: 'generative',
  lookup: 'responses',
  'input-items': 'responses',
  cancel: 'responses',
  delete: 'responses',
  compact: 'responses',
  'input-tokens': 'responses',
  websocket: 'responses',
} as const satisfies Readonly<Record<string, Protocol | 'models'>>;

export type EndpointName = keyof typeof protocolOfEndpoint;
