import { type Exchange, isObject, isPath, shown } from '../core/index.ts';
import { ExpectationFailed } from './failure.ts';

/** The name of a value, the exchange that shows it, and its place there, if the name is not that. */
interface AboutValue {
  readonly as: string;
  readonly of: Exchange | null;
  readonly at?: string | null;
}

class ValueExpectation {
  readonly #actual: unknown;
  readonly #as: string;
  readonly #exchange: Exchange | null;
  readonly #places: readonly string[];

  constructor(actual: unknown, { as, of, at = as }: AboutValue) {
    this.#actual = actual;
    this.#as = as;
    this.#exchange = of;
    this.#places = at !== null && isPath(at) ? [at] : [];
  }

  /** Equal as JSON values: the order of members does not matter. */
  toEqual(expected: unknown): void {
    if (!equal(this.#actual, expected)) throw this.#failed(shown(expected));
  }

  toBeOneOf(expected: readonly unknown[]): void {
    if (expected.some((one) => equal(this.#actual, one))) return;
    throw this.#failed(expected.map((one) => shown(one)).join(' or '));
  }

  toBeAtMost(limit: number): void {
    this.toBe(`at most ${limit}`, (actual) => typeof actual === 'number' && actual <= limit);
  }

  toBeMoreThan(limit: number): void {
    this.toBe(`more than ${limit}`, (actual) => typeof actual === 'number' && actual > limit);
  }

  /** @param what in words, after "is": `an id that begins with models/` */
  toBe(what: string, holds: (actual: unknown) => boolean): void {
    if (!holds(this.#actual)) throw this.#failed(what);
  }

  #failed(what: string): ExpectationFailed {
    const actual = `${this.#as}: ${shown(this.#actual)}`;
    const expected = `${this.#as}: ${what}`;
    const difference = { kind: 'part', actual, value: this.#as } as const;
    return new ExpectationFailed(expected, actual, this.#exchange, 'part', {
      places: this.#places,
      difference,
    });
  }
}

export function expectValue(actual: unknown, about: AboutValue): ValueExpectation {
  return new ValueExpectation(actual, about);
}

/** Equal as JSON values: the order of members does not matter. */
function equal(one: unknown, other: unknown): boolean {
  return one === other || (isEmpty(one) && isEmpty(other)) || canonical(one) === canonical(other);
}

/** Fast path: most expected lists are empty. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function canonical(value: unknown): string {
  const sorted = (_: string, member: unknown): unknown =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  return JSON.stringify(value, sorted) ?? 'undefined';
}
