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
import { bodies, endpointOf, handling, seam, streams, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

// Behaviours of valid gateways for which a strict reading of the sources would fail them.

const finish = 'candidates.0.finishReason';

/** Returns a candidate that ended naturally without text, as the live interface sends it. */
function silent(body: JsonObject): JsonObject {
  const isText = typeof memberAt(body, 'candidates.0.content.parts.0.text') === 'string';
  if (memberAt(body, finish) !== 'STOP' || !isText) return body;
  const bare = changed(body, 'candidates.0.content', () => ({ role: 'model' }));
  const prompt = memberAt(bare, 'usageMetadata.promptTokenCount') ?? 0;
  return set(without(bare, 'usageMetadata.candidatesTokenCount'), total, prompt);
}

const total = 'usageMetadata.totalTokenCount';

/** Returns no text in the first answer to each input, and text when it is repeated. */
const silentAtFirst: Defect['override'] = (seams) => {
  const seen = new Set<unknown>();
  return bodies('generative.response', (body, { call }) => {
    const asked = memberAt(call.body, 'contents.0.parts.0.text');
    if (call.operation !== 'generative.generate' || seen.has(asked)) return body;
    seen.add(asked);
    return silent(body);
  })(seams);
};

/** Returns a value with normalised texts: other line endings, composed letters, and no surrounding white space. */
function normalised(value: Json): Json {
  if (typeof value === 'string') return value.normalize('NFC').replaceAll('\r\n', '\n').trim();
  if (isArray(value)) return value.map(normalised);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, one === undefined ? one : normalised(one)]),
  );
}

/** Endpoints whose bodies no source shows, or in which every member is optional. */
const looselyRead: readonly (string | null)[] = ['count-tokens', 'compact', 'input-tokens'];

export const lenientVariants: readonly Variant[] = planted({
  'generative.stop-without-parts': silentAtFirst,
  'chat-completions-stream.filter-results-first': streams(
    'chat-completions',
    async function* (events) {
      const found = { id: '', object: '', created: 0, model: '', choices: [] };
      yield { name: null, data: { ...found, prompt_filter_results: [{ prompt_index: 0 }] } };
      yield* events;
    },
  ),
  'chat-completions-stream.filter-results-between': streams(
    'chat-completions',
    async function* (events) {
      const found = { id: '', object: '', created: 0, model: '' };
      const offsets = { check_offset: 44, start_offset: 44, end_offset: 198 };
      const choice = { index: 0, finish_reason: null, content_filter_offsets: offsets };
      for await (const event of events) {
        if (event.data !== '[DONE]') yield event;
        yield { name: null, data: { ...found, choices: [choice], usage: null } };
        if (event.data === '[DONE]') yield event;
      }
    },
  ),
  'store.input-items-normalised': bodies('responses.input-items', (body) => {
    const shown = normalised(body);
    return isObject(shown) ? shown : body;
  }),
  'input.loosely-read': forgiving(
    ({ reason }, call) =>
      (reason === 'not-an-object' || reason === 'wrong-type') &&
      looselyRead.includes(endpointOf(call)),
  ),
  'input.wrong-types-ignored': forgiving(
    ({ reason, param }) =>
      reason === 'wrong-type' && !/^(?:model|input|messages|contents|questions)/.test(param ?? ''),
  ),
  'models.list-for-two': together(
    bodies('models.list', (body) => ({ ...body, models: [{ slug: 'm-1' }, { slug: 'm-1' }] })),
    bodies('models.catalog', (body) => ({ ...body, data: [{ slug: 'm-1' }] })),
  ),
  'models.failed-response': handling('responses.create', (handle) => async (call, key) => {
    try {
      return await handle(call, key);
    } catch (error) {
      const { stream, background, model } = call.body;
      const isPlain = stream !== true && background !== true && String(model).length < 200;
      if (!isPlain || !(error instanceof Refusal) || error.reason !== 'unknown-model') throw error;
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
  'capabilities.websocket-closed': seam(
    'transport',
    'frame',
    (native) => async (socket, text, context) => {
      if (context.refusal?.reason === 'unsupported-capability') socket.close(1000);
      else await native(socket, text, context);
    },
  ),
  'interruption.another-reason': bodies('responses.response', (body) =>
    body.background === true && body.status === 'incomplete'
      ? set(body, 'incomplete_details.reason', 'steered')
      : body,
  ),
});
