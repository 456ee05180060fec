import {
  assumeServed,
  type Capability,
  contentOf,
  type Exchange,
  ExpectationFailed,
  expectValue,
  Inconclusive,
  type Io,
  json,
  mostPolls,
  NothingToJudge,
  type Scenario,
  scenario,
} from '../../../harness/index.ts';
import { lookupControl } from '../baselines.ts';
import { present } from '../exchanges.ts';
import { clientRequestIdOf, ledgerRecords } from '../metering/ledger-answers.ts';
import {
  durationOf,
  endedByItself,
  endedMeanwhile,
  idOfLongRun,
  longRun,
  longRunLimit,
  notApplicableOnceEnded,
  type Subject,
} from '../stored/stored-responses.ts';
import { endOf } from './interrupted-streams.ts';

/** A response that is deleted or cancelled while it runs and its stream is open. */
interface Stopped extends Subject {
  readonly stream: Exchange;
  /** Lookup of the run just before the stop. */
  readonly before: Exchange;
  /** Answer to the deletion or the cancel. */
  readonly stop: Exchange;
}

type Stop = Pick<Stopped, 'before' | 'stop'>;

const deletedWhileStreaming = stoppedWhileStreaming('running/deleted-while-streaming', 'delete');

/** Deletes by the id in the first event, over a second connection. */
const deletedInForeground = stoppedWhileStreaming('running/deleted-in-foreground', 'delete', false);

const cancelledWhileStreaming = stoppedWhileStreaming(
  'running/cancelled-while-streaming',
  'cancel',
);

export const deletedTwice = stoppedTwice('running/deleted-twice', deletedWhileStreaming, 'delete');

export const deletedTwiceInForeground = stoppedTwice(
  'running/deleted-twice-in-foreground',
  deletedInForeground,
  'delete',
  false,
);

export const cancelledTwiceStreaming = stoppedTwice(
  'running/cancelled-twice',
  cancelledWhileStreaming,
  'cancel',
);

type How = 'cancel' | 'delete';

function stoppedWhileStreaming(name: string, how: How, background = true): Scenario<Stopped> {
  const after = how === 'delete' ? { lookupControl } : {};
  const supports: readonly Capability[] = background
    ? ['background', 'stream:responses']
    : ['stream:responses'];
  return scenario(
    name,
    {
      needs: { model: { speaks: 'responses', supports } },
      after,
      cost: (target) => ({ requests: 3, generations: 1, outputTokens: longRunLimit(target) }),
    },
    (io) => stopWhileStreaming(io, how, background),
  );
}

/** Stops a second, shorter run if the answer to the first stop arrived with the end of the run. */
function stoppedTwice(
  name: string,
  first: Scenario<Stopped>,
  how: How,
  background = true,
): Scenario<StoppedTwice> {
  return scenario(
    name,
    {
      after: { first },
      cost: (target) => ({
        requests: 3,
        generations: 0,
        fallback: 1,
        outputTokens: longRunLimit(target),
      }),
    },
    async (io, { first }) => ({
      first,
      second: isAwaited(first) ? await stopWhileStreaming(io, how, background, 1 / 2) : null,
    }),
  );
}

async function stopWhileStreaming(
  io: Io,
  how: How,
  background: boolean,
  share = 1,
): Promise<Stopped> {
  const secret = io.word();
  let stop: Promise<Stop> | undefined;
  const lane = io.lane(how);
  const stopping = async (id: string): Promise<Stop> => ({
    before: await lane.responses.lookup(id),
    stop: await lane.responses[how](id),
  });
  const stream = await io.responses.stream(
    {
      ...longRun(secret, io, share),
      store: true,
      ...(background ? { background } : {}),
    },
    {
      onFirstEvent(data) {
        const id = json.text(json.parsed(data), 'response.id');
        if (id !== null) stop = stopping(id);
      },
    },
  );
  const id = idOfLongRun(stream);
  // A gateway may show the response id in a later event than the first.
  stop ??= stopping(id);
  return { id, secret, stream, ...(await stop) };
}

/**
 * Judges the open stream of a stopped run: it must not end with `completed`. No source documents how else it ends.
 * All text of a completed stream may have been written before the stop. Text that arrives more than a round trip
 * after the answer to the stop was written after it. The duration of the stop itself proves nothing, because the
 * network may have delayed it.
 *
 * @throws {NothingToJudge} if the run ended within a round trip, or the stream arrived in one piece
 */
export function expectEndedEarly({ stream, before, stop }: Stopped): void {
  if (endOf(stream) !== 'response.completed') return;
  const lastText = lastTextAt(stream);
  if (lastText <= before.times.started) throw new NothingToJudge(cameInOnePiece);
  notApplicableOnceEnded(before);
  const roundTrip = Math.min(durationOf(before), durationOf(stop));
  const wentOn = lastText > stop.times.ended + roundTrip;
  // Text written before the gateway reported the end may still be in transit.
  const saysEnded = endedByItself.includes(contentOf(stop).ending);
  if (saysEnded || (!wentOn && contentOf(stop).ending !== 'cancelled'))
    throw endedMeanwhile(before, stop);
  if (wentOn) assumePrompt([stream, stop], lastText - stop.times.ended);
  assumeServed(stop);
  expectValue(endOf(stream), { as: 'the end of the open stream', of: stream }).toBe(
    'not response.completed',
    (type) => type !== 'response.completed',
  );
}

/** A run whose stop was answered when the run ended, and another run of half its length. */
export interface StoppedTwice {
  readonly first: Stopped;
  /** Null if the first run is decisive. */
  readonly second: Stopped | null;
}

/**
 * Judges two runs of different lengths. A gateway whose answer to the stop arrives with the end of both runs has
 * waited for the end. A stop that the network delayed arrives at a different moment.
 *
 * @throws {Inconclusive} unless both answers arrived with the end
 */
export function expectNotAwaited({ first, second }: StoppedTwice): void {
  const both = second === null ? [] : [first, second];
  if (second === null || !both.every(isAwaited)) throw endedMeanwhile(first.before, first.stop);
  for (const { stream, stop } of both) assumePrompt([stream, stop], together(stop));
  throw new ExpectationFailed(
    'a run that is stopped before it has come to its end',
    `twice, the ${stop(second)} was answered only when the run had come to its end by itself`,
    second.stop,
  );
}

function stop({ stop: { about } }: Stopped): string {
  return about.operation === 'responses.delete' ? 'deletion' : 'cancel';
}

/** True if the answer to the stop arrived with the end of the text, and much later than a lookup would. */
function isAwaited({ stream, before, stop }: Stopped): boolean {
  if (endOf(stream) !== 'response.completed') return false;
  const isLong = durationOf(stop) > 3 * durationOf(before);
  return isLong && Math.abs(stop.times.ended - lastTextAt(stream)) <= together(stop);
}

/**
 * Returns the tolerance in milliseconds for two simultaneous answers: a fifth of the stop's duration. With this
 * tolerance, a constant network delay fits at most one of two run lengths.
 */
function together(stop: Exchange): number {
  return durationOf(stop) / 5;
}

const cameInOnePiece =
  'the whole text had come when the first event was read: what had a name by then had ended';

/** True if the stream shows that its run was stopped, or was not. */
function isDecided(stopped: Stopped): boolean {
  try {
    expectEndedEarly(stopped);
    return true;
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof NothingToJudge) return false;
    return error instanceof ExpectationFailed;
  }
}

/** A run that was deleted while no client read its stream, and the ledger's answers from then on. */
export interface DeletedUnstreamed {
  readonly created: Exchange;
  readonly before: Exchange;
  readonly deletion: Exchange;
  /** One answer of each address per look. */
  readonly looks: readonly (readonly Exchange[])[];
}

/**
 * Deletes another run that shows its id at once, if the stream of a deleted run does not show that it was stopped,
 * because a proxy buffers it or the time was too short. Null if the stream is decisive, or without a ledger, which
 * alone shows the outcome of a deleted run.
 */
export const deletedUnstreamed = scenario(
  'running/deleted-unstreamed',
  {
    after: { streamed: deletedWhileStreaming },
    cost: (target) => {
      const looks = target.probes.ledger.length;
      if (looks === 0) return { requests: 0, generations: 0 };
      return {
        requests: 3 + looks * mostPolls(target),
        spare: 3 + looks * mostPolls(target),
        generations: 0,
        fallback: 1,
        outputTokens: longRunLimit(target),
      };
    },
  },
  async (io, { streamed }): Promise<DeletedUnstreamed | null> => {
    const { responses, probes, target, word, poll } = io;
    if (target.probes.ledger.length === 0 || isDecided(streamed)) return null;
    const created = await responses.create({
      ...longRun(word(), io),
      store: true,
      background: true,
    });
    const id = idOfLongRun(created);
    const before = await responses.lookup(id);
    const deletion = await responses.delete(id);
    const looks: Exchange[][] = [];
    await poll(
      async () => {
        const answers = await probes.ledger([clientRequestIdOf(created)]);
        looks.push(answers);
        return present(answers[0], 'answer of the ledger');
      },
      () => !goesOn(present(looks.at(-1), 'look at the ledger')),
    );
    return { created, before, deletion, looks };
  },
);

/** Ledger statuses of a run that has ended. */
const endedInLedger = ['completed', 'incomplete', 'cancelled', 'failed'];

function goesOn(look: readonly Exchange[]): boolean {
  try {
    const records = ledgerRecords(look);
    return records.length > 0 && !records.some(({ status }) => endedInLedger.includes(status));
  } catch (error) {
    if (error instanceof Inconclusive) return false;
    throw error;
  }
}

/**
 * Judges by the ledger that a deleted run stopped: it must not reach `completed` after the answer to its deletion.
 *
 * @throws {NothingToJudge} if the ledger shows a run only after its end
 */
export function expectStoppedByLedger({ before, deletion, looks }: DeletedUnstreamed): void {
  notApplicableOnceEnded(before);
  const [first = [], last = first] = [looks[0], looks.at(-1)];
  const shown = (look: readonly Exchange[]) => ledgerRecords(look).map(({ status }) => status);
  if (!goesOn(first)) {
    if (shown(first).includes('completed')) throw endedMeanwhile(before, deletion);
    if (shown(first).includes('cancelled')) return;
    throw new NothingToJudge('the ledger shows a run only when it has ended');
  }
  if (goesOn(last)) {
    throw new Inconclusive('the ledger had not shown the end of the run when patience ended', last);
  }
  expectValue(shown(last), { as: 'status in the ledger', of: last[0] ?? deletion }).toBe(
    'not completed, after the deletion of a run that went on',
    (statuses) => !(Array.isArray(statuses) && statuses.includes('completed')),
  );
}

/** Returns the arrival time of the last chunk with text, in milliseconds since the start of the run. */
function lastTextAt({ response }: Exchange): number {
  const { chunks = [], body } = response ?? {};
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, { at, end }] of chunks.entries()) {
    const piece = new TextDecoder().decode(body?.subarray(chunks[index - 1]?.end ?? 0, end));
    if (piece.includes('response.output_text.delta')) latest = at;
  }
  return latest;
}

/**
 * Makes a judgement on times inconclusive if the event loop of this process stalled for longer than the margin,
 * because answers then seem to have arrived later than they did.
 *
 * @param marginMs milliseconds by which the times have to differ
 * @throws {Inconclusive} with the cause `local-resources`
 */
function assumePrompt(exchanges: readonly Exchange[], marginMs: number): void {
  for (const exchange of exchanges) {
    const { stalledMs = 0 } = exchange.times;
    if (stalledMs <= marginMs) continue;
    const reason =
      `this machine was too busy to tell when answers came: nothing was read for ${stalledMs} ms, ` +
      `and the times differ by ${Math.round(marginMs)} ms`;
    throw new Inconclusive(reason, exchange, 'local-resources');
  }
}
