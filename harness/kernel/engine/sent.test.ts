import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { formatId } from '../core/exchange-id.ts';
import { readRecording } from '../recordings/recording.ts';
import { serveHttp } from '../wire/testing-server.ts';
import { outcomeOf } from './capture.ts';
import type { Outcome } from './outcome.ts';
import { ReplayRun } from './recordings/replay-run.ts';
import { type Scenario, scenario } from './scenario.ts';
import { startScenarios } from './schedule/sequence.ts';
import { wholeRunOf } from './sent.ts';
import { liveRun, record, targetAt } from './testing.ts';

const cost = { requests: 1, generations: 0 };

const asks = (name: string, options: Partial<Parameters<typeof scenario>[1]> = {}) =>
  scenario(name, { cost, ...options }, ({ lists }) => lists.list());

/** Asks once more for each request of the run, and tells which they were. */
const counts = scenario('t/counts', { cost, last: true }, async ({ lists, sent }) => {
  const all = await sent();
  await lists.list({ headers: { 'x-sent': String(all.length) } });
  return all.map(({ id }) => formatId(id));
});

async function target() {
  const server = await serveHttp((_, answer) => {
    answer.setHeader('content-type', 'application/json').end('{"data":[]}');
  });
  return targetAt(server.url);
}

const captured = (outcome: Outcome | undefined): unknown =>
  outcome?.kind === 'captured' ? outcome.captured : outcome;

test.each([{}, { serial: true }, { shuffle: true, serial: true }])(
  'what comes last knows of all that was sent, and of what started late: %o',
  async (sequence) => {
    const late = asks('t/late', { expires: true });
    const first = asks('t/first', { after: { late, control: asks('t/control') } });
    const { run } = liveRun(await target(), { sequence });
    await startScenarios(run, [counts, first]);
    expect(captured(await run.outcomes.get(counts))).toEqual([
      't/control#main/0',
      't/first#main/0',
      't/late#main/0',
    ]);
  },
);

test('all who wait for the whole run get what started meanwhile', async () => {
  const late = asks('t/late', { expires: true });
  const first = asks('t/first', { after: { late, control: asks('t/control') } });
  const { run } = liveRun(await target());
  const started = startScenarios(run, [first]);
  const wholes = await Promise.all([wholeRunOf(run), wholeRunOf(run)]);
  await started;
  for (const { exchanges } of wholes) {
    expect(exchanges.map(({ id }) => id.scenario)).toEqual(['t/control', 't/first', 't/late']);
  }
  expect(await wholeRunOf(run)).toBe(wholes[0]);
});

test('a recording tells it of all that was recorded, whichever part is judged', async () => {
  const [one, other] = [asks('t/one'), asks('t/other')];
  const at = await target();
  const { path } = await record(at, [one, other, counts]);
  const { exchanges } = readRecording(path);
  const { run } = liveRun(at, { seed: 11, runId: 'run-of-the-test' });
  const again = ReplayRun.forgiving(run, exchanges);
  await startScenarios(again, [one, counts]);
  expect(again.strays).toBe(0);
  const known = exchanges
    .filter(({ id }: Exchange) => id.scenario !== 't/counts')
    .map(({ id }) => formatId(id));
  expect(captured(await outcomeOf(again, counts))).toEqual(known.sort());
});

test('a scenario that does not come last cannot know, and nothing comes after one that does', async () => {
  const early = scenario('t/early', { cost }, ({ sent }) => sent());
  const { run } = liveRun(await target());
  expect(await outcomeOf(run, early)).toMatchObject({
    kind: 'error',
    error: new Error('t/early does not come last: it cannot know what will be sent'),
  });
  const after: Record<string, Scenario> = { counts };
  expect(() => asks('t/after', { after })).toThrow('t/after comes after t/counts');
  expect(counts.inRegion('elsewhere')).toBe(counts);
});
