import { type Conversation, type RunResult, sideOf } from '../../core/index.ts';
import {
  BadRecording,
  provenanceOf,
  type Recording,
  type RecordingHeader,
  readRecording,
} from '../../recordings/index.ts';
import { assemble } from '../assemble.ts';
import { judgeChecks, type RunOptions } from '../run.ts';
import { headOf } from '../run-head.ts';
import { wholeRunOf } from '../sent.ts';
import type { TargetRun } from '../session.ts';
import { Traffic } from '../traffic.ts';
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

interface Replay extends TargetRun {
  /** Ids of recorded exchanges or starts that no scenario requested. */
  readonly unasked: readonly string[];
  /** Number of requests that were not recorded, and number of scenarios that a missing answer ended. */
  readonly missing?: number;
  readonly strays?: number;
  /** Starts of the client. Absent if a gateway is judged. */
  readonly conversations?: readonly Conversation[];
  readonly wasInterrupted?: boolean;
}

type Replaying = (recording: Recording, traffic: Traffic, options: RejudgeOptions) => Replay;

const replayGateway: Replaying = ({ header, exchanges }, traffic, { endedEarly = false }) =>
  new ReplayRun({ ...header, exchanges, traffic, forgiving: endedEarly });

/**
 * Judges the exchanges of a recording with this suite, without the gateway: nothing is sent.
 *
 * @param from a file that `touchstone run --record` wrote, or its content
 * @param replaying replays recordings of another kind
 * @throws {BadRecording} if it is no recording
 * @throws {UnknownRequirement} if a filter matches nothing
 */
export async function rejudge(
  from: string | Recording,
  options: RejudgeOptions = {},
  replaying: Replaying = replayGateway,
): Promise<Rejudged> {
  const started = Date.now();
  const recording = typeof from === 'string' ? readRecording(from) : from;
  const { header, exchanges, sessions, cut } = recording;
  const side = sideOf(header);
  const head = await headOf({ ...header, ...askedAgain(options, header), side });
  const { endedEarly = false } = options;
  const { target, only } = header;
  const traffic = new Traffic();
  const replay = replaying(recording, traffic, options);
  const { onProgress } = options;
  const verdicts = await judgeChecks(replay, head.checks, { traffic, only, onProgress });
  const nothing = exchanges.length === 0 && sessions.length === 0;
  if (nothing && [...verdicts.values()].some(({ state }) => state === 'error')) {
    throw new BadRecording(
      typeof from === 'string' ? from : 'This',
      'it has no exchanges: its run ended before one had ended.',
    );
  }
  const { unasked, conversations, wasInterrupted = false, missing = 0, strays = 0 } = replay;
  const result = assemble({
    ...head,
    target,
    verdicts,
    traffic: traffic.report(),
    provenance: provenanceOf(exchanges, header.startedAt),
    lags: replay.lags,
    ...(conversations === undefined
      ? { exchanges: (await wholeRunOf(replay)).exchanges }
      : { conversations }),
    interrupted:
      endedEarly ||
      wasInterrupted ||
      exchanges.some(({ failure }) => failure?.kind === 'interrupted'),
    durationMs: Date.now() - started,
  });
  const lacksExchanges = missing > 0 && missing === strays;
  return { result, header, exchanges: exchanges.length, cut, unasked, lacksExchanges };
}

/** Returns the filters and the strictness: those of the recording unless the options change them. */
export function askedAgain(
  { filters = [], strict }: RejudgeOptions,
  header: RecordingHeader,
): Pick<RecordingHeader, 'filters' | 'strict'> {
  return {
    filters: filters.length === 0 ? header.filters : filters,
    strict: strict ?? header.strict,
  };
}
