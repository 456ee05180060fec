import { existsSync, statSync } from 'node:fs';
import { extname, join, relative, resolve, sep } from 'node:path';
import { fixture, packageRoot } from '../../core/index.ts';
import type { RunFiles } from '../options/target-placeholder.ts';
import type { Rerun } from './reruns.ts';
import type { WatchedFiles } from './watched-files.ts';

/**
 * Number of consecutive runs with a change to a file after which the runs are assumed to write it
 * themselves.
 */
const runsInARow = 3;

/** The code that is running: compiled, or the sources. */
const code = join(import.meta.dirname, '..', '..', '..', '..');

/** Module that every run loads, and that a build deletes first. */
const engine = join(code, 'harness', 'kernel', 'engine', `run${extname(import.meta.filename)}`);

/** Folders with the sources of the checks, in a clone. In an installed package nobody changes them. */
const ownFolders = existsSync(join(packageRoot, 'suites'))
  ? [join(code, 'suites'), fixture('requirements'), fixture('schemas')]
  : [];

/** Knows which files matter, and what to run again if one changes. */
export class Changes {
  readonly watched: WatchedFiles;
  readonly #target: string | null;
  readonly #knownFailures: string | null;
  readonly #paths: readonly string[];
  /** Number of consecutive runs during which each file changed. */
  readonly #streaks = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #muted = new Set<string>();

  /**
   * @param paths what the gateway runs
   * @param target the target file
   */
  constructor(files: RunFiles, paths: readonly string[], target: string | undefined) {
    const { knownFailures, rerunFailed: _, ...written } = files;
    this.#target = target === undefined ? null : resolve(target);
    this.#knownFailures = knownFailures === undefined ? null : resolve(knownFailures);
    this.#paths = paths;
    const isFolder = (path: string): boolean => statSync(path).isDirectory();
    this.watched = {
      files: [
        this.#target,
        this.#knownFailures,
        ...paths.filter((path) => !isFolder(path)),
      ].flatMap((file) => file ?? []),
      folders: [...paths.filter(isFolder), ...ownFolders],
      except: Object.values(written).flatMap((file) => file ?? []),
    };
  }

  /** Returns the run that a change calls for, or null if none. */
  of(path: string, running: boolean): Rerun | null {
    const isOwn = ownFolders.some((folder) => path.startsWith(folder + sep));
    const causes = [`${relative(isOwn ? packageRoot : '', path)} changed`];
    if (path === this.#knownFailures) return { scope: 'verdict', causes };
    if (path === this.#target) return { scope: 'all', causes };
    if (isOwn) {
      // During a build there is nothing that could be run.
      return existsSync(engine) ? { scope: 'all', causes } : null;
    }
    if (this.#muted.has(path)) return null;
    if (running) this.#seen.add(path);
    return { scope: 'open', causes };
  }

  /** Returns the files that runs themselves write, and stops watching them. Called after each run. */
  mute(): readonly string[] {
    for (const path of this.#streaks.keys()) if (!this.#seen.has(path)) this.#streaks.delete(path);
    const muted = [...this.#seen].filter((path) => {
      const streak = (this.#streaks.get(path) ?? 0) + 1;
      this.#streaks.set(path, streak);
      return streak >= runsInARow;
    });
    for (const path of muted) this.#muted.add(path);
    this.#seen.clear();
    return muted.map((path) => relative('', path));
  }

  /** Describes what is being watched. */
  inWords(canType: boolean): string {
    const files = [this.#target, this.#knownFailures]
      .flatMap((path) => (path === null ? [] : [relative('', path)]))
      .concat(this.#paths);
    const own = ownFolders.length > 0 ? ['the suites'] : [];
    const what = [...files, ...own].join(', ');
    const keys = canType
      ? 'Enter: again · a, Enter: everything · Ctrl-C: end'
      : 'There is no terminal to press Enter at; SIGINT or SIGTERM ends it.';
    return `\nWatching ${what === '' ? 'for Enter only' : what}. ${keys}`;
  }
}
