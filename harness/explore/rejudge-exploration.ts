import type { Exchange } from '../core/index.ts';
import { openRecording, type RecordingHeader, ReplayRun, Traffic } from '../engine/index.ts';

import { addPerformed, type Explored, nothingExplored, withoutChance } from './finds.ts';
import { endIn, historyIn, type RecordedEnd, type RecordedHistory } from './history-recorder.ts';
import { judgeOf } from './judge-history.ts';
import { performIn } from './perform-in.ts';

/** What judging a recorded exploration again came to. */
export interface ExploredAgain {
  readonly explored: Explored;
  readonly header: RecordingHeader;
  /** Histories that were judged again, those for shortening included. */
  readonly judged: number;
  /** What the recording says of its end; null: it was ended before. */
  readonly end: RecordedEnd | null;
  /** Why histories could not be judged again, each: this build asks for something else, or something is missing. */
  readonly stale: readonly string[];
}

/**
 * Judges a recorded exploration again, without the gateway: each history is performed once more on what was
 * answered then.
 *
 * @throws {BadRecording} when it is none
 */
export async function exploredAgain(path: string): Promise<ExploredAgain> {
  const { header, parts } = openRecording(path);
  const judge = await judgeOf(header.target);
  const { seed } = header;
  const explored = nothingExplored(seed);
  let end: RecordedEnd | null = null;
  let judged = 0;
  const stale: string[] = [];
  let exchanges: Exchange[] = [];
  for (const part of parts) {
    if (part.kind === 'exchange') exchanges.push(part.exchange);
    if (part.kind !== 'line') continue;
    end = endIn(part.text) ?? end;
    const recorded = historyIn(part.text);
    if (recorded === null) continue;
    const traffic = new Traffic();
    try {
      const sent = await performedAgain(recorded, exchanges, header, traffic);
      addPerformed(explored, {
        ...recorded,
        history: recorded,
        ...{ sent, violations: judge.violationsIn(sent) },
      });
      judged++;
    } catch (error) {
      stale.push(`${recorded.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    explored.generations += traffic.generations;
    explored.requests += traffic.requests;
    exchanges = [];
  }
  withoutChance(explored);
  return { explored, header, judged, end, stale };
}

/** On a clock of its own: the times of one history say nothing of another. */
function performedAgain(
  { name, steps }: RecordedHistory,
  exchanges: readonly Exchange[],
  { target, seed, runId }: RecordingHeader,
  traffic: Traffic,
) {
  const run = new ReplayRun({ target, seed, runId, exchanges, traffic });
  return performIn(run, name, { steps });
}
