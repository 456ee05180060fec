import { expect, test } from 'vitest';
import { UnknownRequirement } from '../../kernel/core/catalogue.ts';
import { reference } from '../../kernel/engine/testing.ts';
import type { Target } from '../../kernel/targets/target.ts';
import { runMany } from './run-many.ts';

const filters = ['generation/responses.shape'];

async function named(
  name: string,
  latencyMs = 0,
): Promise<{ target: Target; asked: () => number }> {
  const { target, requestCount } = await reference({ latencyMs });
  return { target: { ...target, name }, asked: requestCount };
}

test('each result comes as soon as it is there, and one that cannot be judged keeps no other', async () => {
  const [slow, quick] = await Promise.all([named('slow', 400), named('quick')]);
  // A target without any region cannot be judged.
  const impossible = { ...quick.target, name: 'impossible', regions: [] };
  const targets = [slow.target, impossible, quick.target];
  const came: string[] = [];
  for await (const { target, result, error } of runMany({ targets, seed: 1, filters })) {
    came.push(`${target.name} ${error === null ? result.counts.pass : 'error'}`);
  }
  expect(came).toHaveLength(3);
  expect(came).toContain('quick 1');
  expect(came.at(-1)).toBe('slow 1');
});

test('so many are judged at once as asked for, and none further when nobody takes results', async () => {
  const all = await Promise.all(['one', 'two', 'three'].map((name) => named(name)));
  const targets = all.map(({ target }) => target);
  for await (const { target } of runMany({ targets, seed: 1, filters, atOnce: 1 })) {
    expect(target.name).toBe('one');
    break;
  }
  expect(all.map(({ asked }) => asked())).toEqual([1, 0, 0]);
});

test('a filter that matches nothing is told before anything is sent', async () => {
  const { target, asked } = await named('one');
  const judged = runMany({ targets: [target], seed: 1, filters: ['no/such'] });
  await expect(judged.next()).rejects.toThrow(UnknownRequirement);
  expect(asked()).toBe(0);
});
