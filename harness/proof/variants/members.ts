import type { DialectName } from '../../reference/dialect.ts';
import { isArray, isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Defect } from '../../reference/seams.ts';
import { eachData, together } from '../planting.ts';
import type { Variant } from './variant.ts';

// The same members in another order, more of them everywhere, and other ids.

const dialects: readonly DialectName[] = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
];

/** The same change to every JSON body and to the data of every event. */
function everywhere(change: (value: JsonObject) => JsonObject): Defect['override'] {
  return together(
    ({ encode }) => ({
      encode: { body: (kind, body, context) => change(encode.body(kind, body, context)) },
    }),
    ...dialects.map((dialect) => eachData(dialect, change)),
  );
}

/** Members whose own members the caller has named: no gateway may put others among them. */
const callers = new Set([
  'answers',
  'args',
  'input',
  'legend',
  'metadata',
  'parameters',
  'probabilities',
  'tools',
]);

function withMore(value: Json | undefined): Json | undefined {
  if (isArray(value)) return value.map((item) => withMore(item) ?? null);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json | undefined] => [
    name,
    callers.has(name) ? member : withMore(member),
  ]);
  return { x_gateway_note: { region: 'eu', hops: [1, 2] }, ...Object.fromEntries(members) };
}

function reversed(value: Json | undefined): Json | undefined {
  if (isArray(value)) return value.map((item) => reversed(item) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, Json | undefined] => [name, reversed(member)])
      .toReversed(),
  );
}

function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Ids made in another way. */
function ids(make: (prefix: string) => string): Defect['override'] {
  return () => ({ encode: { id: (prefix) => make(prefix) } });
}

let counted = 0;

export const memberVariants: readonly Variant[] = [
  {
    id: 'members.more-everywhere',
    what: 'Every object has a member more than is documented.',
    override: everywhere((value) => object(withMore(value))),
  },
  {
    id: 'members.other-order',
    what: 'The members of every object are in another order.',
    override: everywhere((value) => object(reversed(value))),
  },
  {
    id: 'ids.bare-uuid',
    what: 'Ids are UUIDs without a prefix.',
    override: ids(() => crypto.randomUUID()),
  },
  {
    id: 'ids.own-prefix',
    what: 'Ids begin with the name of the gateway.',
    override: ids((prefix) => `gw-${prefix}${crypto.randomUUID()}`),
  },
  {
    id: 'ids.long',
    what: 'Ids are 200 characters long.',
    override: ids((prefix) =>
      `${prefix}${crypto.randomUUID().replaceAll('-', '').repeat(6)}`.padEnd(200, '0'),
    ),
  },
  {
    id: 'ids.underscore-last',
    what: 'Ids are base64url, and end in an underscore.',
    override: ids((prefix) => `${prefix}${crypto.randomUUID().replaceAll('-', '')}_`),
  },
  {
    id: 'ids.counted',
    what: 'Ids are a prefix and a number that counts up.',
    override: ids((prefix) => `${prefix}${++counted}`),
  },
  {
    id: 'ids.base64',
    what: 'Ids are base64, with characters that a path has to encode.',
    override: ids((prefix) => `${prefix}${Buffer.from(crypto.randomUUID()).toString('base64')}+/=`),
  },
];
