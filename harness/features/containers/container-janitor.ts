/**
 * Removes the containers of a process that ended without removing them: killed, crashed, or stopped by Ctrl-C.
 *
 *     node container-janitor.js <run>
 *
 * Runs beside that process and reads from it. Its input ends when the process ends for any reason. If `clean` was
 * sent before, everything has already been removed. (Ryuk, the janitor of testcontainers, does the same, but is an
 * image that has to be pulled.)
 */
import { text } from 'node:stream/consumers';

const [run] = process.argv.slice(2);
if (!run) throw new Error('usage: container-janitor.js <run>');

// Ctrl-C and a closing terminal reach all processes, but this one has not finished its work.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

if ((await text(process.stdin)) !== 'clean') {
  // Loaded only now, so that waiting costs almost nothing.
  const [{ dockerAvailable }, { removeRun }] = await Promise.all([
    import('./docker-available.ts'),
    import('./container-cleanup.ts'),
  ]);
  const docker = await dockerAvailable();
  if (docker.available) await removeRun(docker.client, run, { settleMs: 2_000 });
}
