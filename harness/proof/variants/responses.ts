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
import { changed, dropping, memberAt, set, setting, without } from '../editing.ts';
import {
  bodies,
  created,
  eachData,
  eachEvent,
  lookedUp,
  responseAt,
  seam,
  together,
} from '../planting.ts';
import { planted } from './planted.ts';
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

function onlyMembers(names: readonly string[], body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

const responsesBodyVariants: readonly Variant[] = planted({
  'responses.required-members-only': responses((response) =>
    onlyMembers([...required, 'usage'], response),
  ),
  'responses.least-members': responses((response) =>
    onlyMembers(
      ['id', 'object', 'created_at', 'model', 'output', 'status', 'error', 'incomplete_details'],
      response,
    ),
  ),
  'responses.lookup-shows-more': responseAt(created, 'one-body', (response) =>
    onlyMembers([...required, 'usage'], response),
  ),
  'responses.lookup-shows-less': responseAt(lookedUp, 'one-body', (response) =>
    onlyMembers([...required, 'usage'], response),
  ),
  'responses.no-usage': responses(setting('usage', null)),
  'responses.more-usage': responses((response) =>
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
  'responses.dated-model': responses((response) =>
    set(response, 'model', `${response.model}-2026-10-01`),
  ),
  'responses.times-with-fractions': responses((response) =>
    set(response, 'created_at', Number(response.created_at) + 0.25),
  ),
  'responses.other-incomplete-reason': responses((response) =>
    response.status === 'incomplete'
      ? set(response, 'incomplete_details', { reason: 'max_tokens' })
      : response,
  ),
  'responses.cancelled-without-output': responses((response) =>
    response.status === 'cancelled' ? set(response, 'output', []) : response,
  ),
  'responses.items-without-status': bodies(kind, (response) =>
    changed(response, 'output', (output) =>
      isArray(output)
        ? output.map((item) =>
            isObject(item) && item.type === 'function_call' ? without(item, 'id', 'status') : item,
          )
        : output,
    ),
  ),
  'responses.history-among-input-items': bodies(
    'responses.input-items',
    (body, { call, record }) => {
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
    },
  ),
  'responses.deleted-object': bodies('responses.deleted', setting('object', 'response.deleted')),
  'responses.deleted-without-object': bodies('responses.deleted', dropping('object')),
  'responses.deleted-empty': seam(
    'transport',
    'send',
    (native) => async (out, head, body, context) => {
      const done = context.call.operation === 'responses.delete' && context.refusal === null;
      if (!done) return native(out, head, body, context);
      out.writeHead(204).end();
    },
  ),
  'responses.deleted-with-output': bodies('responses.deleted', setting('output', [])),
  'responses.echo': decide('generate', (native) => (prompt, call) => {
    const answer = native(prompt, call);
    const asked = prompt.turns.findLast(({ role }) => role === 'user')?.text.match(/\s*\S+/g);
    const isFree =
      answer.blocks.every(({ kind }) => kind === 'text') && prompt.asked.schema === null;
    const isInOne = call.operation === 'responses.create' && call.body.stream !== true;
    if (!asked || !isFree || !isInOne || call.body.background === true) return answer;
    return { ...answer, ...outputWith([{ kind: 'text', pieces: asked }], null, prompt.limit) };
  }),
  'responses.count-with-details': bodies('responses.input-tokens', (body) => ({
    ...body,
    details: { text_tokens: body.input_tokens ?? 0, image_tokens: 0 },
  })),
  'responses.compaction-more': bodies('responses.compaction', (body) =>
    changed(body, 'output', (output) =>
      isArray(output) ? output.filter((item) => memberAt(item, 'type') === 'compaction') : output,
    ),
  ),
});

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
    seam(
      'encode',
      'body',
      (native) => (kind, body, context) => change(native(kind, body, context)),
    ),
    ...dialects.map((dialect) => eachData(dialect, change)),
  );
}

/** Members whose own members the client names, so that no gateway may add others. */
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

function ids(make: (prefix: string) => string): Defect['override'] {
  return () => ({ encode: { id: (prefix) => make(prefix) } });
}

let counted = 0;

const memberVariants: readonly Variant[] = planted({
  'members.more-everywhere': everywhere((value) => object(withMore(value))),
  'members.other-order': everywhere((value) => object(reversed(value))),
  'ids.bare-uuid': ids(() => crypto.randomUUID()),
  'ids.own-prefix': ids((prefix) => `gw-${prefix}${crypto.randomUUID()}`),
  'ids.long': ids((prefix) =>
    `${prefix}${crypto.randomUUID().replaceAll('-', '').repeat(6)}`.padEnd(200, '0'),
  ),
  'ids.underscore-last': ids((prefix) => `${prefix}${crypto.randomUUID().replaceAll('-', '')}_`),
  'ids.sequential': ids((prefix) => `${prefix}${++counted}`),
  'ids.base64': ids(
    (prefix) => `${prefix}${Buffer.from(crypto.randomUUID()).toString('base64')}+/=`,
  ),
});

// A model may end its answer without any text.

const content = 'choices.0.delta.content';
const text = 'candidates.0.content.parts.0.text';

function withoutText(body: JsonObject): JsonObject {
  return typeof memberAt(body, text) === 'string' ? set(body, text, '') : body;
}

const emptyTextVariants: readonly Variant[] = planted({
  'empty-text.chat-completions': {
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
  'empty-text.messages': {
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
  'empty-text.generative': {
    silentAbout: ['stop'],
    override: together(
      bodies('generative.response', withoutText),
      eachData('generative', withoutText),
    ),
  },
});

export const responsesVariants: readonly Variant[] = [
  ...responsesBodyVariants,
  ...memberVariants,
  ...emptyTextVariants,
];
