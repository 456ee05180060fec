import { isArray, Refusal } from '../../../reference/index.ts';
import { limited } from '../../decisions.ts';
import { changed, memberAt, set, without } from '../../editing.ts';
import { created, createdAndLookedUp, handling, responseAt } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { limitIgnored, limitOffByTwo } from './across-protocols.ts';

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
  {
    id: 'responses-body.date-as-text',
    what: 'The date of creation is a text.',
    breaks: ['generation/responses.shape'],
    override: responseAt(created, 'one-body', (body) =>
      set(body, 'created_at', new Date(Number(body.created_at) * 1000).toISOString()),
    ),
  },
  {
    id: 'responses-body.chat-object',
    what: 'A created response calls itself a `chat.completion`.',
    breaks: ['generation/responses.shape'],
    override: responseAt(created, 'one-body', (body) => set(body, 'object', 'chat.completion')),
  },
  {
    id: 'responses-body.text-without-annotations',
    what: 'The text parts of a created response have no `annotations`.',
    breaks: ['generation/responses.shape'],
    override: responseAt(created, 'one-body', (body) =>
      without(body, 'output.0.content.0.annotations'),
    ),
  },
  {
    id: 'responses-body.one-id-for-all',
    what: 'Every response has the same id.',
    breaks: ['generation/responses.id-unique'],
    override: ({ encode }) => ({
      encode: {
        id: (prefix, call) =>
          prefix === 'resp_' ? `resp_${'0'.repeat(32)}` : encode.id(prefix, call),
      },
    }),
  },
  {
    id: 'responses-body.still-queued',
    what: 'A response that was not run in the background says `queued` when it has ended.',
    breaks: ['everywhere/native.ending-fits-request:responses'],
    override: responseAt(createdAndLookedUp, 'one-body', (body) =>
      body.status === 'completed' ? set(body, 'status', 'queued') : body,
    ),
  },
  {
    id: 'responses-body.stop-as-status',
    what: 'The status of a response is the finish reason of the channel.',
    breaks: ['everywhere/native.ending-fits-request:responses'],
    override: responseAt(createdAndLookedUp, 'one-body', (body) =>
      body.status === 'completed' ? set(body, 'status', 'stop') : body,
    ),
  },
  {
    id: 'responses-body.no-incomplete-details',
    what: 'An incomplete response does not say why.',
    breaks: ['generation/responses.status-explained'],
    override: responseAt(createdAndLookedUp, 'one-body', (body) =>
      set(body, 'incomplete_details', null),
    ),
  },
  {
    id: 'responses-body.limit-off-by-two',
    what: limitOffByTwo,
    breaks: ['generation/responses.output-limit'],
    override: limited(
      ({ operation }) => operation === 'responses.create',
      (limit) => limit + 2,
    ),
  },
  {
    id: 'responses-body.limit-ignored',
    what: limitIgnored,
    breaks: ['generation/responses.output-limit'],
    override: limited(
      ({ operation, body }) => operation === 'responses.create' && body.background !== true,
      () => null,
    ),
  },
  {
    id: 'responses-body.total-without-input',
    what: 'The total of the usage leaves the input out.',
    breaks: ['generation/responses.usage-adds-up'],
    override: responseAt(created, 'one-body', (body) =>
      changed(body, 'usage.total_tokens', () => memberAt(body, 'usage.output_tokens')),
    ),
  },
  {
    id: 'responses-body.no-status',
    what: 'A response has no status.',
    breaks: ['generation/responses.full-shape'],
    override: responseAt(createdAndLookedUp, 'one-body', (body) => without(body, 'status')),
  },
  lacking('tools', 'generation/responses.full-shape'),
  lacking('metadata', 'generation/responses.full-shape'),
  {
    id: 'responses-body.cut-short-is-completed',
    what: 'An answer that was cut at its limit is `completed`.',
    breaks: ['generation/responses.truncated-is-incomplete'],
    override: responseAt(createdAndLookedUp, 'one-body', (body) =>
      body.status === 'incomplete'
        ? { ...body, status: 'completed', incomplete_details: null }
        : body,
    ),
  },
  {
    id: 'responses-body.cut-short-for-length',
    what: 'An answer that was cut at its limit is incomplete for the reason `length`.',
    breaks: ['generation/responses.truncated-is-incomplete'],
    override: responseAt(createdAndLookedUp, 'one-body', (body) =>
      body.status === 'incomplete' ? set(body, 'incomplete_details.reason', 'length') : body,
    ),
  },
  {
    id: 'responses-body.text-input-only',
    what: 'An array of items as input is refused.',
    breaks: ['generation/responses.item-input'],
    override: handling('responses.create', (handle) => (call, key) => {
      if (!isArray(call.body.input)) return handle(call, key);
      throw new Refusal('wrong-type', "'input' has to be a string.", 'input');
    }),
  },
];
