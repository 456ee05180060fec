import {
  type Capability,
  type Exchange,
  expectValue,
  Inconclusive,
  isLost,
  lostBecause,
  outcome,
  parsed,
  responsesFindings,
  type Scenario,
  scenario,
  textAt,
} from '../../../harness/index.ts';
import { lookupControl } from '../baselines.ts';
import type { Subject } from '../stored/stored-responses.ts';
import { endedTooSoon, idOfLongRun, longRun, longRunLimit } from './long-runs.ts';

/** A response that is deleted or cancelled while it runs and its stream is open. */
export interface Stopped extends Subject {
  readonly stream: Exchange;
  /** What the deletion or the cancel was answered. */
  readonly stop: Exchange;
}

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
      cost: (target) => ({ requests: 2, generations: 1, outputTokens: longRunLimit(target) }),
    },
    async (io) => {
      const secret = io.word();
      let stop: Promise<Exchange> | undefined;
      const stream = await io.responses.stream(
        {
          ...longRun(secret, io.target),
          store: true,
          ...(background ? { background } : {}),
        },
        {
          onFirstEvent(data) {
            const id = textAt(parsed(data), 'response.id');
            if (id !== null) stop = io.lane(how).responses[how](id);
          },
        },
      );
      const id = idOfLongRun(stream);
      // A gateway may name the response no earlier than with a later event.
      stop ??= io.lane(how).responses[how](id);
      return { id, secret, stream, stop: await stop };
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
 * Judges the open stream of a run that was stopped; how else it ends is documented nowhere. That a
 * stream says `completed` shows that the run was not stopped only where text came later than the stop
 * was answered and a way to the gateway and back takes: else it may have ended before, and was read on.
 */
export function expectEndedEarly(stream: Exchange, stop: Exchange): void {
  const end = endOf(stream);
  const { started, ended } = stop.times;
  if (end === 'response.completed' && lastTextAt(stream) <= ended + (ended - started)) {
    throw new Inconclusive(endedTooSoon, stream);
  }
  expectValue(end, { as: 'the end of the open stream', of: stream }).toBe(
    'not response.completed',
    (type) => type !== 'response.completed',
  );
}

/**
 * Whether a stream was held back until its run had ended, so that nobody could name the response before. Its
 * events come together then, in the last tenth of the time that the answer took.
 */
export function isHeldBack(stream: Exchange): boolean {
  const { times, response } = stream;
  const first = response?.chunks[0]?.at ?? times.ended;
  const isLate = first - times.started > 0.9 * (lastTextAt(stream) - times.started);
  return isLate && endOf(stream) === 'response.completed';
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
