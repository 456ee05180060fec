import { lstatSync } from 'node:fs';
import { type Rejudged, type RejudgeOptions, rejudge } from '../../engine/index.ts';
import { type Recording, readRecordingHeader } from '../../recordings/index.ts';
import { provided } from '../feature.ts';
import { judgedApart } from './apart.ts';

/** Judges a recording again: of a run, of a run that judged a client, or of observed traffic. */
export const rejudgeAny: typeof rejudge = (from, options) => {
  const { observed, target } = headerOf(from);
  const by =
    observed !== undefined
      ? provided('rejudgeObserved', 'A recording of observed traffic')
      : target.client !== undefined
        ? provided('rejudgeClient', 'A recording of a client')
        : rejudge;
  return by(from, options);
};

function headerOf(from: string | Recording): Recording['header'] {
  return typeof from === 'string' ? readRecordingHeader(from) : from.header;
}

/** Returns the processor time that judging a recording may take: more than twice that of an honest one. */
export function secondsToJudge(recording: string): number {
  // A bundle may have a link here, even one that leads to itself: it is refused later.
  const { size } = lstatSync(recording, { throwIfNoEntry: false }) ?? { size: 0 };
  return 60 + Math.ceil(size / 2 ** 20);
}

/** Judges a recording again within limits. */
export function rejudgedApart(recording: string, options: RejudgeOptions): Promise<Rejudged> {
  const processorSeconds = secondsToJudge(recording);
  const limits = { processorSeconds, heapMegabytes: 2_048, megabytes: 3_072 };
  return judgedApart({ recording, options }, () => rejudgeAny(recording, options), limits);
}
