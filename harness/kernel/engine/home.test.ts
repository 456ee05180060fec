import { describe, expect, test } from 'vitest';
import type { Defect } from '../../reference/seams.ts';
import { formatId } from '../core/exchange-id.ts';
import { expect as expectExchange } from '../judge/expect.ts';
import { outcomeOf, outcomeOn } from './capture.ts';
import { whenReady } from './executor.ts';
import { addUp, planCheck } from './plan.ts';
import { cheaperElsewhere, onInRegion, scenario, view } from './scenario.ts';
import { checkOn, liveRun, record, reference, replay } from './testing.ts';

/** Scenarios and checks in a further region. */

const one = { requests: 1, generations: 1 };
const created = scenario(
  't/created',
  { needs: { model: { speaks: 'responses' } }, cost: one },
  (io) => io.responses.create(),
);
const asked = scenario(
  't/asked',
  { after: { created }, cost: { requests: 2, generations: 0 } },
  async ({ lists, otherRegion, target }, { created }) => ({
    created,
    home: await lists.list(),
    other: await lists.list({ region: otherRegion }),
    regions: target.regions.map(({ name }) => name),
  }),
);
const regionsOf = ({
  created,
  home,
  other,
}: Record<'created' | 'home' | 'other', { about: { region: string } }>) =>
  [created, home, other].map(({ about }) => about.region);

describe('a scenario in a further region', () => {
  test('is at home there, and so is what comes before it', async () => {
    const { target } = await reference();
    const { run } = liveRun(target);
    const here = await outcomeOf(run, asked);
    const there = await outcomeOf(run, asked.inRegion('us'));
    if (here.kind !== 'captured' || there.kind !== 'captured') throw new Error('not captured');
    expect(regionsOf(here.captured)).toEqual(['eu', 'eu', 'us']);
    expect(regionsOf(there.captured)).toEqual(['us', 'us', 'eu']);
    expect(there.captured.regions).toEqual(['us', 'eu']);
    expect(formatId(there.captured.home.id)).toBe('t/asked@us#main/0');
    // Prompts differ by region, so that an answer of one region is not taken for an answer of another.
    const asks = [here, there].map(({ captured }) => captured.created.request.body);
    expect(asks[0]).not.toEqual(asks[1]);
  });

  test('is one and the same each time, and runs once', async () => {
    const { target, requestCount } = await reference();
    const { run } = liveRun(target);
    expect(asked.inRegion('us')).toBe(asked.inRegion('us'));
    expect(asked.inRegion('us')).not.toBe(asked.inRegion('ap'));
    await outcomeOf(run, asked.inRegion('us'));
    const before = requestCount();
    await outcomeOn(run, onInRegion({ asked, seen: view({ created }, (seen) => seen) }, 'us'));
    expect(requestCount()).toBe(before);
  });

  test('may be one that costs less', async () => {
    const { target } = await reference();
    const { run } = liveRun(target);
    const list = scenario('t/list', { cost: one }, ({ lists }) => lists.list());
    const captured = async (region: string | null) => {
      const on = cheaperElsewhere(created, list);
      const outcome = await outcomeOn(run, region === null ? on : onInRegion(on, region));
      return outcome.kind === 'captured' ? outcome.captured.about : null;
    };
    expect(await captured(null)).toMatchObject({ operation: 'responses.create', region: 'eu' });
    expect(await captured('us')).toMatchObject({ operation: 'models.list', region: 'us' });
  });

  test('is recorded, and judged again', async () => {
    const { target, requestCount } = await reference();
    const { path, outcomes } = await record(target, [asked, asked.inRegion('us')]);
    const sent = requestCount();
    const again = replay(path);
    expect(await outcomeOf(again, asked.inRegion('us'))).toEqual(outcomes[1]);
    expect(await outcomeOf(again, asked)).toEqual(outcomes[0]);
    expect(again.unasked).toEqual([]);
    expect(requestCount()).toBe(sent);
  });
});

/** Not all regions have all models: in the last one, what is listed is served, and nothing else. */
const having = (models: readonly string[], listed = models): Defect => ({
  id: 'regions.fewer-models',
  what: 'The second region has fewer models.',
  regions: ['us'],
  override: ({ policy }) => ({
    policy: {
      findModel: (id, call) => (models.includes(id) ? policy.findModel(id, call) : undefined),
      listedModels: (key, call) =>
        policy.listedModels(key, call).filter(({ id }) => listed.includes(id)),
    },
  }),
});

describe('a check that is judged in each region', () => {
  const served = checkOn(
    't/served',
    created,
    (answer) => expectExchange(answer).toBeServed(),
    true,
  );

  test('is planned there, with the lists of models that it looks at first', async () => {
    const { target } = await reference({ regions: ['eu', 'us', 'ap'] });
    const { generations, checks } = addUp([planCheck(served, target)]);
    expect(generations).toBe(3);
    expect(checks[0]?.judgedOn).toEqual(['t/created', 't/created@us', 't/created@ap']);
    expect(checks[0]?.scenarios.map(({ name }) => name)).toContain('regions/models@ap');
  });

  test.each([
    ['asks for a model that the region has', having(['ts-responses']), 'pass'],
    ['does not apply without any', having([]), 'pass'],
    ['asks all the same where only the list is short', having(['ts-omni'], []), 'pass'],
    ['asks where the region lists what it does not have', having([], ['ts-omni']), 'fail'],
  ])('%s', async (_, defect, state) => {
    const { target } = await reference({ defect });
    const { run } = liveRun(target);
    const verdict = await (await whenReady(run, served))();
    expect(verdict.state).toBe(state);
    if (verdict.state === 'fail') expect(verdict.actual).toMatch(/^in region us: 400/);
  });
});
