import type { EndpointName, Protocol } from '../../harness/index.ts';

/** The endpoint that stands for a protocol where one is enough: its generation in one JSON body. */
export const mainEndpoint = {
  responses: 'responses',
  'chat-completions': 'chat-completions',
  messages: 'messages',
  generative: 'generate-content',
  systemone: 'systemone',
} as const satisfies Record<Protocol, EndpointName>;
