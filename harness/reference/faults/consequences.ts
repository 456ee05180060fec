import type { EndpointName } from '../endpoint-names.ts';
import type { StoredOperation } from '../store.ts';

/** Checks that look into what an ordinary request to the endpoint is answered. */
const looking: Readonly<Record<EndpointName, readonly string[]>> = {
  responses: [
    'responses/background.accepted',
    'responses/compact.output-is-an-input',
    'rules/capabilities.offered-served:background',
    'responses/create',
    'rules/protocols.declared-served:responses',
    'tools/call.shape:responses',
  ],
  'chat-completions': [
    'chat-completions/create',
    'rules/protocols.declared-served:chat-completions',
    'tools/call.shape:chat-completions',
    'tools/round-trip.result-served:chat-completions',
  ],
  messages: [
    'messages/create',
    'rules/protocols.declared-served:messages',
    'tools/call.shape:messages',
    'tools/round-trip.result-served:messages',
  ],
  'messages-count-tokens': [
    'messages/count-tokens',
    'rules/capabilities.offered-served:count_tokens',
  ],
  'generate-content': [
    'generative/generate',
    'models/path.special-characters:generate-content.v1beta',
    'rules/protocols.declared-served:generative',
    'tools/call.shape:generative',
    'tools/round-trip.result-served:generative',
  ],
  'stream-generate-content': [
    'generative/stream',
    'models/path.special-characters:stream-generate-content.v1beta',
    'rules/capabilities.offered-served:stream-generative',
    'rules/native.event-stream-content-type:generative',
  ],
  'count-tokens': [
    'generative/count-tokens',
    'models/path.special-characters:count-tokens.v1beta',
    'rules/capabilities.offered-served:vendorb-count',
  ],
  'alternate-path': [
    'generative/alternate-path.same-actions',
    'models/path.special-characters:generate-content.v1',
    'models/path.special-characters:stream-generate-content.v1',
    'models/path.special-characters:count-tokens.v1',
  ],
  systemone: ['systemone/create', 'rules/protocols.declared-served:systemone'],
  models: ['models/list'],
  catalog: ['models/catalog'],
  lookup: [
    'responses/store',
    'responses/background',
    'responses/cancel',
    'responses/delete',
    'responses/websocket.stored-is-stored',
    'rules/interruption.cut-stream-is-stored',
    'rules/owners.same-user-served:lookup',
    'rules/regions.original-region-served',
  ],
  'input-items': [
    'responses/store.input-items-served',
    'responses/store.input-items-hold-the-input',
    'responses/store.input-items-unchanged',
    'responses/store.input-items-shape',
    'responses/store.input-items-pages',
  ],
  cancel: ['responses/cancel'],
  delete: ['responses/delete'],
  compact: ['responses/compact', 'rules/capabilities.offered-served:compact'],
  'input-tokens': ['responses/input-tokens', 'rules/capabilities.offered-served:input_tokens'],
  websocket: ['responses/websocket', 'rules/capabilities.offered-served:websocket'],
};

/** Where no JSON body has to come, its content type is not judged. */
const namesNoType: readonly EndpointName[] = ['stream-generate-content', 'delete', 'websocket'];

/** What cannot hold any more where an endpoint's ordinary answer is no native answer at all. */
export function withoutAnswer(endpoint: EndpointName): readonly string[] {
  return [
    ...looking[endpoint],
    `rules/auth.own-header-served:${endpoint}`,
    `rules/native.body-not-enveloped:${endpoint}`,
    ...(namesNoType.includes(endpoint) ? [] : [`rules/native.json-content-type:${endpoint}`]),
  ];
}

/** What falls with an operation where it is tried on a response that still runs: a check of `row`. */
export function whileRunning(row: string, operation: StoredOperation): readonly string[] {
  const tried = ['lookup', 'input-items', 'recover', 'delete'].includes(operation);
  return tried ? [`${row}:${operation}`] : [];
}
