import { type Exchange, messageOf } from '../../kernel/core/index.ts';
import { ReplayRun, Traffic } from '../../kernel/engine/index.ts';
import { openRecording, type RecordingHeader } from '../../kernel/recordings/index.ts';
import { addPerformed, type Explored, nothingExplored, withoutChance } from './finds.ts';
import { endIn, historyIn, type RecordedEnd, type RecordedHistory } from './history-recorder.ts';
import { judgeOf } from './judge-history.ts';
import { performIn } from './perform-in.ts';

export interface ExploredAgain {
  readonly explored: Explored;
  readonly header: RecordingHeader;
  readonly judged: number;
  /** Recorded end of the exploration; null if the recording has none. */
  readonly end: RecordedEnd | null;
  readonly stale: readonly string[];
}

/** Performs each history again on the recorded answers. @throws {BadRecording} for a file that is none */
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
    let recorded: RecordedHistory | null;
    try {
      end = endIn(part.text) ?? end;
      recorded = historyIn(part.text);
    } catch (error) {
      return part.fail(messageOf(error));
    }
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

/** Performs a recorded history again with a separate clock, because the times of histories are independent. */
function performedAgain(
  { name, steps }: RecordedHistory,
  exchanges: readonly Exchange[],
  { target, seed, runId }: RecordingHeader,
  traffic: Traffic,
) {
  const run = new ReplayRun({ target, seed, runId, exchanges, traffic });
  return performIn(run, name, { steps });
}
