import { expect, test } from 'vitest';
import type { Act, ActsOn, Creates } from './history.ts';
import { type ActOutcome, requiredOf, rowOfRequired } from './oracle.ts';
import { actOn as act, create } from './testing.ts';
import { byRow } from './violation.ts';
import type { World } from './world.ts';

const world: World = {
  regions: ['here', 'us'],
  questions: [],
  ledgers: 0,
  settleMs: 0,
  actors: ['owner', 'otherUser', 'restricted'],
  models: [
    {
      ...{ id: 'm', permitted: ['owner', 'otherUser'], regions: ['here'] },
      ...{ modes: ['one-body', 'background'], supports: [] },
    },
  ],
};
const came = (
  of: Act,
  started: number,
  ended: number,
  served: boolean | null = true,
): ActOutcome => ({
  ...{ act: of, started, ended, served, over: of.kind === 'create' && of.mode !== 'background' },
});

const seenAll = (...all: readonly ActOutcome[]) => new Map(all.map((one) => [one.act.n, one]));

function required(looked: Act, from: number, to: number, ...others: readonly ActOutcome[]) {
  return requiredIn(world, looked, from, to, ...others);
}

function requiredIn(
  there: World,
  looked: Act,
  from: number,
  to: number,
  ...others: readonly ActOutcome[]
) {
  const seen = seenAll(came(create, 0, 10), ...others, came(looked, from, to));
  const { outcome, clause } = requiredOf(looked, { started: from, ended: to }, seen, there);
  return `${outcome} ${clause}`;
}

test('who, where and what is not there any more', () => {
  expect(required(act(1, 'lookup'), 20, 30)).toBe('served END-20');
  expect(required(act(1, 'lookup', { actor: 'otherUser' }), 20, 30)).toBe('denied AUTH-8');
  expect(required(act(1, 'lookup', { region: 'us' }), 20, 30)).toBe('denied REGION-2');
  expect(required(act(1, 'lookup', { actor: 'restricted' }), 20, 30)).toBe('denied RESP-8');
  const deletion = came(act(1, 'delete'), 20, 30);
  expect(required(act(2, 'lookup'), 40, 50, deletion)).toBe('denied STORE-11');
});

test('a form that the specification does not name may be refused, and is denied to others all the same', () => {
  const include = { requestMode: 'include' } as const;
  expect(required(act(1, 'lookup', include), 20, 30)).toBe('either END-20');
  expect(required(act(1, 'lookup', { ...include, actor: 'otherUser' }), 20, 30)).toBe(
    'denied AUTH-8',
  );
});

test('what had to be denied need not be there, and is denied to others all the same', () => {
  const strange: Creates = { ...create, n: 1, actor: 'otherUser', mode: 'background', previous: 0 };
  const accepted = came(strange, 20, 30);
  const of = (more: Partial<ActsOn>) => act(2, 'lookup', { of: 1, actor: 'otherUser', ...more });
  expect(required(of({}), 40, 50, accepted)).toMatch(/^either/);
  expect(required(of({ actor: 'owner' }), 40, 50, accepted)).toBe('denied AUTH-8');
  const further = came({ ...strange, n: 2, previous: 1 }, 32, 38);
  const onFurther = act(3, 'lookup', { of: 2, actor: 'otherUser' });
  expect(required(onFurther, 40, 50, accepted, further)).toMatch(/^either/);
});

test('beside a deletion either is right, and after its answer not', () => {
  const deletion = came(act(1, 'delete'), 20, 40);
  expect(required(act(2, 'lookup'), 10, 19, deletion)).toMatch(/^served/);
  expect(required(act(2, 'lookup'), 30, 50, deletion)).toMatch(/^either/);
  expect(required(act(2, 'lookup'), 40, 50, deletion)).toMatch(/^denied/);
  // A deletion does not count as an earlier deletion of its own response.
  expect(required(act(1, 'delete'), 20, 40)).toBe('served END-25');
});

test('what lags may show later to a key for which nobody waits', () => {
  const models = world.models.map((model) => ({ ...model, permitted: world.actors }));
  const lagging = { ...world, models, settleMs: 100 };
  const by = (actor: Act['actor'], from: number, ...others: readonly ActOutcome[]) =>
    requiredIn(lagging, act(2, 'lookup', { actor }), from, from + 5, ...others);
  expect(by('owner', 20)).toMatch(/^served/);
  expect(by('restricted', 20)).toMatch(/^either/);
  expect(by('restricted', 110)).toMatch(/^served/);
  expect(by('otherUser', 20)).toMatch(/^denied/);
  const deletion = came(act(1, 'delete'), 120, 130);
  expect(by('owner', 140, deletion)).toMatch(/^denied/);
  expect(by('restricted', 140, deletion)).toMatch(/^either/);
  expect(by('restricted', 230, deletion)).toMatch(/^denied/);
});

test('a deletion that was not answered may take effect at any time, and one that was refused at none', () => {
  const unknown = came(act(1, 'delete'), 20, 40, null);
  expect(required(act(2, 'lookup'), 90, 95, unknown)).toMatch(/^either/);
  expect(required(act(2, 'lookup'), 11, 19, unknown)).toMatch(/^served/);
  const refused = came(act(1, 'delete', { actor: 'otherUser' }), 20, 40, false);
  expect(required(act(2, 'lookup'), 90, 95, refused)).toBe('served END-20');
});

test('what runs in the background may have ended at any time until it is seen', () => {
  const background: Creates = { ...create, mode: 'background' };
  const made = came(background, 0, 10);
  const on = (operation: ActsOn['operation'], ...others: readonly ActOutcome[]) => {
    const cancel = act(9, operation);
    const seen = seenAll(made, ...others, came(cancel, 50, 60));
    return requiredOf(cancel, { started: 50, ended: 60 }, seen, world).outcome;
  };
  expect(on('cancel')).toBe('either');
  expect(on('lookup')).toBe('served');
  expect(on('lookup', came(act(1, 'cancel'), 20, 30))).toBe('served');
});

test('each requirement has its row, with the level of that', () => {
  const rowOf = (looked: Act, ...others: readonly ActOutcome[]) => {
    const seen = seenAll(came(create, 0, 10), ...others, came(looked, 40, 50));
    const asked = requiredOf(looked, { started: 40, ended: 50 }, seen, world);
    const { row, level } = byRow(rowOfRequired(looked, asked, seen, world), asked.clause);
    return `${row} ${level}`;
  };
  expect(rowOf(act(1, 'lookup'))).toBe('storage/responses.read-by-creation-mode:one-body MUST');
  expect(rowOf(act(1, 'lookup', { actor: 'otherUser' }))).toBe(
    'access/owners.other-user-denied:lookup MUST',
  );
  expect(rowOf(act(1, 'lookup', { region: 'us', actor: 'otherUser' }))).toBe(
    'access/owners.other-user-denied:lookup MUST',
  );
  const deletion = came(act(1, 'delete'), 20, 30);
  expect(rowOf(act(2, 'input-tokens'), deletion)).toBe(
    'storage/deletion.indirect-access-denied:input-tokens MUST',
  );
  const list = { n: 1, actor: 'owner', region: 'here', kind: 'list' } as const;
  expect(rowOf(list)).toBe('models/list.served MUST');
  const next: Creates = { ...create, n: 1, previous: 0, mode: 'websocket' };
  expect(rowOf(next)).toBe('storage/continuation.over-websocket-from-each-mode:one-body SHOULD');
  expect(rowOf({ ...create, n: 1 })).toBe('access/protocols.declared-served:responses MUST');
});
