import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';

/**
 * Starts the janitor of one start, which removes everything left behind when this process ends for any reason.
 *
 * Runs compiled code, as the image does, because a separate process cannot run the sources on every Node.
 */
export function startJanitor(run: string): ChildProcess {
  const janitor = spawn(
    process.execPath,
    [join(packageRoot, 'dist', 'harness', 'features', 'containers', 'container-janitor.js'), run],
    // Detached, so that it is not in the process group that Ctrl-C ends.
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

/** Ends the janitor after everything has been removed. */
export async function dismissJanitor(janitor: ChildProcess): Promise<void> {
  const runs =
    janitor.pid !== undefined && janitor.exitCode === null && janitor.signalCode === null;
  if (!runs || janitor.stdin?.writable !== true) return;
  const ended = once(janitor, 'exit');
  janitor.ref();
  janitor.stdin.end('clean');
  await ended;
}
