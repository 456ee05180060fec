import { afterAll, describe, expect, test } from 'vitest';
import { type Capability, protocolOfCapability } from '../core/capability.ts';
import { loadCatalogue } from '../core/catalogue.ts';
import { isAmong, profilesNamed } from '../core/profiles.ts';
import { type Protocol, protocols } from '../core/protocol.ts';
import { scopeOf } from '../core/scope.ts';
import type { Restriction } from '../core/verdict.ts';
import { referenceTarget } from '../targets/reference.ts';
import type { Keys, Target } from '../targets/target.ts';
import { obstacleTo } from './capture.ts';
import { claimsOf, leftOpenBy, underClaims } from './claims.ts';
import type { Obstacle } from './needs.ts';
import { suiteChecks } from './registry.ts';
import { run } from './run.ts';
import { selectedIds } from './selection.ts';

const catalogue = loadCatalogue();
const { claims } = catalogue;
const musts = catalogue.checks.filter(({ level }) => level === 'MUST').map(({ id }) => id);
const [gateway] = profilesNamed(['gateway'], claims);

const started = await referenceTarget();
const whole = started.target;
const checks = await suiteChecks('gateway');

afterAll(() => started.close());

/** Returns the obstacles to the MUST checks, as a claim sees them, by check id. */
function obstacles(target: Target): Map<string, Obstacle> {
  return new Map(
    checks.flatMap(({ id, on, definition }) => {
      const obstacle = definition.level === 'MUST' ? obstacleTo(on, target) : null;
      return obstacle === null ? [] : [[id, underClaims(id, obstacle, target)]];
    }),
  );
}

/** The reference, but that no model declares this. */
function lacking(need: string, rest: Partial<Target> = {}): Target {
  const models = whole.models.map((model) => ({
    ...model,
    protocols: model.protocols.filter((protocol) => identifiers[protocol] !== need),
    supports: model.supports.filter((one) => !isNeed(one, need)),
    lacks: [...model.lacks, ...model.supports.filter((one) => isNeed(one, need))],
  }));
  return { ...whole, models: models.filter(({ protocols }) => protocols.length > 0), ...rest };
}

const identifiers: Readonly<Record<string, string>> = {
  responses: 'responses',
  messages: 'vendorA-messages',
  generative: 'vendorB',
  'chat-completions': 'chat',
  systemone: 'systemone',
};

function isNeed(capability: string, need: string): boolean {
  const [family, protocol = ''] = capability.split(':');
  return need === (protocol === '' ? family : `${family}:${identifiers[protocol]}`);
}

test('the reference is a whole gateway, and says so', () => {
  expect(claimsOf(whole)).toEqual({ profiles: ['gateway'], stated: false });
  expect(claimsOf(lacking('background')).profiles).not.toContain('gateway');
});

test.each(gateway?.needs ?? [])(
  'what needs %s, and no model declares it, is no honest "not applicable"',
  (need) => {
    const claimed = obstacles(lacking(need, { profiles: ['gateway'] }));
    const missing = [...claimed.values()].filter(({ kind }) => kind === 'untestable');
    expect(missing.length).toBeGreaterThan(0);
    expect(missing[0]?.reason).toMatch(/^`gateway` is claimed, and no model declares `/);
    const silent = [...obstacles(lacking(need)).values()];
    expect(silent.filter(({ kind }) => kind === 'untestable')).toEqual([]);
  },
);

describe('a restriction leaves open what its entry says, and nothing else', () => {
  const restricted: Readonly<Record<Restriction, () => Target>> = {
    'single-region': () => ({ ...whole, regions: whole.regions.slice(0, 1), singleRegion: true }),
    'single-user': () => ({ ...withoutKeys('otherUser'), singleUser: true }),
    'one-key-per-user': () => ({ ...withoutKeys('sameUser', 'restricted'), oneKeyPerUser: true }),
    'no-permissions': () => ({ ...withoutKeys('restricted'), noPermissions: true }),
    'without-storage': () => ({ ...whole, withoutStorage: true }),
    'without-probes': () => ({ ...whole, probes: { ledger: [], clock: [] }, withoutProbes: true }),
  };
  test.each(claims.restrictions)('$name', ({ name, leavesOpen }) => {
    const target = restricted[name]();
    const whole = musts.filter((id) => leftOpenBy(id, target)?.name === name);
    const left = [...obstacles(target)];
    expect(left.filter(([, { restriction }]) => restriction !== name)).toEqual([]);
    const open = [...whole, ...left.map(([id]) => id)];
    for (const row of leavesOpen) expect(open.some((id) => isAmong(id, [row]))).toBe(true);
    expect(open.filter((id) => !isAmong(id, leavesOpen))).toEqual([]);
  });
});

function withoutKeys(...names: readonly (keyof Keys)[]): Target {
  const keys = Object.entries(whole.keys).filter(([name]) => !names.some((one) => one === name));
  return { ...whole, keys: Object.fromEntries(keys) };
}

/** Targets of many kinds: each may claim each profile. */
const shapes: Readonly<Record<string, () => Target>> = {
  'with all': () => whole,
  'of one region': () => ({ ...whole, regions: whole.regions.slice(0, 1) }),
  'of one region, as it says': () => ({
    ...whole,
    regions: whole.regions.slice(0, 1),
    singleRegion: true,
  }),
  'of one key': () => withoutKeys('sameUser', 'otherUser', 'restricted'),
  'without keys': () => withoutKeys('owner', 'sameUser', 'otherUser', 'restricted'),
  'without probes': () => ({ ...whole, probes: { ledger: [], clock: [] } }),
  'without storage': () => ({ ...whole, withoutStorage: true }),
  'without streams': () => lacking('stream:chat'),
  ...Object.fromEntries(
    protocols.map((protocol) => [`of ${protocol} alone`, () => speaking([protocol])]),
  ),
  'of two protocols': () => speaking(['responses', 'messages']),
};

/** The reference, as if its models were served over these protocols alone. */
function speaking(spoken: readonly Protocol[]): Target {
  const isOver = (capability: Capability): boolean => {
    const protocol = protocolOfCapability[capability];
    return protocol === null || spoken.includes(protocol);
  };
  const models = whole.models.map((model) => ({
    ...model,
    protocols: model.protocols.filter((protocol) => spoken.includes(protocol)),
    supports: model.supports.filter(isOver),
    lacks: model.lacks.filter(isOver),
  }));
  return { ...whole, models: models.filter((model) => model.protocols.length > 0) };
}

describe.each(Object.keys(shapes))('a claim of a target %s hides nothing', (shape) => {
  test.each(claims.profiles.map(({ name }) => name))('%s', (name) => {
    const silent = shapes[shape]?.() ?? whole;
    const told = toldOf(silent);
    const claimed = toldOf({ ...silent, profiles: [name] });
    expect(claimed.judged).toEqual(told.judged);
    expect(claimed.untestable).toEqual(expect.arrayContaining(told.untestable));
  });
});

/** The checks that are judged at a target, and those that make its run partial. */
function toldOf(target: Target): { readonly judged: string[]; readonly untestable: string[] } {
  const selected = selectedIds(catalogue, { target });
  const run = checks.filter(({ id }) => selected?.has(id) ?? true);
  const ways = run.map(({ id, on }) => {
    const obstacle = obstacleTo(on, target);
    return { id, kind: obstacle === null ? 'judged' : underClaims(id, obstacle, target).kind };
  });
  const are = (kind: string): string[] => ways.flatMap((way) => (way.kind === kind ? way.id : []));
  return { judged: are('judged'), untestable: are('untestable') };
}

test('what a gateway without storage cannot show is not asked for, unless ids are', () => {
  const target = { withoutStorage: true };
  const selected = selectedIds(catalogue, { target });
  expect(selected?.has('storage/responses.lookup-served')).toBe(false);
  expect(selected?.has('generation/responses.shape')).toBe(true);
  expect(selectedIds(catalogue, { target, filters: ['storage/'] })?.size).toBeGreaterThan(0);
  expect(selectedIds(catalogue, {})).toBeNull();
});

test('a run of a claim is conformant, and says what the file leaves out', async () => {
  const models = whole.models.filter(({ id }) => id === 'ts-systemone');
  const target = { ...whole, models, profiles: ['systemone'], withoutProbes: true };
  const result = await run({ target, seed: 1 });
  expect(result.target.models).toMatchObject({
    ...{ judged: ['ts-systemone'], listed: 9, leftOut: 8 },
  });
  expect(scopeOf(result).leftOut).toEqual(protocols.filter((one) => one !== 'systemone'));
  expect(result.checks.filter(({ verdict }) => verdict.state === 'excluded')).toEqual([]);
  const open = result.checks.filter(
    ({ level, verdict }) => level === 'MUST' && verdict.state === 'untestable',
  );
  expect(open.map(({ id }) => id)).toEqual([]);
  expect(result.verdict).toBe('conformant');
});
