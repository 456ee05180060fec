import { asObject, type Exchange, textAt } from '../../kernel/core/index.ts';
import type { Io } from '../../kernel/engine/index.ts';
import { type Judged, served, turnsOf, undecided } from '../../kernel/judge/index.ts';
import {
  actRequest,
  answerId,
  type CallOptions,
  creations,
  endpoints,
  jsonBody,
  outputItems,
  protocolModules,
} from '../../kernel/protocols/index.ts';
import {
  type Act,
  type ActsOn,
  type Asks,
  actsOf,
  type Creates,
  type History,
  neededBy,
  pauseBefore,
} from './history.ts';
import { askLedger } from './ledger.ts';
import type { ActOutcome } from './oracle.ts';
import { isBroken } from './violation.ts';

export interface Sent extends ActOutcome {
  readonly exchange: Exchange;
  /** Further exchanges that the act took. */
  readonly besides: readonly Exchange[];
  readonly judged: Judged;
  /** Result of the second turn of its connection, or null if it has none. */
  readonly second: Judged | null;
  /** Id of the response that it created, or null if none is known. */
  readonly id: string | null;
  /** Id of a message in the output of that response, or null if none was seen. */
  readonly item: string | null;
  /** Unique words in its input. */
  readonly words: readonly string[];
}

/** Performs a history step by step. Acts whose response was never created are left out. */
export async function perform(io: Io, history: History): Promise<ReadonlyMap<number, Sent>> {
  const words = new Map(actsOf(history).map((act) => [act.n, wordsFor(act, io)] as const));
  const sent = new Map<number, Sent>();
  for (const step of history.steps) {
    const pauseMs = pauseBefore(step);
    if (pauseMs > 0) await io.pause(pauseMs);
    const ended = await Promise.all(
      step.map((act) => performOne(io.lane(`${act.n}`), act, words.get(act.n) ?? [], sent)),
    );
    for (const one of ended) if (one !== null) sent.set(one.act.n, one);
  }
  return sent;
}

function wordsFor(act: Act, io: Io): readonly string[] {
  if (act.kind === 'list' || act.kind === 'ledger') return [];
  return act.kind === 'create' && act.secondTurn === true ? [io.word(), io.word()] : [io.word()];
}

async function performOne(
  io: Io,
  act: Act,
  words: readonly string[],
  sent: ReadonlyMap<number, Sent>,
): Promise<Sent | null> {
  const needed = neededBy(act);
  const on = needed === null ? null : (sent.get(needed) ?? null);
  if (needed !== null && (on === null || on.id === null)) return null;
  const exchanges = await ask(io, act, words, on, sent);
  const [exchange, ...besides] = exchanges;
  if (exchange === undefined) return null;
  return { act, words, exchange, besides, ...answeredAs(act, exchange) };
}

function answeredAs(
  act: Act,
  exchange: Exchange,
): Omit<Sent, 'act' | 'words' | 'exchange' | 'besides'> {
  const turns = act.kind === 'create' && act.secondTurn === true ? turnsOf(exchange) : [exchange];
  const [first = exchange] = turns;
  const last = turns.at(-1) ?? first;
  const judged = judgedOf(act, first);
  // The connection may have been closed before the second turn.
  const second = act.kind === 'create' && act.secondTurn === true ? judgedOf(act, last) : null;
  const isMade = act.kind === 'create' && (second ?? judged).state === 'yes';
  // After a broken connection, the gateway's action is unknown.
  const isUnknown = judged.state === 'undecided' || (judged.state === 'no' && isBroken(exchange));
  const isServed = isUnknown ? null : judged.state === 'yes';
  const { started, ended } = exchange.times;
  return {
    ...{ started, ended, judged, served: isServed },
    second: judged.state === 'yes' && turns.length > 1 ? second : null,
    id: isMade ? idIn(last) : null,
    item: isMade ? messageIn(last) : null,
    over: isServed === true && isOver(act, exchange),
  };
}

function judgedOf(act: Act, exchange: Exchange): Judged {
  const judged = served(exchange, { nothingLeft: true });
  if (act.kind !== 'create' || judged.state !== 'yes' || idIn(exchange) !== null) return judged;
  return undecided('ambiguous', 'it names no id');
}

async function ask(
  io: Io,
  act: Act,
  words: readonly string[],
  on: Sent | null,
  sent: ReadonlyMap<number, Sent>,
): Promise<readonly Exchange[]> {
  switch (act.kind) {
    case 'list':
      return [await io.lists.list(askedBy(act))];
    case 'ledger':
      return askLedger(
        io,
        [...sent.values()].map(({ exchange }) => exchange),
        act,
      );
    case 'ask':
      return [await askOther(io, act, words)];
    case 'create':
      return [await create(io, act, on?.id ?? '', words)];
    case 'act':
      return on === null ? [] : askAbout(io, act, on, words);
  }
}

function askedBy({ actor, region }: Pick<Act, 'actor' | 'region'>): CallOptions {
  return { key: actor, region };
}

/** Sends an act on the response of another act, with the model of that act. */
async function askAbout(
  io: Io,
  { operation, requestMode, ...by }: ActsOn,
  { act: maker, id, item }: Sent,
  words: readonly string[],
): Promise<readonly Exchange[]> {
  // Without a known item there is nothing to refer to.
  if (operation === 'item-reference' && item === null) return [];
  const request = actRequest({ operation, requestMode });
  const on = {
    ...{ id, item },
    ...(maker.kind === 'create' ? { model: maker.model } : {}),
    ...(request.isIndirect ? { input: io.sentence(...words) } : {}),
  };
  return [await request.send(io, on, askedBy(by))];
}

function askOther(io: Io, act: Asks, words: readonly string[]): Promise<Exchange> {
  const { endpoint, model, stream } = act;
  const { protocol } = endpoints[endpoint];
  const streamed = protocol === 'models' ? null : protocolModules[protocol].request.streamCall;
  return io.ask(
    endpoint,
    {
      ...(model === null ? {} : { model }),
      input: io.sentence(...words),
      change: (call) =>
        stream && streamed !== null ? streamed({ ...asObject(call.body) }, model ?? '') : call,
    },
    askedBy(act),
  );
}

/** Minimum output limit of the Responses API. */
const fewTokens = 16;

async function create(
  io: Io,
  act: Creates,
  previous: string,
  [word = '', secondWord = '']: readonly string[],
): Promise<Exchange> {
  const { model, store, mode } = act;
  const goesOn = act.previous === undefined ? {} : { previous_response_id: previous };
  // A short output is enough to judge.
  const max_output_tokens = Math.min(fewTokens, io.target.limits.maxOutputTokens);
  const limited = { model, store, max_output_tokens };
  const body = { ...limited, input: io.sentence(word), ...goesOn };
  return creations[mode].send(io.responses, body, askedBy(act), ({ responseId, ended }) => {
    if (act.secondTurn !== true || responseId === null || ended === null) return null;
    return { ...limited, input: io.sentence(secondWord), previous_response_id: responseId };
  });
}

/** Returns the id of a message in the model's output. */
function messageIn(exchange: Exchange): string | null {
  const message = outputItems(exchange).find((item) => textAt(item, 'type') === 'message');
  return textAt(message, 'id');
}

function idIn(exchange: Exchange): string | null {
  return answerId(exchange) ?? textAt(jsonBody(exchange), 'id');
}

/** True if an answer shows that the run has ended. */
function isOver(act: Act, exchange: Exchange): boolean {
  if (act.kind === 'create') return act.mode !== 'background' || hasEnded(exchange);
  if (act.kind !== 'act') return false;
  if (act.operation === 'recover') return true;
  return act.operation === 'lookup' && hasEnded(exchange);
}

/** True if an answer in one body shows that its run has ended. */
export function hasEnded(exchange: Exchange): boolean {
  const status = textAt(jsonBody(exchange), 'status');
  return status !== null && status !== 'queued' && status !== 'in_progress';
}
