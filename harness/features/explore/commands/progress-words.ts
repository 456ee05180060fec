import { counted, leftInWords, waitingInWords } from '../../../kernel/report/index.ts';
import type { SoFar } from '../index.ts';

interface Bounds {
  readonly generations: number;
  readonly requests: number;
  readonly minutes: number;
}

/** Milliseconds after which the pace of an exploration is meaningful. */
const soonestMs = 3_000;

export function soFarInWords(soFar: SoFar, bounds: Bounds, elapsedMs: number): string {
  const { histories, acts, generations, requests, finds, inFlight, heldBy } = soFar;
  const perSecond =
    elapsedMs < soonestMs ? [] : [`${Math.round((1_000 * acts) / elapsedMs)} acts/s`];
  // Most important parts first, because a narrow terminal cannot show all of them.
  return [
    counted(histories, 'history', 'histories'),
    ...(finds === 0 ? [] : [`${finds} found`]),
    ...waitingInWords(heldBy),
    `${generations} of ${bounds.generations} generations`,
    `${requests} of ${bounds.requests} requests`,
    ...leftInWords(leftMs(soFar, bounds, elapsedMs)),
    counted(acts, 'act'),
    ...perSecond,
    `${inFlight} in flight`,
  ].join(' · ');
}

/** Milliseconds until the first of the bounds is reached, at the pace so far. */
function leftMs({ generations, requests }: SoFar, bounds: Bounds, elapsedMs: number): number {
  const byTime = bounds.minutes * 60_000 - elapsedMs;
  if (elapsedMs < soonestMs) return byTime;
  const until = (done: number, most: number): number =>
    done === 0 ? byTime : (elapsedMs * (most - done)) / done;
  return Math.max(
    0,
    Math.min(byTime, until(generations, bounds.generations), until(requests, bounds.requests)),
  );
}

export function costInWords(
  { generations, requests, minutes }: Bounds,
  maxOutputTokens: number,
  atOnce: number,
): string {
  const tokens = (generations * maxOutputTokens).toLocaleString('en');
  return (
    `Exploring with at most ${counted(generations, 'generation')} of ${maxOutputTokens} output tokens each ` +
    `(${tokens} in all), ${counted(requests, 'request')} and ${counted(minutes, 'minute')}; ` +
    `${counted(atOnce, 'history', 'histories')} at once.`
  );
}
