/** Reads a value of an untrusted file. @throws {BadShape} if it has another shape */
export type Read<T> = (value: unknown, at: string) => T;

type Members = Readonly<Record<string, Read<unknown>>>;
type Of<M extends Members> = { readonly [Name in keyof M]: ReturnType<M[Name]> };

/** Thrown if a value of a file has the wrong shape. */
class BadShape extends Error {
  override readonly name = 'BadShape';

  constructor(at: string, expected: string, value: unknown) {
    const found = value === undefined ? 'nothing' : (JSON.stringify(value)?.slice(0, 60) ?? '?');
    super(`\`${at}\` has to be ${expected}, and is ${found}`);
  }
}

export function kind<T>(expected: string, is: (value: unknown) => value is T): Read<T> {
  return (value, at) => {
    if (is(value)) return value;
    throw new BadShape(at, expected, value);
  };
}

export const text: Read<string> = kind('a text', (value) => typeof value === 'string');
export const flag: Read<boolean> = kind('true or false', (value) => typeof value === 'boolean');
export const finite: Read<number> = kind('a number', (value): value is number =>
  Number.isFinite(value),
);
export const whole: Read<number> = kind('a whole number', (value): value is number =>
  Number.isSafeInteger(value),
);

/** Returns a reader for texts of a form. @param expected names the form in errors */
export function textLike(expected: string, form: RegExp): Read<string> {
  return kind(expected, (value): value is string => typeof value === 'string' && form.test(value));
}

export function oneOf<const T extends string>(...values: readonly T[]): Read<T> {
  const expected = `one of ${values.join(', ')}`;
  return kind(expected, (value): value is T => values.some((one) => one === value));
}

export function orNull<T>(read: Read<T>): Read<T | null> {
  return (value, at) => (value === null ? null : read(value, at));
}

export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new BadShape(at, 'a list', value);
    return value.map((one, index) => read(one, `${at}[${index}]`));
  };
}

export function mapOf<T>(read: Read<T>): Read<Readonly<Record<string, T>>> {
  return (value, at) =>
    Object.fromEntries(
      Object.entries(objectAt(value, at)).map(([name, one]) => [name, read(one, `${at}.${name}`)]),
    );
}

/**
 * Returns a reader for objects with these members. Others are dropped: a newer Touchstone may write more.
 *
 * @param optional members that may be missing
 */
export function objectOf<M extends Members, O extends Members = Record<never, never>>(
  members: M,
  optional?: O,
): Read<Of<M> & Partial<Of<O>>> {
  return (value, at) => {
    const given = objectAt(value, at);
    const read = (of: Members, names: readonly string[]): [string, unknown][] =>
      names.map((name) => [name, of[name]?.(own(given, name), `${at}.${name}`)]);
    const there = Object.keys(optional ?? {}).filter((name) => own(given, name) !== undefined);
    return Object.fromEntries([
      ...read(members, Object.keys(members)),
      ...read(optional ?? {}, there),
    ]) as Of<M> & Partial<Of<O>>;
  };
}

function objectAt(value: unknown, at: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new BadShape(at, 'an object', value);
}

function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}
