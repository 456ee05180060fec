import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { called } from './called.ts';
import { Draws } from './chance.ts';
import type { FileAttack } from './file-attacks.ts';
import { placeFor, type Subject } from './subjects.ts';
import type { Trial } from './trial.ts';

/** Longest text that a command prints about what it does not take. */
const mostPrinted = 64 * 1024;

/** Gives a spoiled file to the command that reads it, as a user would. */
export async function tryFile(
  subject: Subject,
  { id, write }: FileAttack,
  seed: number,
): Promise<Omit<Trial, 'spoiled'>> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-file-'));
  try {
    const { file, named } = placeFor(subject, folder);
    rmSync(file, { force: true });
    write(file, readFileSync(subject.good), new Draws(seed, subject.id, id));
    // `serve` goes on where it takes the file.
    const ending =
      subject.id === 'script' ? { signal: { name: 'SIGTERM', afterMs: 2_000 } as const } : {};
    const most = { mostSeconds: 30, exitCodes: [0, 1, 2, 3, 6] };
    return await tried(subject.line(named), { ...most, ...ending });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls a command, and looks for what it may not print. */
export async function tried(
  ...[line, options]: Parameters<typeof called>
): Promise<Omit<Trial, 'spoiled'>> {
  const { printed, problems, ...ended } = await called(line, options);
  return {
    ...{ ...ended, verdict: null },
    problems: [
      ...problems,
      ...(printed.length > mostPrinted ? [`${printed.length} characters were printed`] : []),
      ...(/^\s+at .*:\d+:\d+\)?$/m.test(printed) ? ['a stack was printed'] : []),
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
      ...(/[\0-\x08\x0b-\x1f\x7f\u202e]/.test(printed) ? ['control characters were printed'] : []),
    ],
  };
}
