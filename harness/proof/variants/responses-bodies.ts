import { isArray, isObject, type JsonObject } from '../../reference/json.ts';
import type { Defect } from '../../reference/seams.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { created, lookedUp, originOf, responseAt } from '../faults/response-bodies.ts';
import { bodies, eachData, together } from '../planting.ts';
import type { Variant } from './variant.ts';

const kind = 'responses.response';

/** The same change to a response wherever it is shown: in a body, and inside an event. */
function responses(change: (response: JsonObject) => JsonObject): Defect['override'] {
  return together(
    bodies(kind, change),
    eachData('responses', (data) =>
      changed(data, 'response', (response) => (isObject(response) ? change(response) : response)),
    ),
  );
}

/** What OpenAI's published schema requires of a response, and what nearly everybody sends. */
const required = [
  'id',
  'object',
  'created_at',
  'error',
  'incomplete_details',
  'instructions',
  'model',
  'tools',
  'output',
  'parallel_tool_calls',
  'metadata',
  'tool_choice',
  'temperature',
  'top_p',
  'status',
];

function only(names: readonly string[], body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

export const responsesBodyVariants: readonly Variant[] = [
  {
    id: 'responses.required-members-only',
    what: 'A response has what the published schema requires, and its usage, and nothing else.',
    warns: ['storage/continuation.echoes-previous'],
    override: responses((response) => only([...required, 'usage'], response)),
  },
  {
    id: 'responses.least-members',
    what: 'A response has what all sources require, and no more.',
    warns: ['generation/responses.full-shape', 'storage/continuation.echoes-previous'],
    override: responses((response) =>
      only(
        ['id', 'object', 'created_at', 'model', 'output', 'status', 'error', 'incomplete_details'],
        response,
      ),
    ),
  },
  {
    id: 'responses.lookup-tells-more',
    what: 'The answer to a creation says nothing of what a lookup tells.',
    warns: ['storage/continuation.echoes-previous'],
    override: responseAt(created, 'one-body', (response) => only([...required, 'usage'], response)),
  },
  {
    id: 'responses.lookup-tells-less',
    what: 'A lookup says nothing of what the answer to the creation told.',
    override: responseAt(lookedUp, 'one-body', (response) =>
      only([...required, 'usage'], response),
    ),
  },
  {
    id: 'responses.no-usage',
    what: 'A response has no usage, not even at its end.',
    override: responses((response) => set(response, 'usage', null)),
  },
  {
    id: 'responses.more-usage',
    what: 'The usage has more details than are documented, and lacks those that only some sources have.',
    override: responses((response) =>
      changed(response, 'usage', (usage) =>
        isObject(usage)
          ? {
              ...without(usage, 'input_tokens_details.cache_write_tokens'),
              cost: 0.000_01,
              output_tokens_details: { reasoning_tokens: 0, image_tokens: 0 },
            }
          : usage,
      ),
    ),
  },
  {
    id: 'responses.dated-model',
    what: 'A response names the dated version of the model that was asked for.',
    override: responses((response) => set(response, 'model', `${response.model}-2026-10-01`)),
  },
  {
    id: 'responses.times-with-fractions',
    what: 'Times have fractions of a second.',
    override: responses((response) =>
      set(response, 'created_at', Number(response.created_at) + 0.25),
    ),
  },
  {
    id: 'responses.other-incomplete-reason',
    what: 'An answer that is cut at its limit is incomplete for `max_tokens`.',
    warns: [
      'generation/responses.truncated-is-incomplete',
      'generation/limits.reported-by-creation-mode',
    ],
    override: responses((response) =>
      response.status === 'incomplete'
        ? set(response, 'incomplete_details', { reason: 'max_tokens' })
        : response,
    ),
  },
  {
    id: 'responses.cancelled-without-output',
    what: 'A cancelled response has lost what it had written.',
    override: responses((response) =>
      response.status === 'cancelled' ? set(response, 'output', []) : response,
    ),
  },
  {
    id: 'responses.items-without-status',
    what: 'Calls of functions have neither an id nor a status.',
    override: bodies(kind, (response) =>
      changed(response, 'output', (output) =>
        isArray(output)
          ? output.map((item) =>
              isObject(item) && item.type === 'function_call'
                ? without(item, 'id', 'status')
                : item,
            )
          : output,
      ),
    ),
  },
  {
    id: 'responses.history-among-input-items',
    what: 'The input items of a continuation are those of all its turns.',
    override: bodies('responses.input-items', (body, { call, record }) => {
      const history = record?.turn?.parts.history ?? [];
      if ([...call.query.keys()].length > 0 || history.length === 0) return body;
      const earlier = history.filter(({ id }) => typeof id === 'string').toReversed();
      const data = isArray(body.data) ? [...body.data, ...earlier] : earlier;
      return { ...body, data, last_id: memberAt(data, `${data.length - 1}.id`) };
    }),
  },
  {
    id: 'responses.deleted-object',
    what: 'A deletion is answered as `response.deleted`.',
    override: bodies('responses.deleted', (body) => set(body, 'object', 'response.deleted')),
  },
  {
    id: 'responses.deleted-without-object',
    what: 'A deletion is answered without an `object`.',
    override: bodies('responses.deleted', (body) => without(body, 'object')),
  },
  {
    id: 'responses.deleted-empty',
    what: 'A deletion is answered with 204 and no body.',
    warns: ['storage/deletion.shape'],
    override: ({ transport }) => ({
      transport: {
        async send(out, head, body, context) {
          const done = context.call.operation === 'responses.delete' && context.refusal === null;
          if (!done) return transport.send(out, head, body, context);
          out.writeHead(204).end();
        },
      },
    }),
  },
  {
    id: 'responses.deleted-with-output',
    what: 'A deletion is answered with what is left of the response: no output, and `deleted: true`.',
    override: bodies('responses.deleted', (body) => set(body, 'output', [])),
  },
  {
    id: 'responses.echo',
    what: 'An answer in one body says again what was asked.',
    override: bodies(kind, (response, { record }) => {
      const turn = record?.turn;
      if (!turn || originOf(turn) !== 'one-body') return response;
      const asked = memberAt(turn.parts.request.input, '0.content.0.text');
      return changed(response, 'output.0.content.0.text', (text) => asked ?? text);
    }),
  },
  {
    id: 'responses.count-with-details',
    what: 'A count says what it is made of.',
    override: bodies('responses.input-tokens', (body) => ({
      ...body,
      details: { text_tokens: body.input_tokens ?? 0, image_tokens: 0 },
    })),
  },
  {
    id: 'responses.compaction-more',
    what: 'A compaction keeps no message beside its one item.',
    override: bodies('responses.compaction', (body) =>
      changed(body, 'output', (output) =>
        isArray(output) ? output.filter((item) => memberAt(item, 'type') === 'compaction') : output,
      ),
    ),
  },
];
