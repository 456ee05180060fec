import {
  type Call,
  type Exchange,
  type Fields,
  type Io,
  isObject,
  type Protocol,
  protocolModules,
} from '../../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';

/** Number of values that each region gets, so that both regions together try each member twice. */
export const wrongMembersTried = 7;

/** Answers to requests with a value of a wrong JSON type in one member. */
interface WrongMembers {
  /** With a model that is no text, which names none. */
  readonly models: readonly Exchange[];
  /** With another member, which a lenient gateway may read or ignore. */
  readonly others: readonly Exchange[];
}

/** One value for each JSON type but null, which may mean that a member is absent. */
const values: readonly unknown[] = [[42], 'text', {}, 42, true];

interface Wrong {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Sends requests with values of wrong types: the seed draws the first of a row of neighbours. */
export async function sendWrongMembers(io: Io, protocol: Protocol): Promise<WrongMembers> {
  const start = io.random(({ number }) => number.int({ max: 1_000_000 }));
  const input = io.sentence(io.word());
  const sent = await Promise.all(
    Array.from({ length: wrongMembersTried }, async (_, n) => {
      let isModel = false;
      const change = (call: Call): Call => {
        const all = wrongIn(call.body, protocol);
        const { path, value } = all[(start + n) % all.length] ?? { path: [], value: null };
        isModel = path[0] === 'model';
        return { ...call, body: replaced(call.body, path, value) };
      };
      const exchange = await io.ask(mainEndpoint[protocol], { input, change });
      return { exchange, isModel };
    }),
  );
  const those = (isModel: boolean): Exchange[] =>
    sent.filter((one) => one.isModel === isModel).map(({ exchange }) => exchange);
  return { models: those(true), others: those(false) };
}

/** Returns each wrong value of each member, next to one another those of the same type. */
function wrongIn(body: unknown, protocol: Protocol): readonly Wrong[] {
  const { input, optionalMembers, untypedMembers } = protocolModules[protocol].request;
  const whole: Fields = { ...Object(body), ...optionalMembers };
  const members = membersIn(whole).filter(
    ({ path }) => path.join('.') !== input && !path.some((name) => untypedMembers.includes(name)),
  );
  const inputs = [null, ['text']].map((value) => ({ path: [input], value }));
  return [
    ...values.flatMap((value) =>
      members
        .filter((member) => jsonType(member.value) !== jsonType(value))
        .map(({ path }) => ({ path, value })),
    ),
    ...inputs,
  ];
}

/** Returns the members of a body at any depth, of lists those of the first entry. */
function membersIn(value: unknown, path: readonly string[] = []): readonly Wrong[] {
  const inner = Array.isArray(value)
    ? Object.entries(value).slice(0, 1)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([name, one]) => [
    { path: [...path, name], value: one },
    ...membersIn(one, [...path, name]),
  ]);
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

function replaced(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(body)) {
    return body.map((one, index) => (index === Number(name) ? replaced(one, rest, value) : one));
  }
  return { ...Object(body), [name]: replaced(Object(body)[name], rest, value) };
}
