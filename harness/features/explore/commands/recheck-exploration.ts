import type { ExplorationFiles } from '../../../kernel/cli/index.ts';
import { counted, printable } from '../../../kernel/report/index.ts';
import type { Terminal } from '../../../kernel/terminal/index.ts';
import { type ExploredAgain, exploredAgain } from '../index.ts';
import { deliverExploration } from './deliver.ts';

/** Judges a recorded exploration again. Returns the exit code. */
export async function recheckExploration(
  recording: string,
  files: ExplorationFiles,
  colour: boolean,
  terminal: Terminal,
): Promise<number> {
  const again = await exploredAgain(recording);
  const { explored, header, end } = again;
  const { target, startedAt } = header;
  // The report shows the duration of the exploration, not of the repeated judgement.
  const durationMs = end?.durationMs ?? null;
  const how = { target, startedAt, durationMs, incomplete: incompleteIn(again) };
  terminal.stderr.write(`${aboutRecording(again).join('\n')}\n`);
  return deliverExploration(explored, how, files, terminal, { colour });
}

function incompleteIn({ end, stale }: ExploredAgain): string | null {
  if (end === null) return 'the exploration was ended before its end was recorded';
  if (stale.length > 0) return 'not all of the recording can be judged again';
  return end.leftOut > 0 ? 'not all histories were recorded' : end.incomplete;
}

function aboutRecording({ judged, header, end, stale }: ExploredAgain): string[] {
  const [first] = stale;
  return [
    `Judged again from ${counted(judged, 'history', 'histories')} of ${header.startedAt}; nothing was sent.`,
    ...(end === null ? ['The exploration was ended before its end was recorded.'] : []),
    ...(end === null || end.leftOut === 0
      ? []
      : [
          `${counted(end.leftOut, 'history', 'histories')} are not in the recording: it takes only what a find rests on from ` +
            `${(header.explored?.bytes ?? 0) / 1024 / 1024} MiB on.`,
        ]),
    ...(first === undefined
      ? []
      : [
          `${counted(stale.length, 'history', 'histories')} could not be judged again: ${printable(first)}`,
        ]),
  ];
}
