import { InvalidArgumentError, type Option } from 'commander';
import { UsageError } from '../../terminal/index.ts';

/** Parses a number in plain digits within bounds. */
function within(form: RegExp, what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = form.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a ${what} from ${least} to ${most}.`);
  };
}

export const wholeNumber = (least: number, most: number) =>
  within(/^\d+$/, 'whole number', least, most);

export const decimal = (least: number, most: number) =>
  within(/^\d*\.?\d+$/, 'number', least, most);

/** Parses a part of a whole. */
export const rateOf = decimal(0, 1);

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Parses `90s`, `10m` or `1h30m` to milliseconds. */
export function duration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const ms = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs],
    0,
  );
  const isWhole = parts.map(([part]) => part).join('') === text;
  if (isWhole && ms >= unitMs.s && ms <= 168 * unitMs.h) return ms;
  throw new InvalidArgumentError('Expected a time from 1s to 168h, such as 90s, 10m or 1h30m.');
}

/** Parses `30d` or `12h` to days. */
export function ageInDays(text: string): number {
  const [, count, unit] = /^(\d+)([hd])$/.exec(text) ?? [];
  const days = Number(count) / (unit === 'h' ? 24 : 1);
  if (days > 0 && days <= 36_500) return days;
  throw new InvalidArgumentError('Expected a time from 1h to 36500d, such as 30d or 12h.');
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
    throw new InvalidArgumentError(
      'Expected i/n, with n from 1 to 9999 and i from 1 to n, such as 1/4: the first of four parts.',
    );
  }
  return { index, of };
}
