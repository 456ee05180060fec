import type { Exchange } from '../core/exchange.ts';
import type { Io } from '../engine/io.ts';
import { answerId, jsonBody, textAt } from '../judge/index.ts';
import { type Judged, undecided } from '../judge/judged.ts';
import { served } from '../judge/served.ts';
import { type Act, type ActsOn, actsOf, type Creates, type History } from './history.ts';
import type { Came } from './oracle.ts';

/** An act that was sent, and what came of it. */
export interface Sent extends Came {
  readonly exchange: Exchange;
  readonly judged: Judged;
  /** Of the response that it made; null: it made none that we know of. */
  readonly id: string | null;
  /** The word of its own that its input holds; of an act without an input null. */
  readonly word: string | null;
}

/** Performs a history, step by step. Acts whose response was never made are left out. */
export async function perform(io: Io, history: History): Promise<ReadonlyMap<number, Sent>> {
  const words = new Map(
    actsOf(history).map((act) => [act.n, act.kind === 'list' ? null : io.word()] as const),
  );
  const sent = new Map<number, Sent>();
  for (const step of history.steps) {
    const ended = await Promise.all(
      step.map((act) => performOne(io.lane(`${act.n}`), act, words.get(act.n) ?? null, sent)),
    );
    for (const one of ended) if (one !== null) sent.set(one.act.n, one);
  }
  return sent;
}

async function performOne(
  io: Io,
  act: Act,
  word: string | null,
  sent: ReadonlyMap<number, Sent>,
): Promise<Sent | null> {
  const needed = act.kind === 'list' ? undefined : act.kind === 'act' ? act.of : act.previous;
  const id = needed === undefined ? null : (sent.get(needed)?.id ?? null);
  if (needed !== undefined && id === null) return null;
  const exchange = await ask(io, act, id ?? '', word ?? '');
  const { started, ended } = exchange.times;
  const judged = judgedOf(act, exchange);
  const made = act.kind === 'create' && judged.state === 'yes' ? idIn(exchange) : null;
  const isServed = judged.state === 'undecided' ? null : judged.state === 'yes';
  return {
    ...{ act, started, ended, exchange, judged, word, id: made },
    served: isServed,
    over: isServed === true && isOver(act, exchange),
  };
}

function judgedOf(act: Act, exchange: Exchange): Judged {
  const judged = served(exchange, { nothingLeft: true });
  if (act.kind !== 'create' || judged.state !== 'yes' || idIn(exchange) !== null) return judged;
  return undecided('ambiguous', 'it names no id');
}

async function ask(io: Io, act: Act, id: string, word: string): Promise<Exchange> {
  const as = { key: act.actor, region: act.region };
  if (act.kind === 'list') return io.lists.list(as);
  if (act.kind === 'create') return create(io, act, id, word);
  const { responses } = io;
  switch (act.operation) {
    case 'lookup':
      return responses.lookup(id, as);
    case 'input-items':
      return responses.inputItems(id, act.requestMode === 'page' ? { limit: '1' } : {}, as);
    case 'recover':
      return responses.recover(id, act.requestMode === 'after' ? { startingAfter: 0 } : {}, as);
    case 'cancel':
      return responses.cancel(id, as);
    case 'delete':
      return responses.delete(id, as);
    case 'compact':
    case 'input-tokens':
      return named(io, act, id, word);
  }
}

function named(io: Io, act: ActsOn, id: string, word: string): Promise<Exchange> {
  const body = { previous_response_id: id, input: io.sentence(word) };
  const as = { key: act.actor, region: act.region };
  const { responses } = io;
  return act.operation === 'compact'
    ? responses.compact(body, as)
    : responses.inputTokens(body, as);
}

async function create(io: Io, act: Creates, previous: string, word: string): Promise<Exchange> {
  const { responses } = io;
  const { model, store, mode, region } = act;
  const as = { key: act.actor, region };
  const goesOn = act.previous === undefined ? {} : { previous_response_id: previous };
  const body = { model, store, input: io.sentence(word), ...goesOn };
  switch (mode) {
    case 'one-body':
      return responses.create(body, as);
    case 'stream':
      return responses.stream(body, as);
    case 'background':
      return responses.create({ ...body, background: true }, as);
    case 'background-stream':
      return responses.stream({ ...body, background: true }, as);
    case 'websocket': {
      const session = await responses.connect(as);
      if (session.opened) await responses.turn(session, body);
      return session.exchange();
    }
  }
}

function idIn(exchange: Exchange): string | null {
  return answerId(exchange) ?? textAt(jsonBody(exchange), 'id');
}

/** Whether an answer shows that the run has ended. */
function isOver(act: Act, exchange: Exchange): boolean {
  if (act.kind === 'list') return false;
  if (act.kind === 'create') return act.mode !== 'background' || hasEnded(exchange);
  if (act.operation === 'recover') return true;
  return act.operation === 'lookup' && hasEnded(exchange);
}

function hasEnded(exchange: Exchange): boolean {
  const status = textAt(jsonBody(exchange), 'status');
  return status !== null && status !== 'queued' && status !== 'in_progress';
}
