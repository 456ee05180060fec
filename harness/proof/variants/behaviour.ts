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
import { afterwards, bodies, eachData, handling, streams, together } from '../planting.ts';
import { renumbered } from './responses-stream.ts';
import type { Variant } from './variant.ts';

const day = 24 * 60 * 60 * 1000;

/** A response that has not been started says that it is in progress. */
function started(response: JsonObject): JsonObject {
  return response.status === 'queued' ? { ...response, status: 'in_progress' } : response;
}

/** A recovery after the last event of a run that has ended. */
function isPastTheEnd({ record, startingAfter }: StreamContext): boolean {
  const turn = record?.turn;
  if (!turn || startingAfter === null) return false;
  return turn.finished && startingAfter >= turn.eventsSoFar().length - 1;
}

/** To cancel what has ended by itself is refused. */
export const finishedRefused: Defect['override'] = handling(
  'responses.cancel',
  (handle) => async (call, key) => {
    const before = call.gateway.store.peek(call.params.id ?? '')?.turn?.status;
    const answer = await handle(call, key);
    if (before !== 'completed' && before !== 'incomplete') return answer;
    throw new Refusal('not-cancellable', `Cannot cancel a ${before} response.`);
  },
);

export const behaviourVariants: readonly Variant[] = [
  {
    id: 'background.in-progress-at-once',
    what: 'A background response never waits: it is `in_progress` from the start.',
    override: together(
      bodies('responses.response', started),
      renumbered(() => (event) => (event.name === 'response.queued' ? [] : [event])),
      eachData('responses', (data) =>
        changed(data, 'response', (response) =>
          isObject(response) ? started(response) : response,
        ),
      ),
    ),
  },
  {
    id: 'background.short-ones-at-once',
    what: 'A short background response is `completed` in the first answer.',
    warns: ['background/runs.pending-first'],
    override: decide(
      'runsInBackground',
      (native) => (execution, call) =>
        native(execution, call) &&
        (execution.stream || /\b\d{3,} \p{L}/u.test(JSON.stringify(call.body.input))),
    ),
  },
  {
    id: 'cancel.finished-refused',
    what: 'To cancel a background response that has finished is refused.',
    override: finishedRefused,
  },
  {
    id: 'cancel.answered-before-it-stops',
    what: 'The first cancel is answered with `in_progress`; a lookup shows that the run has stopped.',
    override: (seams) => {
      const asked = new Set<unknown>();
      return bodies('responses.response', (body, { call }) => {
        if (call.operation !== 'responses.cancel' || asked.has(body.id)) return body;
        asked.add(body.id);
        return body.status === 'cancelled' ? { ...body, status: 'in_progress' } : body;
      })(seams);
    },
  },
  {
    id: 'store.foreground-hidden-while-running',
    what: 'A foreground response is not found until it has finished.',
    override: tighten(
      'isStored',
      ({ record: { background, turn } }) => !background && turn?.finished === false,
    ),
  },
  {
    id: 'store.foreground-stops-with-client',
    what: 'A foreground stream is cancelled when its client has gone.',
    override: tighten('outlivesClient', (execution) => !execution.background),
  },
  {
    id: 'store.lookup-leaves-out',
    what: 'A lookup leaves out what the creation said beyond what all sources require.',
    override: bodies('responses.response', (body, { call }) => {
      if (call.operation !== 'responses.lookup') return body;
      const { id, object, created_at, model, status, output } = body;
      return { id, object, created_at, model, status, output };
    }),
  },
  {
    id: 'store.kept-longer',
    what: 'Content is kept a year longer than promised.',
    warns: [
      'storage/responses.gone-after-retention',
      'storage/responses.expired-indirect-access-denied',
    ],
    override: decide('isWithinRetention', (native) => (access) => {
      const { record, call } = access;
      const longer = { ...record, retainedFrom: record.retainedFrom + 365 * day };
      return native({ ...access, record: longer, call });
    }),
  },
  {
    id: 'recover.background-only',
    what: 'Only the stream of a background response can be taken up again.',
    warns: ['interruption/recovery.foreground'],
    override: handling('responses.recover', (handle) => async (call, key) => {
      const answer = await handle(call, key);
      if (answer.record?.background) return answer;
      const message = 'This response cannot be streamed: it was not created with background=true.';
      throw new Refusal('invalid-value', message, 'stream');
    }),
  },
  {
    id: 'recover.nothing-left-204',
    what: 'A stream that has nothing left is answered with 204.',
    override: ({ transport }) => ({
      transport: {
        async stream(out, head, pieces, context) {
          if (!isPastTheEnd(context)) return transport.stream(out, head, pieces, context);
          out.writeHead(204).end();
        },
      },
    }),
  },
  {
    id: 'recover.nothing-left-keepalive',
    what: 'A stream that has nothing left is a `keepalive`.',
    override: afterwards('responses', (context) =>
      isPastTheEnd(context) ? [{ name: 'keepalive', data: { type: 'keepalive' } }] : [],
    ),
  },
  {
    id: 'websocket.unknown-calls-accepted',
    what: 'Over WebSocket, the output of a call that was never made is read like any other.',
    override: tighten(
      'insists',
      (refusal, call) =>
        call.operation === 'responses.websocket' && refusal.reason === 'unknown-tool-call',
    ),
  },
  {
    id: 'websocket.closes-after-error',
    what: 'A connection is closed behind an error frame.',
    override: ({ transport }) => ({
      transport: {
        async frame(socket, text, context) {
          await transport.frame(socket, text, context);
          if (context.refusal !== null) socket.close(1000);
        },
      },
    }),
  },
  {
    id: 'websocket.closes-after-deletion',
    what: 'To delete a response closes the connection that made it.',
    override: (seams) => {
      const madeOn = new Map<string, OpenSocket>();
      return together(
        ({ transport }) => ({
          transport: {
            frame: (socket, text, context) => {
              if (context.record !== null) madeOn.set(context.record.id, socket);
              return transport.frame(socket, text, context);
            },
          },
        }),
        handling('responses.delete', (handle) => async (call, key) => {
          const answer = await handle(call, key);
          madeOn.get(call.params.id ?? '')?.close(1000);
          return answer;
        }),
      )(seams);
    },
  },
  {
    id: 'websocket.busy-refused',
    what: 'A message that comes while a turn is written gets an error frame.',
    override: () => ({ policy: { whileBusy: () => 'refuse' } }),
  },
  {
    id: 'websocket.busy-refused-meanwhile',
    what: 'A message that comes while a turn is written gets an error frame between the events of that one.',
    override: together(
      () => ({ policy: { whileBusy: () => 'refuse-later' } }),
      streams('responses', async function* (events, { call }) {
        // Long enough for the refusal to come between.
        for await (const event of events) {
          const isSocket = call.operation === 'responses.websocket';
          if (isSocket && event.name === 'response.in_progress') await setTimeout(30);
          yield event;
        }
      }),
    ),
  },
  {
    id: 'websocket.flat-errors',
    what: 'An error frame has code and message beside its type.',
    override: ({ frames }) => ({
      frames: {
        frame: (event, context) => {
          const { data } = event;
          const { refusal } = context;
          if (refusal === null || typeof data === 'string') return frames.frame(event, context);
          const { error, ...around } = data;
          return frames.frame(
            { ...event, data: { ...around, ...Object(error), type: 'error' } },
            context,
          );
        },
      },
    }),
  },
  {
    id: 'delete.served-twice',
    what: 'A response that is deleted already can be deleted once more: it stays deleted.',
    override: together(
      tighten('deleteRemovesContent', () => true),
      relax('isNotDeleted', (access) => access.operation === 'delete'),
    ),
  },
  {
    id: 'websocket.remembers-after-failure',
    what: 'A turn that could not be continued can still be continued in another way.',
    warns: ['websocket/connection.failed-continuation-evicted'],
    override: () => ({ policy: { forgetsAfterFailure: () => false } }),
  },
  {
    id: 'create.reference-read-as-text',
    what: 'An item reference is not followed: the model reads the words of the reference itself.',
    override: handling('responses.create', (handle) => (call, key) => {
      const { input } = call.body;
      if (!Array.isArray(input)) return handle(call, key);
      const written = input.map((item) =>
        isObject(item) && item.type === 'item_reference'
          ? { role: 'user', content: `Type item_reference, id ${item.id}.` }
          : item,
      );
      return handle({ ...call, body: { ...call.body, input: written } }, key);
    }),
  },
  {
    id: 'limits.lower-than-asked',
    what: 'A model stops at five tokens, whatever more a request allows; calls are written in full.',
    override: decide('outputLimit', (native) => (asked, call) => {
      const least = native(asked, call);
      const isShort = least !== null && least < 256 && call.body.tools === undefined;
      return isShort ? Math.min(least, 5) : least;
    }),
  },
  {
    id: 'text.speaks-of-code',
    what: 'A model that may say anything speaks of escapes and of errors in programs.',
    override: decide('generate', (native) => (prompt, call) => {
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
  },
  {
    id: 'counting.denied-response-absent',
    what: 'A count or a compaction goes on without a response that is denied or unknown.',
    override: tighten(
      'insists',
      (refusal, call) =>
        ['responses.input-tokens', 'responses.compact'].includes(call.operation) &&
        refusal.reason === 'unknown-previous-response',
    ),
  },
  {
    id: 'counting.estimated',
    what: 'On Messages a count is an estimate, and on generative-content too.',
    override: decide(
      'counted',
      (native) => (tokens, call) =>
        call.dialect.name === 'responses'
          ? native(tokens, call)
          : Math.ceil(1.2 * native(tokens, call)) + 3,
    ),
  },
];
