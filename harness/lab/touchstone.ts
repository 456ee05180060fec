import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { codeFile } from '../kernel/core/index.ts';

/** Runs a command of Touchstone in a process of its own, as a user does. Any verdict is a result. */
export async function touchstone(
  line: readonly string[],
  printed: string,
  {
    node = process.execPath,
    ...place
  }: Pick<SpawnOptions, 'cwd' | 'env'> & { readonly node?: string } = {},
): Promise<void> {
  const words = [codeFile('harness/main'), ...line, '--no-color'];
  const child = spawn(node, words, { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = [text(child.stdout), text(child.stderr), once(child, 'close')] as const;
  const [out, complaint, [code]] = await Promise.all(ended);
  writeFileSync(printed, out);
  if ([0, 1, 2].includes(code)) return;
  throw new Error(`touchstone ${line[0]} ended with ${code}:\n${complaint}`);
}
