import type { Defect, Key, OpenSocket, Seams, StreamContext } from '../../reference/index.ts';
import { decide, relax, remembering, tighten } from '../decisions.ts';
import { changed, memberAt } from '../editing.ts';
import {
  eachData,
  eachEvent,
  handling,
  lookedUp,
  responseAt,
  seam,
  together,
} from '../planting.ts';
import type { Fault } from './fault.ts';
import { planted } from './planted.ts';

// Responses protocol over WebSocket.

const operation = 'responses.websocket';

/**
 * Keeps unstored turns for the whole gateway, accessible to one operation.
 *
 * @param fits decides by the state of the connection that created the turn: open or closed. Behaviour on that
 * connection itself stays unchanged.
 */
function shared(
  reached: 'continue' | 'continue-websocket',
  fits: (open: boolean) => boolean,
): Defect['override'] {
  return remembering(
    (call) => call.operation === operation,
    (made) => (seams) => {
      const sockets = new Map<string, OpenSocket>();
      const noted: Defect['override'] = seam(
        'transport',
        'frame',
        (native) => (socket, text, context) => {
          sockets.set(context.call.requestId, socket);
          return native(socket, text, context);
        },
      );
      return together(
        noted,
        relax('keepsContent', (_execution, call) => call.operation === operation),
        relax('isStored', ({ operation: used, record, call }) => {
          const connection = made.get(record.id)?.requestId;
          if (used !== reached || connection === undefined || connection === call.requestId)
            return false;
          const socket = sockets.get(connection);
          return fits(socket !== undefined && socket.readyState === socket.OPEN);
        }),
      )(seams);
    },
  );
}

function frames(
  send: (socket: OpenSocket, text: string, context: StreamContext, native: Seams) => Promise<void>,
): Defect['override'] {
  return (native) => ({
    transport: { frame: (socket, text, context) => send(socket, text, context, native) },
  });
}

function isTerminal(text: string): boolean {
  return /^\{"type":"response\.(completed|incomplete|failed)"/.test(text);
}

export const websocketFaults: readonly Fault[] = planted({
  'websocket.unsupported-breaks': frames(async (socket, text, context, { transport }) => {
    const isLacking = context.refusal?.reason === 'unsupported-capability';
    const frame = isLacking ? text.replace('"status":400', '"status":500') : text;
    await transport.frame(socket, frame, context);
  }),
  'websocket.turn-refused': tighten(
    'supports',
    (_model, _capability, call) => call.operation === operation,
  ),
  'websocket.silent-refusals': frames(async (socket, text, context, { transport }) => {
    if (context.refusal === null) await transport.frame(socket, text, context);
  }),
  'websocket.ping-unanswered': tighten('answersPings', () => true),
  'websocket.closes-mid-turn': frames(async (socket, text, context, { transport }) => {
    await transport.frame(socket, text, context);
    if (context.refusal === null) socket.close(1011);
  }),
  // Without events, no rule for events is violated.
  'websocket.breaks-at-unknown-model': frames(async (socket, text, context, { transport }) => {
    if (context.refusal?.reason === 'unknown-model') socket.close(1011);
    else await transport.frame(socket, text, context);
  }),
  'websocket.not-stored': tighten(
    'keepsContent',
    (_execution, call) => call.operation === operation,
  ),
  'websocket.stored-text-cut': remembering(
    (call) => call.operation === operation,
    (turns) =>
      responseAt(lookedUp, 'stream', (body) =>
        turns.has(String(body.id))
          ? changed(body, 'output.0.content.0.text', (text) => String(text).slice(0, 20))
          : body,
      ),
  ),
  'websocket.forgets': () => ({ policy: { remembersTurn: () => false } }),
  'websocket.history-shared': shared('continue-websocket', (open) => open),
  'websocket.history-outlives-connection': shared('continue-websocket', (open) => !open),
  'websocket.history-over-http': shared('continue', () => true),
  'websocket.numbers-stand-still': eachData('responses', (data, _index, { over, refusal }) =>
    over === 'sse' || refusal !== null ? data : { ...data, sequence_number: 0 },
  ),
  'websocket.binary-frames': frames(async (socket, text) => {
    if (socket.readyState !== socket.OPEN) return;
    await new Promise<void>((sent) => socket.send(Buffer.from(text), () => sent()));
  }),
  'websocket.done-item-missing': eachEvent(
    'responses',
    ({ over }) =>
      (event) =>
        over === 'websocket' && event.name === 'response.output_item.done' ? [] : event,
  ),
  // A second turn that waits gets no answer either.
  'websocket.one-turn-only': frames(async (socket, text, context, { transport }) => {
    await transport.frame(socket, text, context);
    if (isTerminal(text)) socket.close(1000);
  }),
  'websocket.busy-is-silent': {
    limits: { timeoutMs: 4_000 },
    override: (seams) => ({
      ...frames(async (socket, text, context, { transport }) => {
        if (context.refusal?.reason === 'turn-in-progress') return;
        await transport.frame(socket, text, context);
      })(seams),
      policy: { whileBusy: () => 'refuse' },
    }),
  },
  'websocket.deaf-after-bad-frame': {
    limits: { timeoutMs: 4_000 },
    override: (seams) => {
      const deaf = new WeakSet<OpenSocket>();
      return frames(async (socket, text, context, { transport }) => {
        if (context.refusal?.reason === 'malformed-json') deaf.add(socket);
        if (!deaf.has(socket)) await transport.frame(socket, text, context);
      })(seams);
    },
  },
  'websocket.interleaves': () => ({ policy: { whileBusy: () => 'interleave' } }),
  'websocket.history-not-read': decide(
    'history',
    (native) => (previous, call) => (call.operation === operation ? [] : native(previous, call)),
  ),
  'websocket.last-turn-only': decide(
    'history',
    (native) => (previous, call) =>
      call.operation === operation && previous.turn !== null
        ? [...previous.turn.parts.request.input, ...previous.turn.output()]
        : native(previous, call),
  ),
  'websocket.refuses-after-bad-frame': ({ policy }) => {
    const poisoned = new Set<string>();
    return {
      policy: {
        insists: (refusal, call) => {
          if (call.operation === operation && refusal.reason === 'malformed-json') {
            poisoned.add(call.requestId);
          }
          return policy.insists(refusal, call);
        },
        supports: (model, capability, call) =>
          !poisoned.has(call.requestId) && policy.supports(model, capability, call),
      },
    };
  },
  'websocket.broken-turn-stays-busy': ({ policy }) => {
    const busy = new Set<Key>();
    return {
      policy: {
        outlivesClient: (execution, call) => {
          if (call.operation === operation && call.key !== null) busy.add(call.key);
          return policy.outlivesClient(execution, call);
        },
        supports: (model, capability, call) =>
          !(call.operation === operation && call.key !== null && busy.has(call.key)) &&
          policy.supports(model, capability, call),
      },
    };
  },
  'websocket.keeps-failed': tighten(
    'forgetsAfterFailure',
    (_record, call) => memberAt(call.body, 'input.0.type') === 'function_call_output',
  ),
  'websocket.plain-get-lists': handling(operation, () => () => ({
    kind: 'responses.response',
    body: { object: 'list', data: [], has_more: false },
  })),
});
