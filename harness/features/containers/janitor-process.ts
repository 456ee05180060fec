import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';

/**
 * Starts the janitor of one start. Whatever ends this process, it removes what the start has left.
 *
 * Compiled code, as in the image: a process of its own cannot run the sources on every Node.
 */
export function startJanitor(run: string): ChildProcess {
  const janitor = spawn(
    process.execPath,
    [join(packageRoot, 'dist', 'harness', 'features', 'containers', 'container-janitor.js'), run],
    // Detached: not in the group of processes that Ctrl-C ends.
    { detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  // Without a janitor everything works as long as this process lives to call close().
  janitor.on('error', () => undefined);
  janitor.stdin?.on('error', () => undefined);
  // The janitor waits for this process to end, so it must not keep it alive.
  janitor.unref();
  if (janitor.stdin instanceof Socket) janitor.stdin.unref();
  return janitor;
}

/** Everything is removed: the janitor has nothing to do, and ends. */
export async function dismissJanitor(janitor: ChildProcess): Promise<void> {
  const runs =
    janitor.pid !== undefined && janitor.exitCode === null && janitor.signalCode === null;
  if (!runs || janitor.stdin?.writable !== true) return;
  const ended = once(janitor, 'exit');
  janitor.ref();
  janitor.stdin.end('clean');
  await ended;
}
