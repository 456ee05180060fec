import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rejudge } from '../../../kernel/engine/index.ts';
import { temporaryFolder } from '../../../testing.ts';
import type { Fault } from './testing-asked-faults.ts';
import { faults } from './testing-faults.ts';
import { brokenIn, judgeProxy } from './testing-judge.ts';

/** Rows that a few requests decide. `faults.test.ts` judges each fault by all rows. */
const filters = [
  'provider/usage',
  'provider/asked.model',
  'provider/told.text',
  'provider/asked.once',
];

const folder = temporaryFolder();

test('a right gateway is not blamed, and its recording comes to the same verdicts', async () => {
  const recording = join(folder, 'run.jsonl');
  const result = await judgeProxy({ filters, recording });
  const own = result.checks.filter(({ verdict }) => verdict.state !== 'excluded');
  expect(own.filter(({ verdict }) => verdict.state !== 'pass')).toEqual([]);
  expect(own.length).toBe(26);
  expect(result.target.providers?.map(({ model }) => model)).toContain('ts-chat-x');
  const text = readFileSync(recording, 'utf8');
  expect(text).toContain('"side":"back"');
  expect(text).not.toContain('sk-provider-of-the-proxy-0002');
  const again = await rejudge(recording);
  expect(again.unasked).toEqual([]);
  const states = (of: typeof result) => of.checks.map(({ id, verdict }) => [id, verdict.state]);
  expect(states(again.result)).toEqual(states(result));
});

test('a recording whose provider said something else is stale', async () => {
  const recording = join(folder, 'stale.jsonl');
  await judgeProxy({ filters: ['provider/asked.model:messages'], recording });
  const lines = readFileSync(recording, 'utf8').split('\n');
  const changed = lines.map((line) =>
    line.includes('"side":"back"') && line.includes('conversation')
      ? line.replaceAll('An answer about', 'In answer about')
      : line,
  );
  expect(changed).not.toEqual(lines);
  writeFileSync(recording, changed.join('\n'));
  const { result } = await rejudge(recording);
  const found = result.checks.find(({ id }) => id === 'provider/asked.model:messages');
  expect(found?.verdict.state).toBe('error');
});

describe('a fault is noticed', () => {
  const chosen = ['counts-input-anew', 'asks-for-the-name-of-its-front', 'asks-twice'];
  test.each(faults.filter(({ id }) => chosen.includes(id)))(
    '$id',
    async ({ breaks, seams }: Fault) => {
      const broken = brokenIn(
        await judgeProxy({ seams: seams(), filters: breaks.map((id) => `provider/${id}`) }),
      );
      expect(broken.length).toBe(4);
    },
  );
});

test('a route that nobody asked is one finding, and no failure', async () => {
  const result = await judgeProxy({
    filters: ['provider/routing', 'provider/asked.model'],
    elsewhere: 'http://127.0.0.1:9',
  });
  const judged = result.checks.filter(({ verdict }) => verdict.state !== 'excluded');
  const [routing, others] = [true, false].map((isRouting) =>
    judged.filter(({ id }) => id.startsWith('provider/routing') === isRouting),
  );
  expect(routing?.map(({ verdict }) => verdict.state)).toEqual(Array(4).fill('inconclusive'));
  expect(others?.map(({ verdict }) => verdict.state)).toEqual(Array(4).fill('not-applicable'));
});

test.each(['provider/errors.class:messages.500', 'provider/told.call-ids:messages'])(
  'an answer that was lost decides nothing: %s',
  async (id) => {
    let requests = 0;
    const result = await judgeProxy({
      filters: [id],
      // The four plain requests come first.
      seams: { hangs: () => ++requests > 4 },
      timeoutMs: 2_000,
    });
    expect(result.checks.find((one) => one.id === id)?.verdict.state).toBe('inconclusive');
  },
);
