import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { noticedByChecks } from '../../proof/noticed-by.ts';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { placeOf } from '../core/place.ts';
import { protocols } from '../core/protocol.ts';
import type { RunResult } from '../core/result.ts';
import type { Plan } from '../engine/plan.ts';
import { targetFileOf } from '../targets/served-target-file.ts';
import { reportAt } from '../terminal/report-at.ts';
import { inProcess as call } from './testing.ts';

const folder = temporaryFolder();

const report = (name: string): RunResult => reportAt(join(folder, name));

const judged = ({ checks }: RunResult): string[] =>
  checks.filter(({ verdict }) => verdict.state !== 'excluded').map(({ id }) => id);

const planned = async (line: string): Promise<Plan> =>
  JSON.parse((await call(`plan --json ${line}`)).out);

test('a smoke run looks at each protocol, and costs ten generations', {
  timeout: 60_000,
}, async () => {
  const { err } = await call(`run --smoke --json ${join(folder, 'smoke.json')}`);
  expect(err).toContain('for 10 generations at a right gateway');
  const result = report('smoke.json');
  expect(result).toMatchObject({ verdict: 'partial', traffic: { generations: 10 } });
  const passed = result.checks.filter(({ verdict }) => verdict.state === 'pass');
  expect(new Set(passed.map(({ id }) => placeOf(id).subject))).toEqual(
    new Set([...protocols, 'models', 'other']),
  );
});

describe('run --generations', { timeout: 60_000 }, () => {
  test('asks for no more, says what it notices, and judges what plan shows', async () => {
    const { err } = await call(`run --generations 10 --json ${join(folder, 'ten.json')}`);
    expect(err).toMatch(
      /^\d+ of \d+ checks, for 10 generations at most: they notice about \d+ % of the planted faults\.$/m,
    );
    const ten = report('ten.json');
    expect(ten.traffic.generations).toBeGreaterThan(0);
    expect(ten.traffic.generations).toBeLessThanOrEqual(10);
    expect(ten.verdict).toBe('partial');
    expect(ten.checks.find(({ verdict }) => verdict.state === 'excluded')?.verdict).toMatchObject({
      reason: expect.stringContaining('Left out by --generations 10'),
    });
    const plan = await planned('--generations 10');
    expect(plan.checks.map(({ id }) => id).sort()).toEqual(judged(ten).sort());
    expect(plan.generations).toBeLessThanOrEqual(10);
    expect((await call('plan --generations 10')).out).toMatch(
      /: they notice about \d+ % of the planted faults\.$/m,
    );
  });

  test('goes with ids, with an earlier report, and with parts, which share it', async () => {
    const within = await planned('--generations 4 access/owners');
    expect(within.checks.length).toBeGreaterThan(0);
    expect(within.checks.every(({ id }) => id.startsWith('access/owners'))).toBe(true);
    await call(`run --generations 7 --shard 1/2 --json ${join(folder, 'one.json')}`);
    await call(`run --generations 7 --shard 2/2 --json ${join(folder, 'two.json')}`);
    const [one, two] = [report('one.json').traffic, report('two.json').traffic];
    expect(one.generations).toBeLessThanOrEqual(4);
    expect(two.generations).toBeLessThanOrEqual(3);
    const merged = await call(`merge ${join(folder, 'one.json')} ${join(folder, 'two.json')}`);
    expect(merged.out).toContain('PARTIAL');
  });

  test('repeats what failed within it', async () => {
    const defect = faults.find(({ id }) => id === 'chat-completions.limit-ignored');
    expect(defect).toBeDefined();
    const gateway = await startReference(defect === undefined ? {} : { defect });
    try {
      const file = join(folder, 'bad.yaml');
      writeFileSync(file, targetFileOf(gateway));
      const target = `--target ${file}`;
      await call(`run ${target} generation --json ${join(folder, 'failed.json')}`);
      const again = `--rerun-failed ${join(folder, 'failed.json')} --generations 4`;
      await call(`run ${target} ${again} --json ${join(folder, 'again.json')}`);
      const repeated = report('again.json');
      expect(judged(repeated).length).toBeGreaterThan(0);
      expect(repeated.traffic.generations).toBeLessThanOrEqual(4);
      const both = `${target} --target ${join(folder, 'good.yaml')}`;
      writeFileSync(join(folder, 'good.yaml'), targetFileOf(gateway).replace('served', 'good'));
      const { err } = await call(`run ${both} --generations 2`);
      expect(err.match(/for 2 generations at most/g)).toHaveLength(2);
    } finally {
      await gateway.close();
    }
  });

  test.each([
    ['run --generations some', 'Expected a whole number from 0 to 1000000.'],
    [
      'run --generations 0 generation/chat-completions.shape',
      'the cheapest needs 1 generation. Give 1 or more',
    ],
    ['plan --generations 0 generation/chat-completions.shape', 'the cheapest needs 1 generation'],
  ])('teaches what is wrong with `%s`', async (line, said) => {
    expect(await call(line)).toMatchObject({ code: 3, err: expect.stringContaining(said) });
  });
});

test('every planted fault is noticed by some check, so all of them together notice all', () => {
  const { faults: number, by } = noticedByChecks();
  expect(new Set([...by.values()].flatMap((names) => [...names])).size).toBe(number);
});
