import type { ObservedIn, RunResult } from '../../core/index.ts';
import { assemble } from '../assemble.ts';
import { Observation } from '../observation.ts';
import { provenanceOf } from '../provenance-log.ts';
import { judgeChecks, type RunOptions } from '../run.ts';
import { headOf } from '../run-head.ts';
import { wholeRunOf } from '../sent.ts';
import { Traffic } from '../traffic.ts';
import { BadRecording, type Recording, type RecordingHeader, readRecording } from './recording.ts';
import { ReplayedClient } from './replay-client.ts';
import { ReplayRun } from './replay-run.ts';

export interface RejudgeOptions extends Pick<RunOptions, 'filters' | 'onProgress'> {
  /** A broken SHOULD fails the run, too. Default: as in the recorded run. */
  readonly strict?: boolean;
  /**
   * Treats missing exchanges as inconclusive, because the run was stopped early. Default: as an error, as if
   * exchanges had been removed.
   */
  readonly endedEarly?: boolean;
}

export interface Rejudged {
  readonly result: RunResult;
  readonly header: RecordingHeader;
  readonly exchanges: number;
  /** The last line was truncated, and left out. */
  readonly cut: boolean;
  /** Ids of recorded exchanges that no scenario of the present suite requested. */
  readonly unasked: readonly string[];
  /** True if missing exchanges are the only reason why checks could not be judged. */
  readonly lacksExchanges: boolean;
}

/**
 * Judges the exchanges of a recording with this suite, without the gateway: nothing is sent.
 *
 * @param from a file that `touchstone run --record` or `touchstone client --record` wrote, or its content
 * @throws {BadRecording} if it is no recording
 * @throws {UnknownRequirement} if a filter matches nothing
 */
export async function rejudge(
  from: string | Recording,
  options: RejudgeOptions = {},
): Promise<Rejudged> {
  const started = Date.now();
  const recording = typeof from === 'string' ? readRecording(from) : from;
  const { header, exchanges, sessions, cut } = recording;
  if (header.observed !== undefined) return observedAgain(recording, header.observed, options);
  const side = header.target.client === undefined ? 'gateway' : 'client';
  const head = await headOf({ ...header, ...askedAgain(options, header), side });
  const { endedEarly = false } = options;
  const { target, seed, runId, only, load } = header;
  const traffic = new Traffic();
  const replay =
    side === 'gateway'
      ? new ReplayRun({ target, seed, runId, exchanges, traffic, load, forgiving: endedEarly })
      : new ReplayedClient({ target, seed, runId, sessions, traffic });
  const { onProgress } = options;
  const verdicts = await judgeChecks(replay, head.checks, { traffic, only, onProgress });
  const nothing = exchanges.length === 0 && sessions.length === 0;
  if (nothing && [...verdicts.values()].some(({ state }) => state === 'error')) {
    throw new BadRecording(
      typeof from === 'string' ? from : 'This',
      'it has no exchanges: its run ended before one had ended.',
    );
  }
  const result = assemble({
    ...head,
    target,
    verdicts,
    traffic: traffic.report(),
    provenance: provenanceOf(exchanges, header.startedAt),
    lags: replay.lags,
    ...(replay instanceof ReplayedClient
      ? { sessions: replay.asked }
      : { exchanges: (await wholeRunOf(replay)).exchanges }),
    interrupted:
      endedEarly ||
      exchanges.some(({ failure }) => failure?.kind === 'interrupted') ||
      sessions.some(({ run }) => run.endedBy === 'interruption'),
    durationMs: Date.now() - started,
  });
  const lacksExchanges =
    replay instanceof ReplayRun && replay.missing > 0 && replay.missing === replay.strays;
  const { unasked } = replay;
  return { result, header, exchanges: exchanges.length, cut, unasked, lacksExchanges };
}

/** Returns the filters and the strictness: those of the recording unless the options change them. */
function askedAgain(
  { filters = [], strict }: RejudgeOptions,
  header: RecordingHeader,
): Pick<RecordingHeader, 'filters' | 'strict'> {
  return {
    filters: filters.length === 0 ? header.filters : filters,
    strict: strict ?? header.strict,
  };
}

async function observedAgain(
  { header, exchanges, cut }: Recording,
  source: ObservedIn,
  options: RejudgeOptions,
): Promise<Rejudged> {
  const observation = await Observation.of({
    target: header.target,
    source,
    ...askedAgain(options, header),
    again: header,
  });
  for (const exchange of exchanges) {
    observation.add(exchange);
    await observation.trim();
  }
  const result = await observation.end();
  return { result, header, exchanges: exchanges.length, cut, unasked: [], lacksExchanges: false };
}
