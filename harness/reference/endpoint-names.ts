/** Endpoints of the interface, by the names that the requirements use. */
export const endpoints = [
  'responses',
  'chat-completions',
  'messages',
  'messages-count-tokens',
  'generate-content',
  'stream-generate-content',
  'count-tokens',
  'alternate-path',
  'systemone',
  'models',
  'catalog',
  'lookup',
  'input-items',
  'cancel',
  'delete',
  'compact',
  'input-tokens',
  'websocket',
] as const;

export type EndpointName = (typeof endpoints)[number];

const withoutModel: readonly EndpointName[] = [
  'models',
  'catalog',
  'lookup',
  'input-items',
  'cancel',
  'delete',
];

/** Endpoints whose requests involve a model. */
export const modelEndpoints = endpoints.filter((name) => !withoutModel.includes(name));

/** Endpoints that take a JSON body. */
export const bodyEndpoints = modelEndpoints.filter((name) => name !== 'websocket');
