import { setTimeout } from 'node:timers/promises';
import {
  type Defect,
  isObject,
  type JsonObject,
  type OpenSocket,
  outputWith,
  Refusal,
  type StreamContext,
} from '../../reference/index.ts';
import { decide, relax, tighten } from '../decisions.ts';
import { changed } from '../editing.ts';
import { afterwards, bodies, eachData, handling, seam, streams, together } from '../planting.ts';
import { planted } from './planted.ts';
import { renumbered } from './responses-stream.ts';
import type { Variant } from './variant.ts';

function started(response: JsonObject): JsonObject {
  return response.status === 'queued' ? { ...response, status: 'in_progress' } : response;
}

/** True for a recovery after the last event of an ended run. */
function isPastTheEnd({ record, startingAfter }: StreamContext): boolean {
  const turn = record?.turn;
  if (!turn || startingAfter === null) return false;
  return turn.finished && startingAfter >= turn.eventsSoFar().length - 1;
}

/** Refuses to cancel a response that has ended by itself. */
export const finishedRefused: Defect['override'] = handling(
  'responses.cancel',
  (handle) => async (call, key) => {
    const before = call.gateway.store.peek(call.params.id ?? '')?.turn?.status;
    const answer = await handle(call, key);
    if (before !== 'completed' && before !== 'incomplete') return answer;
    throw new Refusal('not-cancellable', `Cannot cancel a ${before} response.`);
  },
);

export const behaviourVariants: readonly Variant[] = planted({
  'background.in-progress-at-once': together(
    bodies('responses.response', started),
    renumbered(() => (event) => (event.name === 'response.queued' ? [] : [event])),
    eachData('responses', (data) =>
      changed(data, 'response', (response) => (isObject(response) ? started(response) : response)),
    ),
  ),
  'background.short-ones-at-once': decide(
    'runsInBackground',
    (native) => (execution, call) =>
      native(execution, call) &&
      (execution.stream || /\b\d{3,} \p{L}/u.test(JSON.stringify(call.body.input))),
  ),
  'cancel.finished-refused': finishedRefused,
  'cancel.answered-before-it-stops': (seams) => {
    const asked = new Set<unknown>();
    return bodies('responses.response', (body, { call }) => {
      if (call.operation !== 'responses.cancel' || asked.has(body.id)) return body;
      asked.add(body.id);
      return body.status === 'cancelled' ? { ...body, status: 'in_progress' } : body;
    })(seams);
  },
  'store.foreground-hidden-while-running': tighten(
    'isStored',
    ({ record: { background, turn } }) => !background && turn?.finished === false,
  ),
  'store.foreground-stops-with-client': tighten(
    'outlivesClient',
    (execution) => !execution.background,
  ),
  'store.lookup-leaves-out': bodies('responses.response', (body, { call }) => {
    if (call.operation !== 'responses.lookup') return body;
    const { id, object, created_at, model, status, output } = body;
    return { id, object, created_at, model, status, output };
  }),
  'recover.background-only': handling('responses.recover', (handle) => async (call, key) => {
    const answer = await handle(call, key);
    if (answer.record?.background) return answer;
    const message = 'This response cannot be streamed: it was not created with background=true.';
    throw new Refusal('invalid-value', message, 'stream');
  }),
  'recover.nothing-left-204': seam(
    'transport',
    'stream',
    (native) => async (out, head, pieces, context) => {
      if (!isPastTheEnd(context)) return native(out, head, pieces, context);
      out.writeHead(204).end();
    },
  ),
  'recover.nothing-left-keepalive': afterwards('responses', (context) =>
    isPastTheEnd(context) ? [{ name: 'keepalive', data: { type: 'keepalive' } }] : [],
  ),
  'websocket.unknown-calls-accepted': tighten(
    'insists',
    (refusal, call) =>
      call.operation === 'responses.websocket' && refusal.reason === 'unknown-tool-call',
  ),
  'websocket.closes-after-error': seam(
    'transport',
    'frame',
    (native) => async (socket, text, context) => {
      await native(socket, text, context);
      if (context.refusal !== null) socket.close(1000);
    },
  ),
  'websocket.closes-after-deletion': (seams) => {
    const madeOn = new Map<string, OpenSocket>();
    return together(
      seam('transport', 'frame', (native) => (socket, text, context) => {
        if (context.record !== null) madeOn.set(context.record.id, socket);
        return native(socket, text, context);
      }),
      handling('responses.delete', (handle) => async (call, key) => {
        const answer = await handle(call, key);
        madeOn.get(call.params.id ?? '')?.close(1000);
        return answer;
      }),
    )(seams);
  },
  'websocket.busy-refused': () => ({ policy: { whileBusy: () => 'refuse' } }),
  'websocket.busy-refused-meanwhile': together(
    () => ({ policy: { whileBusy: () => 'refuse-later' } }),
    streams('responses', async function* (events, { call }) {
      // Long enough for the refusal to arrive in between.
      for await (const event of events) {
        const isSocket = call.operation === 'responses.websocket';
        if (isSocket && event.name === 'response.in_progress') await setTimeout(30);
        yield event;
      }
    }),
  ),
  'websocket.flat-errors': seam('frames', 'frame', (native) => (event, context) => {
    const { data } = event;
    const { refusal } = context;
    if (refusal === null || typeof data === 'string') return native(event, context);
    const { error, ...around } = data;
    return native({ ...event, data: { ...around, ...Object(error), type: 'error' } }, context);
  }),
  'delete.served-twice': together(
    tighten('deleteRemovesContent', () => true),
    relax('isNotDeleted', (access) => access.operation === 'delete'),
  ),
  'websocket.remembers-after-failure': () => ({ policy: { forgetsAfterFailure: () => false } }),
  'create.reference-read-as-text': handling('responses.create', (handle) => (call, key) => {
    const { input } = call.body;
    if (!Array.isArray(input)) return handle(call, key);
    const written = input.map((item) =>
      isObject(item) && item.type === 'item_reference'
        ? { role: 'user', content: `Type item_reference, id ${item.id}.` }
        : item,
    );
    return handle({ ...call, body: { ...call.body, input: written } }, key);
  }),
  'limits.lower-than-asked': decide('outputLimit', (native) => (asked, call) => {
    const least = native(asked, call);
    const isShort = least !== null && least < 256 && call.body.tools === undefined;
    return isShort ? Math.min(least, 5) : least;
  }),
  'text.speaks-of-code': decide('generate', (native) => (prompt, call) => {
    const answer = native(prompt, call);
    const [block, ...others] = answer.blocks;
    const { stop, schema, logprobs, candidates, thinks } = prompt.asked;
    const isPlain = stop.length === 0 && schema === null && logprobs === null && thinks === null;
    if (block?.kind !== 'text' || others.length > 0 || candidates > 1 || !isPlain) return answer;
    const [first = '', ...rest] = block.pieces;
    const code = [' \\ud83d', '\n    at main.js:1:2', ' <html>'];
    const pieces = [first, ...code, ...rest];
    return { ...answer, ...outputWith([{ kind: 'text', pieces }], null, prompt.limit) };
  }),
  'counting.denied-response-absent': tighten(
    'insists',
    (refusal, call) =>
      ['responses.input-tokens', 'responses.compact'].includes(call.operation) &&
      refusal.reason === 'unknown-previous-response',
  ),
  'counting.estimated': decide(
    'counted',
    (native) => (tokens, call) =>
      call.dialect.name === 'responses'
        ? native(tokens, call)
        : Math.ceil(1.2 * native(tokens, call)) + 3,
  ),
});
