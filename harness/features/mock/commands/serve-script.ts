import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { counted } from '../../../kernel/report/index.ts';
import { loadScript, TargetError } from '../../../kernel/targets/index.ts';
import type { Output } from '../../../kernel/terminal/index.ts';
import type { ReferenceGateway } from '../../../reference/index.ts';

/** Warns of parts of a script that are valid, but surely not as intended. */
export function warning(output: Output): (told: string) => void {
  return (told) => void output.write(`Warning: ${told}\n`);
}

/** Reloads a script whenever its file changes. Errors in the new one are reported, and the old one stays. */
export async function reloading(
  path: string,
  gateway: Pick<ReferenceGateway, 'useScript'>,
  output: Output,
): Promise<FSWatcher> {
  const file = resolve(path);
  const folder = dirname(file);
  // Watches the folder, because an editor that replaces a file removes the watched one. Reloading waits until
  // writing has paused, so that no half-written file is read.
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    ignored: (one) => one !== folder && one !== file,
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  });
  watcher.on('all', () => {
    try {
      const script = loadScript(path, warning(output));
      gateway.useScript(script);
      output.write(`${path}: ${counted(script.rules.length, 'rule')}, from now on.\n`);
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      output.write(`${error.message}\n\nWhat was there before is played on.\n`);
    }
  });
  await once(watcher, 'ready');
  return watcher;
}
