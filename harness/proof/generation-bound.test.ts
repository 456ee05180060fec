import { expect, test } from 'vitest';
import { run } from '../kernel/engine/index.ts';
import { referenceTarget } from '../kernel/targets/reference.ts';
import { decide, forgiving, relax } from './decisions.ts';
import { verdictsOnMany } from './many.ts';
import { together } from './planting.ts';

// A request beyond the declared cost of a scenario is an error, and is not sent: see
// `engine/schedule/lanes.ts`. A run against a right gateway (`commands/whole-run.test.ts`) proves little
// about this, because refusals end many scenarios early. `prove --null-targets` looks for such errors at
// servers that are not gateways.

/** A gateway that refuses nothing of what it can read. */
const servesEverything = {
  id: 'serves-everything',
  what: 'Whatever is asked is served.',
  override: together(
    decide('keyFor', (native) => (secret, call) => native(secret, call) ?? call.gateway.keys[0]),
    decide('findModel', (native) => (id, call) => native(id, call) ?? call.gateway.models[0]),
    relax('versionAccepted', () => true),
    relax('mayUseModel', () => true),
    relax('speaks', () => true),
    relax('supports', () => true),
    relax('backgroundAllowed', () => true),
    relax('cancellable', () => true),
    relax('keepsContent', () => true),
    relax('isStored', () => true),
    relax('isNotDeleted', () => true),
    relax('isWithinRetention', () => true),
    relax('isOriginalRegion', () => true),
    relax('isSameUser', () => true),
    relax('isModelPermitted', () => true),
    decide('deleteStops', () => () => false),
    decide('deleteDenies', () => () => false),
    decide('deleteRemovesContent', () => () => false),
    forgiving(() => true),
  ),
};

test('no scenario asks for more generations than it declares, where everything is served', {
  timeout: 240_000,
}, async () => {
  const { target: served, close } = await referenceTarget({ defect: servesEverything });
  try {
    // Requests that are repeated because a node lags generate nothing.
    const target = { ...served, limits: { ...served.limits, consistencyMs: 250 } };
    const one = { target, selected: null };
    const [verdicts = new Map()] = await verdictsOnMany([one], { seed: 1, window: 1 });
    expect(verdicts.size).toBeGreaterThan(500);
    const errors = [...verdicts].flatMap(([id, verdict]) =>
      verdict.state === 'error' ? [`${id}: ${verdict.reason}`] : [],
    );
    expect(errors).toEqual([]);
  } finally {
    await close();
  }
});

test('a run on a budget has no more served than it may, where everything is served', {
  timeout: 240_000,
}, async () => {
  const { target, close } = await referenceTarget({ defect: servesEverything });
  try {
    const { traffic, checks } = await run({ target, seed: 1, generations: 40 });
    expect(traffic.generations).toBe(40);
    const causes = new Set(
      checks.map(({ verdict }) => (verdict.state === 'inconclusive' ? verdict.cause : null)),
    );
    expect(causes).toContain('over-budget');
    expect(checks.filter(({ verdict }) => verdict.state === 'error')).toEqual([]);
  } finally {
    await close();
  }
});
