import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Call } from '../call.ts';
import { note } from './note.ts';
import type { Rule, Script, When } from './script.ts';
import { type Asked, Player } from './scripted.ts';
import { unreached } from './unreached.ts';

function rules(...whens: (When | undefined)[]): Script {
  return { rules: whens.map((when) => ({ error: { status: 500 }, ...(when ? { when } : {}) })) };
}

test.for<[what: string, script: Script, index: number, behind: readonly number[]]>([
  ['behind one that takes everything', rules(undefined, { model: 'a' }), 1, [0]],
  ['of one model, behind several', rules({ model: ['a', 'b'] }, { model: 'b', turn: 1 }), 1, [0]],
  [
    'of several, behind one each',
    rules({ model: 'a' }, { model: 'b' }, { model: ['a', 'b'] }),
    2,
    [0, 1],
  ],
  ['behind both kinds of answer', rules({ stream: true }, { stream: false }, {}), 2, [0, 1]],
  ['behind fewer words', rules({ says: 'Sun' }, { says: ['a sunny day', 'SUN'] }), 1, [0]],
  ['behind the same expression', rules({ says: '/su+n/i' }, { says: /su+n/i, turn: 2 }), 1, [0]],
  [
    'words of a result, behind any result',
    rules({ toolResult: true }, { toolResult: 'x' }),
    1,
    [0],
  ],
  ['a text for System One', { rules: [{ when: { protocol: 'systemone' }, text: 'x' }] }, 0, []],
  ['what is left for all others', { ...rules({}), otherwise: { text: 'x' } }, 1, [0]],
])('never reached: %s', ([, script, index, behind]) => {
  expect(unreached(script)).toEqual([{ index, behind }]);
});

test.for<[what: string, script: Script]>([
  ['a rule that is used up', { rules: [{ text: 'a', times: 1 }, { text: 'b' }] }],
  ['a rule with a text, before one for System One', { rules: [{ text: 'a' }, { value: {} }] }],
  ['more words', rules({ says: 'a sunny day' }, { says: 'sunny' })],
  ['another expression', rules({ says: '/su+n/' }, { says: 'sun' })],
  ['a key of some', rules({ key: ['owner', 'sameUser'] }, {})],
  ['one tool of two', rules({ tool: 'a' }, { tool: 'b' })],
  ['a turn', rules({ turn: 1 }, { turn: 2 }, {})],
  ['no result', rules({ toolResult: 'x' }, { toolResult: true }, {})],
])('reached behind: %s', ([, script]) => {
  expect(unreached(script)).toEqual([]);
});

const words = fc.constantFrom('sun', 'a sunny day', '/su+n/', '/^a/i', 'day');
const some = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 3 }));
const protocol = fc.constantFrom('responses', 'messages', 'systemone' as const);
const role = fc.constantFrom('owner', 'otherUser' as const);
const name = fc.constantFrom('a', 'b');

const when: fc.Arbitrary<When> = fc.record(
  {
    protocol: some(protocol),
    model: some(name),
    says: some(words),
    system: some(words),
    turn: fc.integer({ min: 1, max: 2 }),
    toolResult: fc.oneof(fc.boolean(), some(words)),
    tool: name,
    stream: fc.boolean(),
    key: some(role),
    user: some(name),
  },
  { requiredKeys: [] },
);

const rule: fc.Arbitrary<Rule> = fc.record(
  { name: fc.uuid(), when, text: fc.constant('x'), times: fc.constant(1) },
  { requiredKeys: ['name', 'when'] },
);

const said = fc.constantFrom('sun', 'A SUNNY DAY', 'night', 'suun, day');

const request = fc.record({
  protocol,
  model: name,
  system: fc.option(said),
  users: fc.array(said, { minLength: 1, maxLength: 2 }),
  result: fc.option(said),
  tools: fc.uniqueArray(name),
  stream: fc.boolean(),
  role,
  user: name,
});

test('no rule of which that is said ever answers', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 4 }),
      fc.array(request, { maxLength: 30 }),
      (all, asked) => {
        const script = { rules: all };
        const names = unreached(script).map(({ index }) => all[index]?.name);
        found += names.length;
        const player = new Player(script);
        for (const one of asked) {
          const call = callOf(one);
          player.play(askedBy(one), call);
          expect(names).not.toContain(call.note.rule ?? 'none');
        }
      },
    ),
    { numRuns: 2_000, seed: 1 },
  );
  // By chance, so that the property says something.
  expect(found).toBeGreaterThan(50);
});

type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

function askedBy({ protocol, model, system, users, result, tools }: Request): Asked {
  const user = users.map((text) => ({ role: 'user', text }) as const);
  if (protocol === 'systemone') return { model, turns: user.slice(0, 1), tools: [] };
  return {
    model,
    turns: [
      ...(system === null ? [] : [{ role: 'system', text: system } as const]),
      ...user,
      ...(result === null ? [] : [{ role: 'tool', text: result } as const]),
    ],
    tools: tools.map((tool) => ({ name: tool })),
  } as unknown as Asked;
}

/** As much of a call as rules look at. */
function callOf({ protocol, stream, role, user }: Request): Call {
  return {
    dialect: { name: protocol },
    key: { role, user },
    body: {},
    note: note([]),
    gateway: { seams: { policy: { wantsStream: () => stream } } },
  } as unknown as Call;
}
