import { type Exchange, isObject, parsed, type SocketFrame, textAt } from '../core/index.ts';
import { endsResponse, endsTurn } from '../protocols/index.ts';

/** True for a turn that creates a response. Other frames need no answer. */
export function asksForResponse({ socket }: Exchange): boolean {
  const sent = socket?.frames.find(({ from }) => from === 'us');
  return sent !== undefined && frameObject(sent)?.type === 'response.create';
}

interface Turn {
  readonly frames: SocketFrame[];
  readonly creates: boolean;
  /** After an `error` frame, only `response.failed` can still belong to the turn. */
  ended: 'no' | 'by an error' | 'for good';
}

type Conversation = NonNullable<Exchange['socket']>;

const kept = new WeakMap<Exchange, readonly Exchange[]>();

/**
 * Returns the turns of a WebSocket conversation, each as an exchange with the same id: one for each frame that we
 * sent, with the frames of the gateway that answer it. A frame other than `response.create` may have none. An
 * exchange without a socket is a single turn.
 */
export function turnsOf(exchange: Exchange): readonly Exchange[] {
  if (exchange.socket === null) return [exchange];
  let turns = kept.get(exchange);
  if (turns === undefined) {
    turns = split(exchange, exchange.socket);
    kept.set(exchange, turns);
  }
  return turns;
}

function split(exchange: Exchange, { frames, close }: Conversation): readonly Exchange[] {
  // The only turn of a conversation shares the exchange, so that nothing is parsed twice.
  if (frames.findLastIndex(({ from }) => from === 'us') === 0) return [exchange];
  const turns: Turn[] = [];
  for (const frame of frames) {
    if (frame.from === 'us') {
      const creates = frameObject(frame)?.type === 'response.create';
      turns.push({ frames: [frame], creates, ended: 'no' });
    } else {
      take(turns, frame);
    }
  }
  if (turns.length === 0) return [exchange];
  return turns.map((turn, n) => {
    const last = n === turns.length - 1;
    const failure = last ? exchange.failure : null;
    return { ...exchange, failure, socket: { frames: turn.frames, close: last ? close : null } };
  });
}

/** Assigns a frame of the gateway to the turn that it answers. */
function take(turns: readonly Turn[], frame: SocketFrame): void {
  const type = textAt(frameObject(frame), 'type');
  if (goesOn(type)) giveErrorBack(turns);
  const before = turns.findLast((turn) => turn.ended !== 'no');
  if (type === 'response.failed' && before?.ended === 'by an error') {
    before.ended = 'for good';
    before.frames.push(frame);
    return;
  }
  const open = turns.filter((turn) => turn.ended === 'no');
  // A frame before `response.create` that has no answer yet will not get one later.
  const speaks = type === 'error' ? open[0] : open.find((turn) => turn.creates);
  const turn = speaks ?? open[0] ?? turns.at(-1);
  if (turn === undefined) return;
  turn.frames.push(frame);
  if (type === 'error') turn.ended = 'by an error';
  else if (endsResponse(type)) turn.ended = 'for good';
}

/** True for an event of a response that has begun, and has not failed. */
function goesOn(type: string | null): boolean {
  if (type === 'response.created' || type === 'response.failed') return false;
  return type?.startsWith('response.') === true;
}

/**
 * Moves an error to the next turn. A gateway may refuse a turn during another: the error is first assigned to the
 * earlier one, and moved when that one continues.
 */
function giveErrorBack(turns: readonly Turn[]): void {
  const n = turns.findLastIndex(({ ended }) => ended !== 'no');
  const [erred, next] = [turns[n], turns.slice(n + 1).find(({ creates }) => creates)];
  if (erred?.ended !== 'by an error' || next === undefined || next.frames.length > 1) return;
  const error = erred.frames.at(-1);
  if (error === undefined || !erred.frames.some((frame) => isBeginning(frame))) return;
  erred.frames.pop();
  erred.ended = 'no';
  next.frames.push(error);
  next.ended = 'by an error';
}

function isBeginning(frame: SocketFrame): boolean {
  return frame.from !== 'us' && textAt(frameObject(frame), 'type') === 'response.created';
}

function frameObject(frame: SocketFrame): Record<string, unknown> | null {
  const json = parsed(new TextDecoder().decode(frame.data));
  return isObject(json) ? json : null;
}

/** Returns the first frame of another response than the current one, or null. */
export function interleaved({ socket }: Exchange): { id: string; during: string } | null {
  let current: string | null = null;
  for (const frame of socket?.frames ?? []) {
    if (frame.from === 'us') continue;
    const json = frameObject(frame);
    const id = textAt(json, 'response.id');
    if (id !== null) {
      if (current !== null && id !== current) return { id, during: current };
      current = id;
    }
    const type = textAt(json, 'type');
    if (endsTurn(type)) current = null;
  }
  return null;
}
