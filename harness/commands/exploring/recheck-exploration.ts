import { type ExploredAgain, exploredAgain } from '../../explore/rejudge-exploration.ts';
import { worldOf } from '../../explore/world.ts';
import { printable } from '../../report/printable.ts';
import { counted } from '../../report/words.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { exploredLines } from '../explore-lines.ts';
import { exitCodeOfExplored } from './exit-code.ts';

/** Judges a recorded exploration again. Gives the exit code. */
export async function recheckExploration(recording: string, terminal: Terminal): Promise<number> {
  const again = await exploredAgain(recording);
  const { explored, header } = again;
  const { columns = 100 } = terminal.stdout;
  const lines = exploredLines(explored, worldOf(header.target), Math.min(columns, 100));
  terminal.stdout.write(`${lines.join('\n')}\n`);
  terminal.stderr.write(`${aboutRecording(again).join('\n')}\n`);
  return exitCodeOfExplored(explored, isWhole(again));
}

/** Whether all that was explored was judged again. */
function isWhole({ end, stale }: ExploredAgain): boolean {
  return end !== null && end.leftOut === 0 && stale.length === 0;
}

/** What a reader must know of finds that come from a recording. */
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
