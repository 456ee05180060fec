import { dirname, relative, resolve, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

export interface WatchedFiles {
  /** Single files: one may be replaced, or go and come back. */
  readonly files: readonly string[];
  /** Folders with all that is below them, but for hidden files, logs and what packages brought. */
  readonly folders: readonly string[];
  /** Files in these folders that do not matter: what the command itself writes. */
  readonly except: readonly string[];
}

/** Files that are no part of a program, and files that change while a gateway works. */
const uninteresting =
  /(^|[\\/])(\..*|node_modules)([\\/]|$)|\.(log|tmp|temp|swp|pid|sqlite.*|db.*)$|~$/i;

/** Files that are being watched. */
export interface Watching {
  /**
   * Looks at everything anew. A folder that was taken away and made again within a moment is not the
   * one that is watched; nothing is missed meanwhile.
   */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Watches files and folders, and calls back with the absolute path of each file that was written, came
 * or went: after its last change, however many there were. All of them are watched when the promise resolves.
 *
 * @throws {Error} when the system cannot watch that many files
 */
export async function watchFiles(
  watched: WatchedFiles,
  onChange: (path: string) => void,
): Promise<Watching> {
  let watchers = await openAll(watched, onChange);
  const closeAll = async (): Promise<void> => {
    await Promise.all(watchers.map((watcher) => watcher.close()));
  };
  return {
    close: closeAll,
    async renew() {
      const since = Date.now() - clockGrain;
      await closeAll();
      watchers = await openAll(watched, onChange, since);
    },
  };
}

/**
 * Reports a change once nothing was written for a number of milliseconds. Otherwise chokidar would report
 * the first of several changes and drop those within 50 ms after it: a reader would see a file that is half
 * written or replaced, and never the last version.
 */
const watching = {
  alwaysStat: true,
  awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
} as const;

/** Milliseconds by which the times of files may be behind the clock. */
const clockGrain = 10;

/** @param since what was written after this time, and before all is watched, is a change, too */
async function openAll(
  { files, folders, except }: WatchedFiles,
  onChange: (path: string) => void,
  since = Number.POSITIVE_INFINITY,
): Promise<readonly FSWatcher[]> {
  const single = new Set(files.map((file) => resolve(file)));
  const parents = new Set([...single].map((file) => dirname(file)));
  const roots = folders.map((folder) => resolve(folder));
  // Folders are watched from above: a build may remove the folder itself and create it again.
  const anchors = new Set(roots.map((folder) => dirname(dirname(folder))));
  const own = new Set(except.map((file) => resolve(file)));
  const isIgnored = (path: string): boolean => {
    if (own.has(path)) return true;
    if (anchors.has(path)) return false;
    const root = roots.find((folder) => isWithin(path, folder));
    if (root === undefined) return !roots.some((folder) => isWithin(folder, path));
    return uninteresting.test(relative(root, path));
  };
  const watchers: FSWatcher[] = [];
  if (single.size > 0) {
    // Single files are watched through their folder: an editor that replaces a file removes the watched
    // one.
    const ignored = (path: string): boolean => !parents.has(path) && !single.has(path);
    watchers.push(watch([...parents], { ...watching, depth: 0, ignored }));
  }
  if (roots.length > 0) {
    watchers.push(watch([...anchors], { ...watching, ignored: isIgnored }));
  }
  for (const watcher of watchers) {
    let ready = false;
    watcher.once('ready', () => {
      ready = true;
    });
    watcher.on('all', (event, path, stats) => {
      if (event === 'addDir' || event === 'unlinkDir') return;
      const isOld = event === 'add' && !ready && (stats?.mtimeMs ?? 0) < since;
      if (!isOld) onChange(resolve(path));
    });
  }
  await Promise.all(watchers.map(isReady)).catch(async (error: unknown) => {
    await Promise.all(watchers.map((watcher) => watcher.close()));
    throw error;
  });
  return watchers;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isReady(watcher: FSWatcher): Promise<void> {
  return new Promise((ready, fail) => {
    watcher.once('ready', ready);
    watcher.once('error', fail);
  });
}
