import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from '../../kernel/core/index.ts';
import { Draws } from './chance.ts';
import { tried } from './file-trial.ts';
import type { LocalAttack } from './local-attacks.ts';
import { problemsOf, reportAt, type Trial } from './trial.ts';

/** A machine may keep a command from its work. It never makes a right gateway a wrong one. */
const allowed = Object.entries(exitCodes).flatMap(([name, code]) =>
  name === 'nonconformant' ? [] : [code],
);

/** Judges the reference on a machine, in a shell or by a user that does this. */
export async function tryLocally(
  { script, env = {}, signal, options = [] }: LocalAttack,
  id: string,
  seed: number,
): Promise<Omit<Trial, 'spoiled'>> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-local-'));
  const [report, recording] = [join(folder, 'report.json'), join(folder, 'recording')];
  const line = [
    ...['run', '--reference', 'embedded', '--seed', String(seed), '--json', report],
    ...['--record', recording, ...options.map((word) => word.replace('{}', folder))],
    ...['generation/messages', 'storage/messages', 'input/'],
  ];
  const afterMs = 300 + new Draws(seed, id).below(3_000);
  const ended = signal === undefined ? {} : { signal: { name: signal, afterMs } };
  // A command that a signal ended has this code, in shells as well.
  const bySignal = signal === undefined ? [] : [null, 128 + (constants.signals[signal] ?? 0), 130];
  try {
    const most = { mostSeconds: 120, exitCodes: [...allowed, ...bySignal], env, script, ...ended };
    const trial = await tried(line, most);
    const { code } = trial;
    const problems = [...trial.problems];
    if (code === exitCodes.conformant || code === exitCodes.undecided) {
      problems.push(...problemsOf(code, reportAt(report, problems), 'run'));
    }
    if (existsSync('made')) problems.push('a name of a file ran a command');
    if (existsSync(recording) && code === null) {
      const second = await tried(['recheck', recording, '--quiet'], {
        mostSeconds: 60,
        exitCodes: allowed,
      });
      problems.push(...second.problems);
    }
    return { ...trial, problems };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
