import { InvalidArgumentError } from 'commander';

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

/** Collects an option that may be given several times. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** Takes an option that makes sense once only, where the last of several would silently win. */
export function once(text: string, before: string | undefined): string {
  if (before === undefined) return text;
  throw new InvalidArgumentError(`It is given twice: "${before}" was before. Give it once.`);
}
