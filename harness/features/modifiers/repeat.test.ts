import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inProcess as call } from '../../kernel/cli/testing.ts';
import { readReport } from '../../kernel/report/read-report.ts';
import { isReport } from '../../kernel/report/report-schema.ts';
import { temporaryFolder } from '../../testing.ts';

const folder = temporaryFolder();

const json = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

test('rounds are announced, judged as one, and recorded one by one', async () => {
  const files = ['json', 'html', 'record'].map((kind) => `--${kind} ${join(folder, `r.${kind}`)}`);
  const ended = await call(
    `run models/list --repeat 3 --seed 5 --allow-partial ${files.join(' ')}`,
  );
  expect(ended.err).toMatch(/^Rounds: 3 × \d+ = \d+ generations at a right gateway, at most 3 × /m);
  expect(ended.out).toContain('held in 3 of 3: at most 64 % at 95 %');
  expect(ended.out).toContain('r-*.record');
  const report = json('r.json');
  expect(isReport(report)).toBe(true);
  const { repeated } = readReport(JSON.stringify(report), 'r.json');
  expect(repeated?.rounds.map(({ cut }) => cut)).toEqual([undefined, undefined, undefined]);
  const [first, second] = repeated?.rounds ?? [];
  expect([first?.seed, first?.seed === second?.seed]).toEqual([5, false]);
  expect(existsSync(join(folder, 'r.record'))).toBe(false);
  const again = join(folder, 'again.json');
  await call(`recheck ${join(folder, 'r-2.record')} --json ${again}`);
  expect(json('again.json')).toMatchObject({ seed: second?.seed, runId: second?.runId });
  expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('<dt>Tries</dt>');
});

test('what load there was stands beside the verdict, and is judged again from its recording', async () => {
  const files = ['json', 'record'].map((kind) => `--${kind} ${join(folder, `l.${kind}`)}`);
  const ids = 'models/list everywhere/content.own-words-only:chat-completions';
  const line = `run ${ids} --under-load 3 --load-generations 9 --allow-partial ${files.join(' ')}`;
  const ended = await call(line);
  expect(ended.err).toContain(
    'Under load: up to 3 generations in flight meanwhile, at most 9 more',
  );
  expect(ended.out).toMatch(
    /Under load: up to 3 generations of others in flight, [\d.]+ on average, beside \d+ of/,
  );
  const { traffic, checks } = json('l.json');
  expect(traffic.load).toMatchObject({ inFlight: 3, most: 9 });
  expect(isReport(json('l.json'))).toBe(true);
  await call(`recheck ${join(folder, 'l.record')} --json ${join(folder, 'same.json')}`);
  const same = json('same.json');
  expect(same.traffic.load).toEqual(traffic.load);
  const verdicts = (all: readonly { verdict: { state: string } }[]) =>
    all.map(({ verdict }) => verdict.state);
  expect(verdicts(same.checks)).toEqual(verdicts(checks));
});

test('plan multiplies what rounds and load cost', async () => {
  const { out } = await call('plan models/list --repeat 4 --under-load 2 --json');
  const { requests, load, rounds, allRounds } = JSON.parse(out);
  expect({ rounds, all: allRounds.requests }).toEqual({ rounds: 4, all: 4 * requests });
  expect(load).toMatchObject({ inFlight: 2 });
  const { out: told } = await call('plan models/list --repeat 4 --under-load 2');
  expect(told).toMatch(/^ {2}rounds +4 × /m);
  expect(told).toMatch(/^ {2}under load +in each round up to 2 generations in flight/m);
});

test.each([
  ['--repeat 2 --shard 1/2', 'leave out --repeat'],
  ['--under-load 2 --shard 1/2', 'leave out --under-load'],
  ['--load-generations 5', 'add that'],
  ['--under-load 2 --generations 5 --load-generations 5', 'nothing of it for the run'],
])('run %s is refused, with a reason', async (options, reason) => {
  const { code, err } = await call(`run models/list ${options}`);
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(reason) });
});
