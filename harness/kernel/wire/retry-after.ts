import type { HeaderLines } from '../core/index.ts';

/**
 * Returns the milliseconds until a gateway accepts another request, from its answer: `retry-after-ms`, `retry-after` in
 * seconds or as a date, or else the reset time of an exhausted rate limit. Null if the answer has none of them.
 *
 * @param now milliseconds since 1970, used with a date if the answer has no `date` header
 */
export function retryAfterMs(headers: HeaderLines, now: number): number | null {
  const value = (name: string): string | null =>
    headers.find(([header]) => header.toLowerCase() === name)?.[1].trim() ?? null;
  const told = [
    number(value('retry-after-ms'), 1),
    number(value('retry-after'), 1_000),
    untilDate(value('retry-after'), Date.parse(value('date') ?? '') || now),
  ].find((milliseconds) => milliseconds !== null);
  if (told !== undefined) return told;
  const resets = ['requests', 'tokens']
    .filter((what) => value(`x-ratelimit-remaining-${what}`) === '0')
    .flatMap((what) => duration(value(`x-ratelimit-reset-${what}`)) ?? []);
  return resets.length === 0 ? null : Math.max(...resets);
}

function number(value: string | null, unit: number): number | null {
  return value !== null && /^\d+(\.\d+)?$/.test(value) ? Number(value) * unit : null;
}

/** Returns the milliseconds until an HTTP date, by the clock of the server that sent it. */
function untilDate(value: string | null, now: number): number | null {
  if (value === null || !/^[A-Z][a-z]{2},? /.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `6m0s`, `1.5s`, `20ms`, or bare seconds. */
function duration(value: string | null): number | null {
  if (value === null) return null;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0) return number(value, 1_000);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
}
