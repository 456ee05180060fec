import {
  type Defect,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  Refusal,
} from '../../reference/index.ts';
import { forgiving } from '../decisions.ts';
import { changed, memberAt, set, without } from '../editing.ts';
import { bodies, endpointOf, handling, streams, together } from '../planting.ts';
import type { Variant } from './variant.ts';

// Behaviours of right gateways that a strict reader of the sources would blame.

const finish = 'candidates.0.finishReason';

/** A candidate that ended of its own accord without a word, as the live interface sends it. */
function silent(body: JsonObject): JsonObject {
  const isText = typeof memberAt(body, 'candidates.0.content.parts.0.text') === 'string';
  if (memberAt(body, finish) !== 'STOP' || !isText) return body;
  const bare = changed(body, 'candidates.0.content', () => ({ role: 'model' }));
  const prompt = memberAt(bare, 'usageMetadata.promptTokenCount') ?? 0;
  return set(without(bare, 'usageMetadata.candidatesTokenCount'), total, prompt);
}

const total = 'usageMetadata.totalTokenCount';

/** The first answer to each input says nothing; asked once more, the model answers. */
const silentAtFirst: Defect['override'] = (seams) => {
  const seen = new Set<unknown>();
  return bodies('generative.response', (body, { call }) => {
    const asked = memberAt(call.body, 'contents.0.parts.0.text');
    if (call.operation !== 'generative.generate' || seen.has(asked)) return body;
    seen.add(asked);
    return silent(body);
  })(seams);
};

/**
 * Returns a value with normalised texts: other line endings, composed letters, and no surrounding white
 * space.
 */
function normalised(value: Json): Json {
  if (typeof value === 'string') return value.normalize('NFC').replaceAll('\r\n', '\n').trim();
  if (isArray(value)) return value.map(normalised);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, one === undefined ? one : normalised(one)]),
  );
}

/** The endpoints whose bodies no source shows, or in which every member is optional. */
const looselyRead: readonly (string | null)[] = ['count-tokens', 'compact', 'input-tokens'];

export const lenientVariants: readonly Variant[] = [
  {
    id: 'generative.stop-without-parts',
    what: 'A model says nothing to an input that it is given for the first time: `STOP`, no parts, no tokens.',
    override: silentAtFirst,
  },
  {
    id: 'chat-completions-stream.filter-results-first',
    what: 'What a content filter found in the prompt comes in a first chunk without an id and without choices.',
    warns: ['generation/chat-completions-stream.filter-chunk-shape'],
    override: streams('chat-completions', async function* (events) {
      const found = { id: '', object: '', created: 0, model: '', choices: [] };
      yield { name: null, data: { ...found, prompt_filter_results: [{ prompt_index: 0 }] } };
      yield* events;
    }),
  },
  {
    id: 'chat-completions-stream.filter-results-between',
    what: 'What a content filter found comes while the answer does, and behind it, in chunks without an id whose choice has no delta.',
    warns: ['generation/chat-completions-stream.filter-chunk-shape'],
    override: streams('chat-completions', async function* (events) {
      const found = { id: '', object: '', created: 0, model: '' };
      const offsets = { check_offset: 44, start_offset: 44, end_offset: 198 };
      const choice = { index: 0, finish_reason: null, content_filter_offsets: offsets };
      for await (const event of events) {
        if (event.data !== '[DONE]') yield event;
        yield { name: null, data: { ...found, choices: [choice], usage: null } };
        if (event.data === '[DONE]') yield event;
      }
    }),
  },
  {
    id: 'store.input-items-normalised',
    what: 'The input items are shown with `\\n` at the ends of lines, composed letters, and trimmed.',
    warns: ['storage/responses.input-items-unchanged:string'],
    override: bodies('responses.input-items', (body) => {
      const shown = normalised(body);
      return isObject(shown) ? shown : body;
    }),
  },
  {
    id: 'input.loosely-read',
    what: 'Counts and compactions take a list for an empty body, and a number for no input.',
    warns: ['not-an-object', 'wrong-types'].flatMap((rule) =>
      looselyRead.map((endpoint) => `input/requests.${rule}:${endpoint}`),
    ),
    override: forgiving(
      ({ reason }, call) =>
        (reason === 'not-an-object' || reason === 'wrong-type') &&
        looselyRead.includes(endpointOf(call)),
    ),
  },
  {
    id: 'models.list-for-two',
    what: 'Each list has the entries of the other interface, too, in the member that belongs to that.',
    override: together(
      bodies('models.list', (body) => ({ ...body, models: [{ slug: 'm-1' }, { slug: 'm-1' }] })),
      bodies('models.catalog', (body) => ({ ...body, data: [{ slug: 'm-1' }] })),
    ),
  },
  {
    id: 'models.failed-response',
    what: 'A model that is not there is told by a response whose status is `failed`, with 200.',
    warns: ['generation/responses.full-shape'],
    override: handling('responses.create', (handle) => async (call, key) => {
      try {
        return await handle(call, key);
      } catch (error) {
        const { stream, background, model } = call.body;
        const isPlain = stream !== true && background !== true && String(model).length < 200;
        if (!isPlain || !(error instanceof Refusal) || error.reason !== 'unknown-model')
          throw error;
        const { message } = error;
        const body = {
          id: call.gateway.seams.encode.id('resp_', call),
          object: 'response',
          created_at: Math.floor(call.gateway.now() / 1000),
          status: 'failed',
          model: model ?? null,
          output: [],
          error: { code: 'model_not_found', message },
        };
        return { kind: 'responses.response', body };
      }
    }),
  },
  {
    id: 'capabilities.websocket-closed',
    what: 'A WebSocket for a model that has none is opened, and closed with 1000.',
    override: ({ transport }) => ({
      transport: {
        async frame(socket, text, context) {
          if (context.refusal?.reason === 'unsupported-capability') socket.close(1000);
          else await transport.frame(socket, text, context);
        },
      },
    }),
  },
  {
    id: 'interruption.another-reason',
    what: 'A background run that did not come to its end names a reason that is new: `steered`.',
    warns: [
      'generation/limits.reported-by-creation-mode:background',
      'storage/responses.lookup-same-resource:background',
    ],
    override: bodies('responses.response', (body) =>
      body.background === true && body.status === 'incomplete'
        ? set(body, 'incomplete_details.reason', 'steered')
        : body,
    ),
  },
];
