import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import { isOf, profilesNamed } from '../core/profiles.ts';
import { protocols } from '../core/protocol.ts';
import { scopeOf } from '../core/scope.ts';
import type { Restriction } from '../core/verdict.ts';
import { referenceTarget, type StartedTarget } from '../target/reference.ts';
import type { Target } from '../target/target.ts';
import { obstacleTo } from './capture.ts';
import { claimsOf, isClaimed, underClaims } from './claims.ts';
import type { Obstacle } from './needs.ts';
import { type Check, suiteChecks } from './registry.ts';
import { run } from './run.ts';
import { selectedIds } from './selection.ts';

const catalogue = loadCatalogue();
const { claims } = catalogue;
const [gateway] = profilesNamed(['gateway'], claims);
let started: StartedTarget;
let whole: Target;
let checks: readonly Check[];

beforeAll(async () => {
  started = await referenceTarget();
  whole = started.target;
  checks = await suiteChecks('gateway');
});

afterAll(() => started.close());

/** What stands in the way of the MUSTs, as a claim sees it, by the ids of their checks. */
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
    'without-probes': () => ({ ...whole, probes: { ledger: [], clock: [] }, withoutProbes: true }),
  };
  test.each(claims.restrictions)('$name', ({ name, leavesOpen }) => {
    const left = [...obstacles(restricted[name]())];
    expect(left.filter(([, { restriction }]) => restriction !== name)).toEqual([]);
    for (const row of leavesOpen) expect(left.some(([id]) => id.startsWith(row))).toBe(true);
    expect(left.filter(([id]) => !leavesOpen.some((row) => id.startsWith(row)))).toEqual([]);
  });
});

test('only what is claimed is judged, unless ids are asked for', () => {
  const target = { profiles: ['chat', 'messages'] };
  const selected = selectedIds(catalogue, { target });
  const claimed = catalogue.checks.filter(({ id }) => isClaimed(id, target)).map(({ id }) => id);
  expect(selected).toEqual(new Set(claimed));
  const profiles = profilesNamed(target.profiles, claims);
  expect(claimed.every((id) => profiles.some((profile) => isOf(id, profile)))).toBe(true);
  expect(selectedIds(catalogue, { target, filters: ['storage/'] })?.size).toBeGreaterThan(0);
  expect(selectedIds(catalogue, {})).toBeNull();
  expect(selectedIds(catalogue, { target: { profiles: ['gateway'] } })).toBeNull();
});

test('a run of a claim is conformant, and says what it left out', async () => {
  const models = whole.models.filter(({ id }) => id === 'ts-systemone');
  const target = { ...whole, models, profiles: ['systemone'], withoutProbes: true };
  const result = await run({ target, seed: 1 });
  expect(result.target.models).toMatchObject({
    ...{ judged: ['ts-systemone'], listed: 9, leftOut: 8 },
  });
  expect(scopeOf(result).leftOut).toEqual(protocols.filter((one) => one !== 'systemone'));
  const outside = result.checks.filter(({ verdict }) => verdict.state === 'excluded');
  expect(outside.every(({ id, verdict }) => !isClaimed(id, target) && 'unclaimed' in verdict)).toBe(
    true,
  );
  const open = result.checks.filter(
    ({ level, verdict }) => level === 'MUST' && verdict.state === 'untestable',
  );
  expect(open.map(({ id }) => id)).toEqual([]);
  expect(result.verdict).toBe('conformant');
});
