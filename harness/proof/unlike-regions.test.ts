import { expect, onTestFinished, test } from 'vitest';
import { loadCatalogue } from '../kernel/core/catalogue.ts';
import { placesOf, scenariosAt } from '../kernel/engine/registry.ts';
import { run } from '../kernel/engine/run.ts';
import { onInRegion, scenariosIn, withPrerequisites } from '../kernel/engine/scenario.ts';
import { checksWith } from '../kernel/engine/selection.ts';
import { referenceTarget } from '../kernel/targets/reference.ts';
import type { Defect } from '../reference/seams.ts';
import { decide } from './decisions.ts';
import { together } from './planting.ts';

// No source says that every region has every model: nobody may be blamed for the lack of one, and nothing
// that is judged in each region may stay open for it.

/** The second region has only these models, and its lists show those. */
function having(models: readonly string[], shown = models): Defect {
  return {
    id: 'regions.other-models',
    what: 'The second region has fewer models.',
    regions: ['us'],
    override: together(
      decide(
        'findModel',
        (native) => (id, call) => (models.includes(id) ? native(id, call) : undefined),
      ),
      decide(
        'listedModels',
        (native) => (key, call) => native(key, call).filter(({ id }) => shown.includes(id)),
      ),
    ),
  };
}

const few = ['ts-responses', 'ts-messages', 'ts-shared'];
const all = [...few, 'ts-omni', 'ts-plain', 'ts-chat'];

const inEachRegion = loadCatalogue()
  .checks.filter((check) => check.inEachRegion === true)
  .map(({ id }) => id);

/**
 * Judges the checks of each region, and returns the number that passed and the states of all that failed or
 * stayed open.
 */
async function objections(defect: Defect, told: Readonly<Record<string, readonly string[]>> = {}) {
  const { target, close } = await referenceTarget({ defect });
  onTestFinished(close);
  const models = target.models.map((model) => {
    const regions = told[model.id];
    return regions === undefined ? model : { ...model, regions };
  });
  const { checks, counts } = await run({
    target: { ...target, models },
    seed: 1,
    only: { ids: inEachRegion, others: 'It is judged once' },
  });
  const open = checks.filter(({ verdict }) =>
    ['fail', 'warn', 'error', 'inconclusive', 'untestable'].includes(verdict.state),
  );
  return { passed: counts.pass, states: new Set(open.map(({ verdict }) => verdict.state)) };
}

test.each([
  ['has few models', few],
  ['lacks the first of the target file', all.filter((id) => id !== 'ts-omni')],
  ['has none of those that are tested', []],
])('a region that %s is judged on what it shows', async (_, models) => {
  const { passed, states } = await objections(having(models));
  expect(states).toEqual(new Set());
  expect(passed).toBeGreaterThan(150);
});

test('a region that shows models which it does not have is blamed, unless the target file tells', async () => {
  const defect = having(few, all);
  expect((await objections(defect)).states).toEqual(new Set(['fail', 'inconclusive']));
  const told = Object.fromEntries(all.filter((id) => !few.includes(id)).map((id) => [id, ['eu']]));
  expect((await objections(defect, told)).states).toEqual(new Set());
});

/** Rows that say nothing about a further region, although they cost nothing there. */
const ofTheFirst: Readonly<Record<string, readonly string[]>> = {
  'a region need not have every model of the target file': [
    'access/capabilities.offered-served',
    'access/protocols.left-out',
    'models/catalog.has-usable-models',
    'models/catalog.has-usable-models-by-key',
    'models/list.has-generative-models',
    'models/list.has-usable-models',
    'models/list.has-usable-models-by-key',
  ],
  'each way is tried for each reason at the home alone, which the seed draws: another user tries it in each region':
    ['access/ways.unavailable-denied'],
  'two reasons meet in the same lines of a gateway, and each alone is tried in each region': [
    'access/credentials.two-reasons-refused',
  ],
  'a region need not have a WebSocket': ['websocket/connection.turn-served'],
  'the two answers that are compared may be those of different models': [
    'generation/chat-completions-stream.deltas-join-to-text',
    'generation/generative-stream.deltas-join-to-text',
    'generation/messages-stream.deltas-join-to-text',
  ],
};

test('what costs no generation in a further region is judged there', async () => {
  const { target, close } = await referenceTarget({});
  onTestFinished(close);
  const further = target.regions.at(-1)?.name ?? '';
  const checks = await checksWith(null);
  const sent = withPrerequisites(checks.flatMap((check) => scenariosAt(check, target)));
  const left = checks.filter((check) => {
    if (check.everywhere !== undefined || placesOf(check, target).length > 1) return false;
    const there = [...withPrerequisites(scenariosIn(onInRegion(check.on, further)))];
    return there.every((one) => sent.has(one) || one.costAt(target).generations === 0);
  });
  const rows = new Set(left.map(({ definition }) => definition.requirement.id));
  expect([...rows].sort()).toEqual(Object.values(ofTheFirst).flat().sort());
});
