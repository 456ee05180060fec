import { expect, test } from 'vitest';
import { Inconclusive } from '../../judge/failure.ts';
import { scenario } from '../scenario.ts';
import type { Sequence } from '../session.ts';
import { liveRun, targetAt } from '../testing.ts';
import { startScenarios } from './sequence.ts';

/** Starts ten scenarios that send nothing, and tells what happened when. */
async function started(sequence: Sequence, seed = 1): Promise<string[]> {
  const said: string[] = [];
  const ten = Array.from({ length: 10 }, (_, number) =>
    scenario(`s${number}`, { cost: { requests: 0, generations: 0 } }, async () => {
      said.push(`s${number}`);
      await new Promise((resolve) => setImmediate(resolve));
      said.push(`/s${number}`);
    }),
  );
  const { run } = liveRun(targetAt('http://127.0.0.1:1'), { seed, sequence });
  await startScenarios(run, ten);
  await Promise.all(run.outcomes.values());
  return said;
}

const written = Array.from({ length: 10 }, (_, number) => `s${number}`);
const beginnings = (said: readonly string[]) => said.filter((word) => !word.startsWith('/'));

test('all scenarios start together, in the order in which they are written', async () => {
  const said = await started({});
  expect(said.slice(0, 10)).toEqual(written);
  expect(said).toHaveLength(20);
});

test('shuffled, they start together in an order that the seed draws, and draws again', async () => {
  const said = await started({ shuffle: true });
  expect(said.slice(0, 10)).toEqual(beginnings(said));
  expect(beginnings(said).sort()).toEqual(written);
  expect(beginnings(said)).not.toEqual(written);
  expect(await started({ shuffle: true })).toEqual(said);
  expect(beginnings(await started({ shuffle: true }, 2))).not.toEqual(beginnings(said));
});

test('one after another, each starts when the one before has its outcome', async () => {
  const inTurn = (names: readonly string[]) => names.flatMap((name) => [name, `/${name}`]);
  expect(await started({ serial: true })).toEqual(inTurn(written));
  const shuffled = beginnings(await started({ shuffle: true }));
  expect(await started({ shuffle: true, serial: true })).toEqual(inTurn(shuffled));
});

test('what expires starts when all else is there, and only for those who need it', async () => {
  const said: string[] = [];
  const saying = (name: string, options: Partial<Parameters<typeof scenario>[1]> = {}) =>
    scenario(name, { cost: { requests: 0, generations: 0 }, ...options }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      said.push(name);
    });
  const run = saying('run', { expires: true });
  const named = saying('named', { expires: true, after: { run, witness: saying('witness') } });
  const control = saying('control', { after: { first: saying('first') } });
  const refused = scenario('refused', { cost: { requests: 0, generations: 0 } }, async () => {
    throw new Inconclusive('nothing came');
  });
  const wasted = saying('wasted', { expires: true });
  const { run: target } = liveRun(targetAt('http://127.0.0.1:1'));
  await startScenarios(target, [
    saying('acted', { after: { named, control } }),
    saying('never', { after: { wasted, refused } }),
  ]);
  await Promise.all(target.outcomes.values());
  expect(said).toEqual(['first', 'control', 'witness', 'run', 'named', 'acted']);
});
