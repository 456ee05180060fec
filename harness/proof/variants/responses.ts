import {
  type Defect,
  type DialectName,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  outputWith,
} from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import {
  bodies,
  created,
  eachData,
  eachEvent,
  lookedUp,
  responseAt,
  together,
} from '../planting.ts';
import type { Variant } from './variant.ts';

const kind = 'responses.response';

/** Applies a change to a response wherever it is shown: in a body, and inside an event. */
function responses(change: (response: JsonObject) => JsonObject): Defect['override'] {
  return together(
    bodies(kind, change),
    eachData('responses', (data) =>
      changed(data, 'response', (response) => (isObject(response) ? change(response) : response)),
    ),
  );
}

/** Members of a response that OpenAI's published schema requires, and that nearly every gateway sends. */
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

const responsesBodyVariants: readonly Variant[] = [
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
    id: 'responses.lookup-shows-more',
    what: 'The answer to a creation leaves out what a lookup shows.',
    warns: ['storage/continuation.echoes-previous'],
    override: responseAt(created, 'one-body', (response) => only([...required, 'usage'], response)),
  },
  {
    id: 'responses.lookup-shows-less',
    what: 'A lookup leaves out what the answer to the creation said.',
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
    what: 'A cancelled response has no output.',
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
      const earlier = history.filter(({ id }) => typeof id === 'string').toReversed();
      const first = earlier.at(-1);
      if (first?.id === undefined || call.query.has('after')) return body;
      if (call.query.get('order') === 'asc' && call.query.get('limit') === '1') {
        return { ...body, data: [first], first_id: first.id, last_id: first.id, has_more: true };
      }
      if (call.query.size > 0) return body;
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
    what: 'A model answers with what it is asked, where it answers in one body and may say anything.',
    override: decide('generate', (native) => (prompt, call) => {
      const answer = native(prompt, call);
      const asked = prompt.turns.findLast(({ role }) => role === 'user')?.text.match(/\s*\S+/g);
      const isFree =
        answer.blocks.every(({ kind }) => kind === 'text') && prompt.asked.schema === null;
      const isInOne = call.operation === 'responses.create' && call.body.stream !== true;
      if (!asked || !isFree || !isInOne || call.body.background === true) return answer;
      return { ...answer, ...outputWith([{ kind: 'text', pieces: asked }], null, prompt.limit) };
    }),
  },
  {
    id: 'responses.count-with-details',
    what: 'A count has details.',
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

// Variants with members in another order, with additional members, and with other ids.

const dialects: readonly DialectName[] = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
];

/** Applies a change to every JSON body and to the data of every event. */
function everywhere(change: (value: JsonObject) => JsonObject): Defect['override'] {
  return together(
    ({ encode }) => ({
      encode: { body: (kind, body, context) => change(encode.body(kind, body, context)) },
    }),
    ...dialects.map((dialect) => eachData(dialect, change)),
  );
}

/** Members whose own members the caller has named: no gateway may put others among them. */
const callers = new Set([
  'answers',
  'args',
  'input',
  'legend',
  'metadata',
  'parameters',
  'probabilities',
  'tools',
]);

function withMore(value: Json | undefined): Json | undefined {
  if (isArray(value)) return value.map((item) => withMore(item) ?? null);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json | undefined] => [
    name,
    callers.has(name) ? member : withMore(member),
  ]);
  return { x_gateway_note: { region: 'eu', hops: [1, 2] }, ...Object.fromEntries(members) };
}

function reversed(value: Json | undefined): Json | undefined {
  if (isArray(value)) return value.map((item) => reversed(item) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, Json | undefined] => [name, reversed(member)])
      .toReversed(),
  );
}

function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Ids made in another way. */
function ids(make: (prefix: string) => string): Defect['override'] {
  return () => ({ encode: { id: (prefix) => make(prefix) } });
}

let counted = 0;

const memberVariants: readonly Variant[] = [
  {
    id: 'members.more-everywhere',
    what: 'Every object has a member more than is documented.',
    override: everywhere((value) => object(withMore(value))),
  },
  {
    id: 'members.other-order',
    what: 'The members of every object are in another order.',
    override: everywhere((value) => object(reversed(value))),
  },
  {
    id: 'ids.bare-uuid',
    what: 'Ids are UUIDs without a prefix.',
    override: ids(() => crypto.randomUUID()),
  },
  {
    id: 'ids.own-prefix',
    what: 'Ids begin with the name of the gateway.',
    override: ids((prefix) => `gw-${prefix}${crypto.randomUUID()}`),
  },
  {
    id: 'ids.long',
    what: 'Ids are 200 characters long.',
    override: ids((prefix) =>
      `${prefix}${crypto.randomUUID().replaceAll('-', '').repeat(6)}`.padEnd(200, '0'),
    ),
  },
  {
    id: 'ids.underscore-last',
    what: 'Ids are base64url, and end in an underscore.',
    override: ids((prefix) => `${prefix}${crypto.randomUUID().replaceAll('-', '')}_`),
  },
  {
    id: 'ids.sequential',
    what: 'Ids are a prefix and a number that counts up.',
    override: ids((prefix) => `${prefix}${++counted}`),
  },
  {
    id: 'ids.base64',
    what: 'Ids are base64, with characters that a path has to encode.',
    override: ids((prefix) => `${prefix}${Buffer.from(crypto.randomUUID()).toString('base64')}+/=`),
  },
];

// A model may end its answer without any text.

const content = 'choices.0.delta.content';
const text = 'candidates.0.content.parts.0.text';

function withoutText(body: JsonObject): JsonObject {
  return typeof memberAt(body, text) === 'string' ? set(body, text, '') : body;
}

const emptyTextVariants: readonly Variant[] = [
  {
    id: 'empty-text.chat-completions',
    what: 'On Chat Completions a model answers with an empty text, streamed or not.',
    silentAbout: ['stop'],
    override: together(
      bodies('chat-completions.completion', (body) =>
        changed(body, 'choices.0.message.content', (text) =>
          typeof text === 'string' ? '' : text,
        ),
      ),
      eachData('chat-completions', (chunk) =>
        typeof memberAt(chunk, content) === 'string' ? set(chunk, content, '') : chunk,
      ),
    ),
  },
  {
    id: 'empty-text.messages',
    what: 'On Messages a model answers without any block of text, streamed or not.',
    silentAbout: ['stop'],
    override: together(
      bodies('messages.message', (body) =>
        changed(body, 'content', (blocks) =>
          isArray(blocks) ? blocks.filter((block) => memberAt(block, 'type') !== 'text') : blocks,
        ),
      ),
      eachEvent('messages', () => {
        let inText = false;
        return (event) => {
          if (event.name === 'content_block_start') {
            inText = memberAt(event.data, 'content_block.type') === 'text';
          }
          return inText && /^content_block_/.test(event.name ?? '') ? [] : event;
        };
      }),
    ),
  },
  {
    id: 'empty-text.generative',
    what: 'On generative-content a model answers with an empty text, streamed or not.',
    silentAbout: ['stop'],
    override: together(
      bodies('generative.response', withoutText),
      eachData('generative', withoutText),
    ),
  },
];

export const responsesVariants: readonly Variant[] = [
  ...responsesBodyVariants,
  ...memberVariants,
  ...emptyTextVariants,
];
