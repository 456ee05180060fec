import { InvalidArgumentError, type Option } from 'commander';
import { UsageError } from '../../terminal/index.ts';

/** Parses a whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`Expected a whole number of ${least} or more.`);
    }
    return value;
  };
}

/** Parses a number above zero. */
export function positiveNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError('Expected a number above 0.');
  }
  return value;
}

/** Parses a number from 0 to 1. */
export function rateOf(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('Expected a number from 0 to 1.');
  return value;
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Parses `90s`, `10m` or `1h30m` to milliseconds. */
export function duration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const ms = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs],
    0,
  );
  if (parts.map(([part]) => part).join('') !== text || ms < 1_000) {
    throw new InvalidArgumentError(
      'Expected a time of a second or more, such as 90s, 10m or 1h30m.',
    );
  }
  return ms;
}

/** Parses `30d` or `12h` to days. */
export function ageInDays(text: string): number {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  if (count === undefined || Number(count) === 0) {
    throw new InvalidArgumentError('Expected a number of days or hours, such as 30d or 12h.');
  }
  return Number(count) / (unit === 'h' ? 24 : 1);
}

/** Parses a part of a header name. */
export function partOfHeader(text: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(text)) {
    throw new InvalidArgumentError('Expected letters, digits and hyphens.');
  }
  return text;
}

/** Collects an option that may be repeated. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** Collects headers in the format of curl: `Name: value`. */
export function headerLine(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*\S)[ \t]*$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    // The value may contain a secret, so the message does not quote it.
    throw new UsageError("A --header is not of the form 'Name: value', such as 'x-tenant: acme'.");
  }
  return { ...before, [name]: value };
}

/** Rejects a repeated option that collects nothing: otherwise the last value would silently win. */
export function takeOnce(option: Option): void {
  const { parseArg } = option;
  let given: string | null = null;
  option.argParser<unknown>((text, before) => {
    const value: unknown = parseArg === undefined ? text : parseArg(text, before);
    if (given !== null && typeof value !== 'object') {
      throw new InvalidArgumentError(`It is given twice: "${given}" was before. Give it once.`);
    }
    given = text;
    return value;
  });
}

/** Part of a whole that is split: number `index`, from 1, of `of`. */
export interface ShardNumber {
  readonly index: number;
  readonly of: number;
}

/** Parses `2/4`. @throws {InvalidArgumentError} */
export function shardNumber(text: string): ShardNumber {
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || index < 1 || index > of) {
    throw new InvalidArgumentError('Expected i/n, such as 1/4: the first of four parts.');
  }
  return { index, of };
}
