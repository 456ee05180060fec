import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Call,
  type Context,
  type Defect,
  type Head,
  isObject,
  outputWith,
  Refusal,
  type RefusalReason,
  type Seams,
  type StreamEvent,
  thinkingFirst,
} from '../../reference/index.ts';
import type { ScriptedAnswer, ScriptedLookup } from '../sessions/index.ts';
import { framed, withUnknown } from './framing.ts';
import { isFurther, withFurther, withFurtherEvents } from './further-content.ts';
import type { Stage } from './stage.ts';

/** Operations of the reference that generate. */
const generations: ReadonlySet<string> = new Set([
  'responses.create',
  'chat-completions.create',
  'messages.create',
  'generative.generate',
  'generative.stream',
  'systemone.create',
  'responses.websocket',
]);

/** Call of a function that the client did not offer. */
const noText = { kind: 'call', name: 'look_up', pieces: ['{"words":', '"not a text"}'] } as const;

/** Characters of each class that a segment of a path has to encode. */
export const oddEnd = '/a?b#c: d+e%41&é=@';

interface Staging {
  /** Returns the stage of a call, or null if it has none. */
  readonly stageOf: (call: Call) => Stage | null;
  /** Target of a redirect: an address that the client is never given, under another name of this machine. */
  readonly elsewhere: (stage: Stage) => string;
  /** Milliseconds of silence, where a script requires it, before the connection is closed. */
  readonly holdMs: number;
  readonly closing: AbortSignal;
  /** Listed model in addition to which every other is accepted. Null accepts only the model of the stage. */
  readonly anyModel: string | null;
  /** Called with each created id. */
  readonly made: (id: string, call: Call) => void;
}

/** Overrides of the reference gateway that apply scripts to its answers. */
export function scripted(staging: Staging): Defect {
  const { stageOf } = staging;
  return {
    id: 'scripted',
    what: 'It does what the scripts of the clients say.',
    override: (seams) => ({
      policy: {
        // Credentials of a client are judged and not refused, so that one mistake does not hide all others.
        credential: () => 'shown',
        keyFor: () => ({ role: 'owner', secret: 'shown', user: 'client' }),
        versionAccepted: () => true,
        insists: (refusal, call) => !isLimit(refusal) && seams.policy.insists(refusal, call),
        findModel(id, call) {
          const stage = stageOf(call);
          const [first] = call.gateway.models;
          const isTaken = stage?.model === id || staging.anyModel !== null;
          if (first !== undefined && isTaken) return { ...first, id };
          return seams.policy.findModel(id, call);
        },
        generate(prompt, call) {
          const own = seams.policy.generate(prompt, call);
          const { beside, truncated } = stageOf(call)?.script ?? {};
          if (truncated === true) return { ...own, ...outputWith(own.blocks, null, 4) };
          if (beside === 'thoughts')
            return thinkingFirst(own, ['this', ' is', ' no', ' text'], null);
          return beside === 'calls' ? { ...own, blocks: [noText, ...own.blocks] } : own;
        },
        listedModels(key, call) {
          const stage = stageOf(call);
          const [first] = call.gateway.models;
          const name = staging.anyModel ?? stage?.model ?? null;
          const own = name === null || first === undefined ? [] : [{ ...first, id: name }];
          return [...own, ...seams.policy.listedModels(key, call)];
        },
      },
      encode: {
        body(kind, body, context) {
          const own = seams.encode.body(kind, body, context);
          const { beside } = stageOf(context.call)?.script ?? {};
          return isFurther(beside) ? withFurther(kind, own, beside) : own;
        },
        id(prefix, call) {
          const own = seams.encode.id(prefix, call);
          const id = stageOf(call)?.script.odd === true ? `${own}${oddEnd}` : own;
          staging.made(id, call);
          return id;
        },
      },
      frames: framesOf(seams, stageOf),
      transport: transportOf(seams, staging),
    }),
  };
}

/** True for refusals of a missing limit, because a check judges the limit. */
function isLimit({ reason, param }: Refusal): boolean {
  return reason === 'missing-parameter' && /max/i.test(param ?? '');
}

function framesOf(seams: Seams, stageOf: (call: Call) => Stage | null): Partial<Seams['frames']> {
  const names = ['responses', 'chat-completions', 'messages', 'generative'] as const;
  const unknownIn = (name: (typeof names)[number]): Seams['frames'][typeof name] => {
    return (events, context) => {
      const { framing, beside } = stageOf(context.call)?.script ?? {};
      const native = seams.frames[name](events, context);
      const own = isFurther(beside) ? withFurtherEvents[name](native, beside) : native;
      if (framing !== 'unknown' && framing !== 'lookalike') return own;
      return withUnknown(own, name, framing === 'lookalike');
    };
  };
  return Object.fromEntries(names.map((name) => [name, unknownIn(name)]));
}

function transportOf(seams: Seams, staging: Staging): Partial<Seams['transport']> {
  const { stageOf } = staging;
  const { send, stream, frame } = seams.transport;
  return {
    frame: framesOfTurns(frame, staging),
    async send(out, head, body, context) {
      const stage = stageOf(context.call);
      const answer = nextLookup(stage, context) ?? next(stage, context, staging);
      if (stage === null || answer === null || 'events' in answer) {
        return send(out, head, body, context);
      }
      stage.met = true;
      if ('state' in answer) return send(out, head, inState(answer.state, body), context);
      if (answer.kind === 'cut-body') return cutBody(out, head, body);
      return instead(answer, out, context, { ...staging, stage });
    },
    async stream(out, head, pieces, context) {
      const stage = stageOf(context.call);
      const { framing } = stage?.script ?? {};
      const answer = next(stage, context, staging);
      if (stage !== null && answer !== null && answer.kind !== 'cut-body') {
        stage.met = true;
        if ('events' in answer) return someEvents(answer, out, { head, pieces, context, staging });
        return instead(answer, out, context, { ...staging, stage });
      }
      if (framing === undefined || context.refusal !== null) {
        return stream(out, head, pieces, context);
      }
      return writeAll(out, head, framed(pieces, framing));
    },
  };
}

/** Returns the scripted answer for this call, or null if there is none. */
function next(
  stage: Stage | null,
  { call, refusal }: Context,
  { anyModel }: Staging,
): Exclude<ScriptedAnswer, { readonly kind: 'refused' }> | null {
  if (stage === null || refusal !== null) return null;
  const { answer, lookups, recovery, skips = 0 } = stage.script;
  const isAgain = (one: ScriptedAnswer): boolean => one.kind === 'status' && one.always === true;
  if (call.operation === 'responses.recover') {
    if (recovery === undefined || recovery.kind === 'refused') return null;
    return stage.recoveries++ === 0 || isAgain(recovery) ? recovery : null;
  }
  // A script without an answer is about the form and the content of every answer.
  if ((answer ?? lookups ?? recovery) === undefined) stage.met = true;
  if (answer === undefined || (stage.met && !isAgain(answer))) return null;
  // A refused connection never gets here.
  if (answer.kind === 'refused' || !generations.has(call.operation)) return null;
  // A client may send another request first, such as one for a title. A gateway is only sent the prompt.
  if (anyModel === null && !isOfTask(call, stage)) return null;
  return stage.skipped++ < skips ? null : answer;
}

/** True for a generation of the prompt; where the task is to store it, for one that may be stored. */
function isOfTask({ body }: Call, { word, stores }: Stage): boolean {
  if (!JSON.stringify(body).includes(word)) return false;
  return !stores || !isObject(body) || body.store !== false || body.background === true;
}

/** Returns the scripted answer for a lookup of a response, or null if there is none. */
function nextLookup(stage: Stage | null, { call, refusal }: Context): ScriptedLookup | null {
  const lookups = stage?.script.lookups ?? [];
  if (stage === null || refusal !== null || call.operation !== 'responses.lookup') return null;
  return lookups[Math.min(stage.lookups++, lookups.length - 1)] ?? null;
}

/** Returns the response with another status. */
function inState(state: string, body: string): string {
  const response: unknown = JSON.parse(body);
  const error = state === 'failed' ? { code: 'server_error', message: 'The model failed.' } : null;
  const ended = { output: [], completed_at: null, usage: null };
  const other = state === 'completed' ? {} : { ...ended, error };
  return JSON.stringify({ ...Object(response), ...other, status: state });
}

/** Reasons by status. Any other status is a failure of the gateway. */
const reasons: Readonly<Record<number, RefusalReason>> = {
  400: 'invalid-value',
  401: 'unknown-key',
  404: 'unknown-model',
};

type InPlace = Exclude<
  ScriptedAnswer,
  { readonly events: number } | { readonly kind: 'cut-body' | 'refused' }
>;

/** Sends a scripted answer instead of the regular one. */
async function instead(
  answer: InPlace,
  out: ServerResponse,
  { call }: Context,
  { stage, ...staging }: Staging & { readonly stage: Stage },
): Promise<void> {
  switch (answer.kind) {
    case 'reset':
      out.socket?.resetAndDestroy();
      return;
    case 'no-answer':
      await held(staging, out);
      out.socket?.destroy();
      return;
    case 'redirect': {
      const location = `${staging.elsewhere(stage)}${call.path}${queryOf(call)}`;
      out.writeHead(answer.status, { location, 'content-length': '0' }).end();
      return;
    }
    case 'status': {
      const { status, retryAfter, html } = answer;
      const refusal = new Refusal(
        reasons[status] ?? 'internal-error',
        `${STATUS_CODES[status] ?? status}. The gateway says so on purpose.`,
      );
      const body =
        html === true
          ? `<html><head><title>${status}</title></head><body><h1>${status} Bad Gateway</h1></body></html>`
          : JSON.stringify(call.dialect.error(refusal, status, call));
      out
        .writeHead(status, {
          'content-type': html === true ? 'text/html' : 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
        })
        .end(body);
    }
  }
}

function queryOf({ query }: Call): string {
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

async function cutBody(out: ServerResponse, head: Head, body: string): Promise<void> {
  const bytes = Buffer.from(body);
  out.writeHead(head.status, { ...head.headers, 'content-length': String(bytes.length) });
  await written(out, bytes.subarray(0, Math.floor(bytes.length / 2)));
  out.socket?.destroy();
}

interface Streaming {
  readonly head: Head;
  readonly pieces: AsyncIterable<string>;
  readonly context: Context;
  readonly staging: Staging;
}

/** Sends the beginning of a stream, and its scripted continuation. */
async function someEvents(
  answer: Extract<ScriptedAnswer, { readonly events: number }>,
  out: ServerResponse,
  { head, pieces, context: { call }, staging }: Streaming,
): Promise<void> {
  out.writeHead(head.status, head.headers);
  let count = 0;
  let first = '';
  for await (const piece of pieces) {
    if (out.destroyed) return;
    first ||= piece;
    await written(out, piece);
    if (++count >= answer.events) break;
  }
  if (answer.kind === 'stall') await held(staging, out);
  const data = /^data: (.*)$/m.exec(first)?.[1] ?? '{}';
  const event = lastEvent(answer, data, count, call);
  const context = { call, record: null, refusal: null, over: 'sse', startingAfter: null } as const;
  if (event !== null) out.end(call.gateway.seams.frames.serialize(event, context));
  else if (answer.kind === 'ends-early') out.end();
  else out.socket?.destroy();
}

/** Returns the event that ends a stream in which something fails. Null: nothing more comes. */
function lastEvent(
  { kind }: ScriptedAnswer,
  first: string,
  count: number,
  call: Call,
): StreamEvent | null {
  if (kind === 'error-in-stream') {
    const refusal = new Refusal('internal-error', 'The model failed in the middle of its answer.');
    return numbered(call.dialect.errorEvent(refusal, 500, call), count);
  }
  if (kind !== 'failed-in-stream') return null;
  const { response } = JSON.parse(first);
  const failed = JSON.parse(inState('failed', JSON.stringify(response)));
  const type = 'response.failed';
  return { name: type, data: { type, sequence_number: count, response: failed } };
}

/** Sends the frames of each turn over a WebSocket, and what its script says. Each turn is a call. */
function framesOfTurns(
  frame: Seams['transport']['frame'],
  staging: Staging,
): Seams['transport']['frame'] {
  const turns = new WeakMap<
    Call,
    { answer: ReturnType<typeof next>; first: string; sent: number }
  >();
  return async (socket, text, context) => {
    const { call } = context;
    const stage = staging.stageOf(call);
    const turn = turns.get(call) ?? { answer: next(stage, context, staging), first: text, sent: 0 };
    turns.set(call, turn);
    const { answer, first } = turn;
    const count = turn.sent++;
    if (stage === null || answer === null) return frame(socket, text, context);
    stage.met = true;
    const most = 'events' in answer ? answer.events : 0;
    if (count < most) {
      await frame(socket, text, context);
      const isWhole = JSON.parse(text).type === 'response.completed';
      if (answer.kind === 'hang-up' && isWhole) socket.terminate();
      return;
    }
    if (count > most) return;
    if (answer.kind === 'stall') await held(staging, socket);
    const event = lastEvent(answer, first, count, call);
    const status = answer.kind === 'error-in-stream' ? { status: 500 } : {};
    if (event !== null)
      return frame(socket, JSON.stringify({ ...status, ...Object(event.data) }), context);
    if (answer.kind === 'ends-early') socket.close(1000);
    else socket.terminate();
  };
}

/** Returns an event with its number in the stream, where its protocol has numbers. */
function numbered(event: StreamEvent, number: number): StreamEvent {
  const { data } = event;
  if (typeof data === 'string' || data.sequence_number === undefined) return event;
  return { ...event, data: { ...data, sequence_number: number } };
}

async function writeAll(
  out: ServerResponse,
  head: Head,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  out.writeHead(head.status, head.headers);
  out.flushHeaders();
  for await (const piece of pieces) {
    if (out.destroyed) return;
    await written(out, piece);
  }
  out.end();
}

/** Resolves when the piece is sent, or the connection is closed. */
function written(out: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    out.write(piece, () => resolve());
  });
}

/** Waits until the time has elapsed, the client has disconnected, or the gateway closes. */
async function held(
  { closing, holdMs }: Staging,
  out: { on(event: 'close', left: () => void): unknown },
): Promise<void> {
  const left = new AbortController();
  out.on('close', () => left.abort());
  const signal = AbortSignal.any([closing, left.signal]);
  await delay(holdMs, undefined, { signal }).catch(() => undefined);
}
