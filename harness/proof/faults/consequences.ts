import type { EndpointName } from '../../reference/endpoint-names.ts';
import type { StoredOperation } from '../../reference/store.ts';

/** Checks that look into what an ordinary request to the endpoint is answered. */
const looking: Readonly<Record<EndpointName, readonly string[]>> = {
  responses: [
    'background/runs.accepted',
    'generation/compact.output-is-an-input',
    'access/capabilities.offered-served:background',
    'generation/responses',
    'access/protocols.declared-served:responses',
    'generation/tools.shape:responses',
  ],
  'chat-completions': [
    'generation/chat-completions',
    'access/protocols.declared-served:chat-completions',
    'generation/tools.shape:chat-completions',
    'generation/tools.result-served:chat-completions',
  ],
  messages: [
    'generation/messages',
    'access/protocols.declared-served:messages',
    'generation/tools.shape:messages',
    'generation/tools.result-served:messages',
  ],
  'messages-count-tokens': ['counting/messages', 'access/capabilities.offered-served:count_tokens'],
  'generate-content': [
    'generation/generative',
    'models/path.special-characters:generate-content.v1beta',
    'access/protocols.declared-served:generative',
    'generation/tools.shape:generative',
    'generation/tools.result-served:generative',
  ],
  'stream-generate-content': [
    'generation/generative-stream',
    'models/path.special-characters:stream-generate-content.v1beta',
    'access/capabilities.offered-served:stream-generative',
    'everywhere/native.event-stream-content-type:generative',
  ],
  'count-tokens': [
    'counting/generative',
    'models/path.special-characters:count-tokens.v1beta',
    'access/capabilities.offered-served:vendorb-count',
  ],
  'alternate-path': [
    'generation/paths.same-actions',
    'models/path.special-characters:generate-content.v1',
    'models/path.special-characters:stream-generate-content.v1',
    'models/path.special-characters:count-tokens.v1',
  ],
  systemone: ['generation/systemone', 'access/protocols.declared-served:systemone'],
  models: ['models/list'],
  catalog: ['models/catalog'],
  lookup: [
    'storage/responses',
    'background/runs',
    'background/cancel',
    'storage/deletion',
    'websocket/connection.stored-is-stored',
    'interruption/connection.cut-stream-is-stored',
    'access/owners.same-user-served:lookup',
    'access/regions.original-region-served',
  ],
  'input-items': [
    'storage/responses.input-items-served',
    'storage/responses.input-items-contain-input',
    'storage/responses.input-items-unchanged',
    'storage/responses.input-items-shape',
    'storage/responses.input-items-pages',
  ],
  cancel: ['background/cancel'],
  delete: ['storage/deletion'],
  compact: ['generation/compact', 'access/capabilities.offered-served:compact'],
  'input-tokens': ['counting/responses', 'access/capabilities.offered-served:input_tokens'],
  websocket: ['websocket/connection', 'access/capabilities.offered-served:websocket'],
};

/** Where no JSON body has to come, its content type is not judged. */
const namesNoType: readonly EndpointName[] = ['stream-generate-content', 'delete', 'websocket'];

/** What cannot hold any more where an endpoint's ordinary answer is no native answer at all. */
export function withoutAnswer(endpoint: EndpointName): readonly string[] {
  return [
    ...looking[endpoint],
    `access/credentials.own-header-served:${endpoint}`,
    `everywhere/native.body-not-enveloped:${endpoint}`,
    ...(namesNoType.includes(endpoint) ? [] : [`everywhere/native.json-content-type:${endpoint}`]),
  ];
}

/** What falls with an operation where it is tried on a response that still runs: a check of `row`. */
export function whileRunning(row: string, operation: StoredOperation): readonly string[] {
  const tried = ['lookup', 'input-items', 'recover', 'delete'].includes(operation);
  return tried ? [`${row}:${operation}`] : [];
}
