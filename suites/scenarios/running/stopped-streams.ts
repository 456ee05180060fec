import {
  assumeServed,
  type Capability,
  clientRequestIdOf,
  type Exchange,
  ExpectationFailed,
  ending,
  expectValue,
  Inconclusive,
  isLost,
  ledgerRecords,
  lostBecause,
  mostPolls,
  NothingToJudge,
  outcome,
  parsed,
  present,
  responsesFindings,
  type Scenario,
  scenario,
  type Target,
  textAt,
} from '../../../harness/index.ts';
import { lookupControl } from '../baselines.ts';
import type { Subject } from '../stored/stored-responses.ts';
import {
  durationOf,
  endedByItself,
  endedMeanwhile,
  idOfLongRun,
  longRun,
  longRunLimit,
  notApplicableOnceEnded,
} from './long-runs.ts';

/** A response that is deleted or cancelled while it runs and its stream is open. */
export interface Stopped extends Subject {
  readonly stream: Exchange;
  /** The run, looked up just before. */
  readonly before: Exchange;
  /** What the deletion or the cancel was answered. */
  readonly stop: Exchange;
}

type Stop = Pick<Stopped, 'before' | 'stop'>;

export const deletedWhileStreaming = stoppedWhileStreaming(
  'running/deleted-while-streaming',
  'delete',
);

/** By the id of its first event, over a second connection. */
export const deletedInForeground = stoppedWhileStreaming(
  'running/deleted-in-foreground',
  'delete',
  false,
);

export const cancelledWhileStreaming = stoppedWhileStreaming(
  'running/cancelled-while-streaming',
  'cancel',
);

function stoppedWhileStreaming(
  name: string,
  how: 'cancel' | 'delete',
  background = true,
): Scenario<Stopped> {
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
    async (io) => {
      const secret = io.word();
      let stop: Promise<Stop> | undefined;
      const lane = io.lane(how);
      const stopping = async (id: string): Promise<Stop> => ({
        before: await lane.responses.lookup(id),
        stop: await lane.responses[how](id),
      });
      const stream = await io.responses.stream(
        {
          ...longRun(secret, io),
          store: true,
          ...(background ? { background } : {}),
        },
        {
          onFirstEvent(data) {
            const id = textAt(parsed(data), 'response.id');
            if (id !== null) stop = stopping(id);
          },
        },
      );
      const id = idOfLongRun(stream);
      // A gateway may name the response no earlier than with a later event.
      stop ??= stopping(id);
      return { id, secret, stream, ...(await stop) };
    },
  );
}

/** The last event of the open stream of a run that was stopped. @throws {Inconclusive} without one */
export function endOf(stream: Exchange): string | null {
  const findings = responsesFindings(stream);
  if (isLost(stream.failure)) {
    throw new Inconclusive(`the open stream was not seen to its end${lostBecause(stream)}`, stream);
  }
  if (findings === null) {
    throw new Inconclusive(`there was no stream to be ended, but ${outcome(stream)}`, stream);
  }
  return findings.terminal;
}

/**
 * Judges the open stream of a run that was stopped: it does not say `completed`. How else it ends is documented
 * nowhere. Where it says so, all of its text may have been written before: what is read later than a way to the
 * gateway and back after the stop was answered was not. A stop that is answered only when the run is over has
 * stopped nothing, where the run wrote on for as long as a gateway may take to know of it.
 *
 * @throws {NothingToJudge} when it had ended within a round trip, or comes in one piece
 */
export function expectEndedEarly(
  { stream, before, stop }: Stopped,
  { limits }: Pick<Target, 'limits'>,
): void {
  if (endOf(stream) !== 'response.completed') return;
  const lastText = lastTextAt(stream);
  if (lastText <= before.times.started) throw new NothingToJudge(cameInOnePiece);
  notApplicableOnceEnded(before);
  const roundTrip = Math.min(durationOf(before), durationOf(stop));
  const wentOn = lastText > stop.times.ended + roundTrip;
  const wroteOnMeanwhile =
    lastText > stop.times.started + durationOf(before) + limits.consistencyMs;
  // What had been written when the gateway says that the run has ended may still be on its way.
  const saysEnded = endedByItself.includes(ending(stop));
  const isOpen = saysEnded || (!wentOn && ending(stop) !== 'cancelled');
  if (isOpen && !wroteOnMeanwhile) throw endedMeanwhile(before, stop);
  assumeServed(stop);
  expectValue(endOf(stream), { as: 'the end of the open stream', of: stream }).toBe(
    'not response.completed',
    (type) => type !== 'response.completed',
  );
}

const cameInOnePiece =
  'the whole text had come when the first event was read: what had a name by then had ended';

/** Whether a stream shows if its run was stopped. */
function isDecided(stopped: Stopped, target: Target): boolean {
  try {
    expectEndedEarly(stopped, target);
    return true;
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof NothingToJudge) return false;
    return error instanceof ExpectationFailed;
  }
}

/** A run that was deleted while nobody read its stream, and what the ledger said of it from then on. */
export interface DeletedUnstreamed {
  readonly created: Exchange;
  readonly before: Exchange;
  readonly deletion: Exchange;
  /** One answer of each address at a time. */
  readonly looks: readonly (readonly Exchange[])[];
}

/**
 * Where the stream of a deleted run does not show whether it was stopped, because a proxy holds it back or the
 * time was too short: another run, which has its id at once. Null where the stream decides, and without a ledger,
 * which alone shows what becomes of a deleted run.
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
        generations: 0,
        fallback: 1,
        outputTokens: longRunLimit(target),
      };
    },
  },
  async (io, { streamed }): Promise<DeletedUnstreamed | null> => {
    const { responses, probes, target, word, poll } = io;
    if (target.probes.ledger.length === 0 || isDecided(streamed, target)) return null;
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

/** Statuses of a run that has ended, in a ledger. */
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
 * Judges by the ledger: a run that went on when its deletion had been answered does not come to `completed`.
 *
 * @throws {NothingToJudge} where the ledger shows a run only when it has ended
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

/** When the last piece with a fragment of text came; in milliseconds since the start of the run. */
function lastTextAt({ response }: Exchange): number {
  const { chunks = [], body } = response ?? {};
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, { at, end }] of chunks.entries()) {
    const piece = new TextDecoder().decode(body?.subarray(chunks[index - 1]?.end ?? 0, end));
    if (piece.includes('response.output_text.delta')) latest = at;
  }
  return latest;
}
