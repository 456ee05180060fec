import type { Defect, Key, OpenSocket, Seams, StreamContext } from '../../reference/index.ts';
import { decide, relax, remembering, tighten } from '../decisions.ts';
import { changed, memberAt } from '../editing.ts';
import { eachData, eachEvent, handling, lookedUp, responseAt, together } from '../planting.ts';
import type { Fault } from './fault.ts';

// The Responses protocol over WebSocket.

const operation = 'responses.websocket';

/**
 * Unstored turns are kept for the whole gateway, and one operation reaches those that fit.
 *
 * @param fits is given whether the connection that made the turn is still open. On that connection
 *   itself nothing changes.
 */
function shared(
  reached: 'continue' | 'continue-websocket',
  fits: (open: boolean) => boolean,
): Defect['override'] {
  return remembering(
    (call) => call.operation === operation,
    (made) => (seams) => {
      const sockets = new Map<string, OpenSocket>();
      const noted: Defect['override'] = ({ transport }) => ({
        transport: {
          frame: (socket, text, context) => {
            sockets.set(context.call.requestId, socket);
            return transport.frame(socket, text, context);
          },
        },
      });
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

/** Replaces how frames are sent. */
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

export const websocketFaults: readonly Fault[] = [
  {
    id: 'websocket.unsupported-breaks',
    what: 'A turn with a model whose channel has no WebSocket gets an error frame with the status 500.',
    breaks: ['access/capabilities.unsupported-refused:websocket'],
    override: frames(async (socket, text, context, { transport }) => {
      const isLacking = context.refusal?.reason === 'unsupported-capability';
      const frame = isLacking ? text.replace('"status":400', '"status":500') : text;
      await transport.frame(socket, frame, context);
    }),
  },
  {
    id: 'websocket.turn-refused',
    what: 'A connection is opened, and every turn on it is refused.',
    breaks: ['websocket/connection.turn-served'],
    override: tighten('supports', (_model, _capability, call) => call.operation === operation),
  },
  {
    id: 'websocket.silent-refusals',
    what: 'A turn that cannot be served gets nothing, and the connection stays open.',
    breaks: ['websocket/connection.refusals-answered'],
    override: frames(async (socket, text, context, { transport }) => {
      if (context.refusal === null) await transport.frame(socket, text, context);
    }),
  },
  {
    id: 'websocket.ping-unanswered',
    what: 'A ping gets no pong.',
    breaks: ['websocket/connection.ping-answered'],
    override: tighten('answersPings', () => true),
  },
  {
    id: 'websocket.closes-mid-turn',
    what: 'A connection is closed after the first event of a turn.',
    breaks: ['websocket/connection.turn-served'],
    override: frames(async (socket, text, context, { transport }) => {
      await transport.frame(socket, text, context);
      if (context.refusal === null) socket.close(1011);
    }),
  },
  {
    id: 'websocket.breaks-at-unknown-model',
    what: 'A turn with an unknown model closes the connection with 1011, without a frame.',
    // No rule for events is broken: there are none.
    breaks: [
      'access/protocols.unknown-model-refused:websocket',
      'access/protocols.further-turns-refused:unknown-model',
    ],
    override: frames(async (socket, text, context, { transport }) => {
      if (context.refusal?.reason === 'unknown-model') socket.close(1011);
      else await transport.frame(socket, text, context);
    }),
  },
  {
    id: 'websocket.not-stored',
    what: 'A turn with `store: true` is not stored.',
    breaks: ['websocket/connection.stored-is-stored'],
    override: tighten('keepsContent', (_execution, call) => call.operation === operation),
  },
  {
    id: 'websocket.stored-text-cut',
    what: 'A lookup of a turn shows the first twenty characters of its text.',
    breaks: ['websocket/connection.stored-is-stored'],
    override: remembering(
      (call) => call.operation === operation,
      (turns) =>
        responseAt(lookedUp, 'stream', (body) =>
          turns.has(String(body.id))
            ? changed(body, 'output.0.content.0.text', (text) => String(text).slice(0, 20))
            : body,
        ),
    ),
  },
  {
    id: 'websocket.forgets',
    what: 'A connection does not keep its latest turn.',
    breaks: ['websocket/connection.history-in-connection'],
    override: () => ({ policy: { remembersTurn: () => false } }),
  },
  {
    id: 'websocket.history-shared',
    what: 'The unstored turns of an open connection can be continued on any other.',
    breaks: ['websocket/connection.history-ends-with-connection:other-connection'],
    override: shared('continue-websocket', (open) => open),
  },
  {
    id: 'websocket.history-outlives-connection',
    what: 'The unstored turns of a connection that was closed can be continued on a new one.',
    breaks: ['websocket/connection.history-ends-with-connection:reconnect'],
    override: shared('continue-websocket', (open) => !open),
  },
  {
    id: 'websocket.history-over-http',
    what: 'The unstored turns of a connection can be continued over HTTP.',
    breaks: ['websocket/connection.history-ends-with-connection:http'],
    override: shared('continue', () => true),
  },
  {
    id: 'websocket.numbers-stand-still',
    what: 'Every event of a turn has the sequence number 0.',
    breaks: ['websocket/connection.event-grammar'],
    override: eachData('responses', (data, _index, { over, refusal }) =>
      over === 'sse' || refusal !== null ? data : { ...data, sequence_number: 0 },
    ),
  },
  {
    id: 'websocket.binary-frames',
    what: 'Events come in binary frames.',
    breaks: ['websocket/connection.event-grammar'],
    override: frames(async (socket, text) => {
      if (socket.readyState !== socket.OPEN) return;
      await new Promise<void>((sent) => socket.send(Buffer.from(text), () => sent()));
    }),
  },
  {
    id: 'websocket.done-item-missing',
    what: 'The finished item is not sent over WebSocket.',
    breaks: ['websocket/connection.event-grammar'],
    override: eachEvent(
      'responses',
      ({ over }) =>
        (event) =>
          over === 'websocket' && event.name === 'response.output_item.done' ? [] : event,
    ),
  },
  {
    id: 'websocket.one-turn-only',
    what: 'A connection is closed after its first turn.',
    // A second turn that waits gets no answer either.
    breaks: ['websocket/connection.sequential-turns', 'websocket/connection.no-interleaving'],
    override: frames(async (socket, text, context, { transport }) => {
      await transport.frame(socket, text, context);
      if (isTerminal(text)) socket.close(1000);
    }),
  },
  {
    id: 'websocket.busy-is-silent',
    what: 'A turn that comes while another one runs gets nothing.',
    breaks: ['websocket/connection.no-interleaving'],
    limits: { timeoutMs: 4_000 },
    override: (seams) => ({
      ...frames(async (socket, text, context, { transport }) => {
        if (context.refusal?.reason === 'turn-in-progress') return;
        await transport.frame(socket, text, context);
      })(seams),
      policy: { whileBusy: () => 'refuse' },
    }),
  },
  {
    id: 'websocket.deaf-after-bad-frame',
    what: 'A connection answers nothing any more once a frame was no JSON.',
    breaks: ['websocket/connection.bad-frame-survived'],
    limits: { timeoutMs: 4_000 },
    override: (seams) => {
      const deaf = new WeakSet<OpenSocket>();
      return frames(async (socket, text, context, { transport }) => {
        if (context.refusal?.reason === 'malformed-json') deaf.add(socket);
        if (!deaf.has(socket)) await transport.frame(socket, text, context);
      })(seams);
    },
  },
  {
    id: 'websocket.interleaves',
    what: 'A turn starts while the turn before it still runs.',
    breaks: ['websocket/connection.no-interleaving'],
    override: () => ({ policy: { whileBusy: () => 'interleave' } }),
  },
  {
    id: 'websocket.history-not-read',
    what: 'A continuation over WebSocket does not read the turns before it.',
    breaks: ['websocket/connection.history-carried'],
    override: decide(
      'history',
      (native) => (previous, call) => (call.operation === operation ? [] : native(previous, call)),
    ),
  },
  {
    id: 'websocket.last-turn-only',
    what: 'A continuation over WebSocket reads the one turn before it, and none before that.',
    breaks: ['websocket/connection.history-carried'],
    override: decide(
      'history',
      (native) => (previous, call) =>
        call.operation === operation && previous.turn !== null
          ? [...previous.turn.parts.request.input, ...previous.turn.output()]
          : native(previous, call),
    ),
  },
  {
    id: 'websocket.refuses-after-bad-frame',
    what: 'After a frame that is no JSON, a connection refuses every turn.',
    breaks: ['websocket/connection.bad-frame-survived'],
    override: ({ policy }) => {
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
  },
  {
    id: 'websocket.broken-turn-stays-busy',
    what: 'After a WebSocket broke in the middle of a turn, its key gets no turn any more: one is still in progress.',
    breaks: ['websocket/connection.broken-turn-survived'],
    override: ({ policy }) => {
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
  },
  {
    id: 'websocket.keeps-failed',
    what: 'An unstored turn is kept although the output of a call that was never made was refused.',
    breaks: ['websocket/connection.failed-continuation-evicted'],
    override: tighten(
      'forgetsAfterFailure',
      (_record, call) => memberAt(call.body, 'input.0.type') === 'function_call_output',
    ),
  },
  {
    id: 'websocket.plain-get-lists',
    what: '`GET /v1/responses` without an upgrade lists responses.',
    breaks: ['websocket/connection.plain-get-refused'],
    override: handling(operation, () => () => ({
      kind: 'responses.response',
      body: { object: 'list', data: [], has_more: false },
    })),
  },
];
