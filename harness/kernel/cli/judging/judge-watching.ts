import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  interruptible,
  isContinuousIntegration,
  reportAt,
  stopped,
  type Terminal,
  UsageError,
} from '../../terminal/index.ts';
import { chooseTarget, isForeign } from '../options/choose-target.ts';
import type { RunCommandOptions } from '../options/run-options.ts';
import { fileName, filesOf } from '../options/target-placeholder.ts';
import { unseenIn } from '../options/unseen-in.ts';
import { assertUsable } from './judge-target.ts';
import { type Rerun, Reruns } from './reruns.ts';
import { Changes } from './watch-changes.ts';
import { WatchSession } from './watch-session.ts';
import { watchFiles } from './watched-files.ts';

/** `touchstone run --watch`. Gives the exit code of the last verdict when the user ends it. */
export async function judgeWatching(
  options: RunCommandOptions,
  terminal: Terminal,
): Promise<number> {
  assertWatchable(options, terminal);
  const { source, watch } = options;
  let session: WatchSession | undefined;
  const interruption = interruptible(terminal, (line) => {
    if (session?.isSending === true) session.say(line);
  });
  const { signal } = interruption;
  const releases: (() => unknown)[] = [() => interruption.release()];
  try {
    const first = await chooseTarget(source, terminal, signal, unseenIn(options));
    releases.push(() => first.close());
    const files = filesOf(options.files, fileName(first.target.name));
    assertUsable(files);
    const earlier = files.rerunFailed === undefined ? undefined : reportAt(files.rerunFailed);
    session = new WatchSession({
      options,
      files,
      terminal,
      seed: options.seed ?? earlier?.seed ?? randomInt(2 ** 31),
      foreign: isForeign(source),
      target: async () =>
        source.target === undefined
          ? first.target
          : (await chooseTarget(source, terminal, signal)).target,
      ...(earlier === undefined ? {} : { earlier }),
    });
    const begin: Rerun = { scope: earlier ? 'open' : 'all', causes: ['the first run'] };
    const changes = new Changes(files, watch?.paths ?? [], source.target);
    const reruns = new Reruns(watch?.delayMs ?? 0);
    await again(begin, session, changes, reruns, terminal, signal, releases);
    return session.exitCode;
  } catch (error) {
    // Starting the target was interrupted.
    if (!signal.aborted) throw error;
    return stopped(terminal);
  } finally {
    for (const release of releases) await release();
  }
}

/** Runs, and runs again after a change or on request, until the signal is aborted. */
async function again(
  begin: Rerun,
  session: WatchSession,
  changes: Changes,
  reruns: Reruns,
  terminal: Terminal,
  signal: AbortSignal,
  releases: (() => unknown)[],
): Promise<void> {
  let running: AbortController | null = null;
  const watched = await watchFiles(changes.watched, (path) => {
    const rerun = changes.of(path, session.isSending);
    if (rerun === null) return;
    if (rerun.scope !== 'verdict' && running !== null && !running.signal.aborted) {
      if (session.isSending) session.say(`${rerun.causes[0]}: this run is stopped.`);
      running.abort();
    }
    reruns.changed(rerun);
  });
  releases.push(() => watched.close());
  const release = terminal.onLine?.((line) => {
    const all = line.trim().toLowerCase() === 'a';
    if (running !== null && !all) return;
    reruns.asked({ scope: all ? 'all' : 'open', causes: [all ? 'a' : 'Enter'] });
  });
  if (release !== undefined) releases.push(release);
  let next: Rerun | null = begin;
  while (next !== null) {
    const controller: AbortController = new AbortController();
    running = controller;
    await session.rerun(next, signal, controller.signal);
    running = null;
    if (signal.aborted) return;
    for (const path of changes.mute()) {
      session.say(`${path} changes with every run, and is not watched any more.`);
    }
    // An interrupted run is repeated as soon as nothing changes any more.
    if (controller.signal.aborted) reruns.changed({ ...next, causes: [] });
    else session.say(changes.inWords(terminal.onLine !== undefined));
    next = await reruns.next(signal);
    if (next !== null) await watched.renew();
  }
}

/** @throws {UsageError} where watching makes no sense, with what to do instead */
function assertWatchable(options: RunCommandOptions, terminal: Terminal): void {
  const refuse = (why: string): never => {
    throw new UsageError(why);
  };
  if (isContinuousIntegration(terminal.environment)) {
    refuse('--watch goes on until somebody ends it, and in CI nobody does: leave it out there.');
  }
  if (options.shard !== undefined) {
    refuse('--watch and --shard: a part of a run is for one machine of several; leave one out.');
  }
  const { generations, tokens } = options.limits;
  if (generations !== undefined || tokens !== undefined) {
    refuse(
      `--watch and --${tokens === undefined ? 'generations' : 'tokens'}: a watch runs as often as something changes, so a budget for one run ` +
        'says little. Leave one out, or name the ids that you work on.',
    );
  }
  if (options.targets.length > 1) {
    refuse('--watch is for the gateway that you work on: name one target with it.');
  }
  for (const path of options.watch?.paths ?? []) {
    if (!existsSync(path)) {
      refuse(`--watch-path ${path}: there is no such file or folder. Name one that is there now.`);
    }
  }
}
