import { isArray, Refusal } from '../../../reference/index.ts';
import { limited } from '../../decisions.ts';
import { changed, memberAt, set, without } from '../../editing.ts';
import { created, createdAndLookedUp, handling, responseAt } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';

// The response object that comes back in one body.

/** A response without one member, at its creation. */
function lacking(member: string, breaks: string): Fault {
  return {
    id: `responses-body.no-${member.replaceAll('_', '-')}`,
    what: `A created response has no \`${member}\`.`,
    breaks: [breaks],
    override: responseAt(created, 'one-body', (body) => without(body, member)),
  };
}

export const responsesBodyFaults: readonly Fault[] = [
  lacking('created_at', 'generation/responses.shape'),
  lacking('model', 'generation/responses.shape'),
  ...planted({
    'responses-body.date-as-text': responseAt(created, 'one-body', (body) =>
      set(body, 'created_at', new Date(Number(body.created_at) * 1000).toISOString()),
    ),
    'responses-body.chat-object': responseAt(created, 'one-body', (body) =>
      set(body, 'object', 'chat.completion'),
    ),
    'responses-body.text-without-annotations': responseAt(created, 'one-body', (body) =>
      without(body, 'output.0.content.0.annotations'),
    ),
    'responses-body.one-id-for-all': ({ encode }) => ({
      encode: {
        id: (prefix, call) =>
          prefix === 'resp_' ? `resp_${'0'.repeat(32)}` : encode.id(prefix, call),
      },
    }),
    'responses-body.still-queued': responseAt(createdAndLookedUp, 'one-body', (body) =>
      body.status === 'completed' ? set(body, 'status', 'queued') : body,
    ),
    'responses-body.stop-as-status': responseAt(createdAndLookedUp, 'one-body', (body) =>
      body.status === 'completed' ? set(body, 'status', 'stop') : body,
    ),
    'responses-body.no-incomplete-details': responseAt(createdAndLookedUp, 'one-body', (body) =>
      set(body, 'incomplete_details', null),
    ),
    'responses-body.limit-off-by-two': limited(
      ({ operation }) => operation === 'responses.create',
      (limit) => limit + 2,
    ),
    'responses-body.limit-ignored': limited(
      ({ operation, body }) => operation === 'responses.create' && body.background !== true,
      () => null,
    ),
    'responses-body.total-without-input': responseAt(created, 'one-body', (body) =>
      changed(body, 'usage.total_tokens', () => memberAt(body, 'usage.output_tokens')),
    ),
    'responses-body.no-status': responseAt(createdAndLookedUp, 'one-body', (body) =>
      without(body, 'status'),
    ),
  }),
  lacking('tools', 'generation/responses.full-shape'),
  lacking('metadata', 'generation/responses.full-shape'),
  ...planted({
    'responses-body.cut-short-is-completed': responseAt(createdAndLookedUp, 'one-body', (body) =>
      body.status === 'incomplete'
        ? { ...body, status: 'completed', incomplete_details: null }
        : body,
    ),
    'responses-body.cut-short-for-length': responseAt(createdAndLookedUp, 'one-body', (body) =>
      body.status === 'incomplete' ? set(body, 'incomplete_details.reason', 'length') : body,
    ),
    'responses-body.text-input-only': handling('responses.create', (handle) => (call, key) => {
      if (!isArray(call.body.input)) return handle(call, key);
      throw new Refusal('wrong-type', "'input' has to be a string.", 'input');
    }),
  }),
];
