import { isArray, Refusal } from '../../../reference/index.ts';
import { limited } from '../../decisions.ts';
import { changed, dropping, memberAt, replacing, set, setting } from '../../editing.ts';
import { created, createdAndLookedUp, handling, responseIn, seam } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';

const inCreated = responseIn(created, 'one-body');
const inCreatedAndLookedUp = responseIn(createdAndLookedUp, 'one-body');

// Response object in one JSON body.

export const responsesBodyFaults: readonly Fault[] = [
  ...planted({
    'responses-body.no-created-at': inCreated(dropping('created_at')),
    'responses-body.no-model': inCreated(dropping('model')),
    'responses-body.date-as-text': inCreated((body) =>
      set(body, 'created_at', new Date(Number(body.created_at) * 1000).toISOString()),
    ),
    'responses-body.chat-object': inCreated(setting('object', 'chat.completion')),
    'responses-body.text-without-annotations': inCreated(
      dropping('output.0.content.0.annotations'),
    ),
    'responses-body.one-id-for-all': seam(
      'encode',
      'id',
      (native) => (prefix, call) =>
        prefix === 'resp_' ? `resp_${'0'.repeat(32)}` : native(prefix, call),
    ),
    'responses-body.still-queued': inCreatedAndLookedUp(replacing('status', 'completed', 'queued')),
    'responses-body.stop-as-status': inCreatedAndLookedUp(replacing('status', 'completed', 'stop')),
    'responses-body.no-incomplete-details': inCreatedAndLookedUp(
      setting('incomplete_details', null),
    ),
    'responses-body.limit-off-by-two': limited(
      ({ operation }) => operation === 'responses.create',
      (limit) => limit + 2,
    ),
    'responses-body.limit-ignored': limited(
      ({ operation, body }) => operation === 'responses.create' && body.background !== true,
      () => null,
    ),
    'responses-body.total-without-input': inCreated((body) =>
      changed(body, 'usage.total_tokens', () => memberAt(body, 'usage.output_tokens')),
    ),
    'responses-body.no-status': inCreatedAndLookedUp(dropping('status')),
    'responses-body.no-metadata': inCreated(dropping('metadata')),
    'responses-body.no-tools': inCreated(dropping('tools')),
    'responses-body.cut-short-is-completed': inCreatedAndLookedUp((body) =>
      body.status === 'incomplete'
        ? { ...body, status: 'completed', incomplete_details: null }
        : body,
    ),
    'responses-body.cut-short-for-length': inCreatedAndLookedUp((body) =>
      body.status === 'incomplete' ? set(body, 'incomplete_details.reason', 'length') : body,
    ),
    'responses-body.text-input-only': handling('responses.create', (handle) => (call, key) => {
      if (!isArray(call.body.input)) return handle(call, key);
      throw new Refusal('wrong-type', "'input' has to be a string.", 'input');
    }),
  }),
];
