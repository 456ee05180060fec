import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { type ReferenceGateway, startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import type { RunResult } from '../core/result.ts';
import { readRecording } from '../recordings/recording.ts';
import { targetFileOf } from '../targets/served-target-file.ts';
import { reportAt } from '../terminal/report-at.ts';
import { call, inProcess, start } from './testing.ts';

/** One run of a sound gateway and one with a planted fault: once, and when interrupted, each in a thread of its own. */

const broken = 'access/credentials.key-required:lookup';
const sound = 'generation/responses.shape';
const ids = `${broken} ${sound} --rps 1000`;

const files = temporaryFolder();
let folder: string;

const renamed = (gateway: ReferenceGateway, name: string): string =>
  targetFileOf(gateway).replace('name: served', `name: ${JSON.stringify(name)}`);

const defect = faults.find(({ id }) => id === 'auth.keyless-lookup');
if (defect === undefined) throw new Error('There is no such fault');
const [good, bad] = await Promise.all([startReference(), startReference({ defect })]);
writeFileSync(join(files, 'good.yaml'), renamed(good, 'sound'));
writeFileSync(join(files, 'bad.yaml'), renamed(bad, 'staging/eu: "new"'));
writeFileSync(join(files, 'twin.yaml'), renamed(bad, 'sound'));
writeFileSync(join(files, 'broken.yaml'), 'keys: {}\n');
// Each region has an address of its own, at which nobody listens.
const [eu, us] = good.regions.map(({ baseUrl }) => baseUrl);
const down = renamed(good, 'down')
  .replaceAll(eu ?? '', 'http://127.0.0.1:1')
  .replaceAll(us ?? '', 'http://127.0.0.1:2');
writeFileSync(join(files, 'down.yaml'), down);
afterAll(() => Promise.all([good.close(), bad.close()]));
beforeEach(() => {
  folder = temporaryFolder();
});

/** `run` with these target files. */
const run = (targets: string, line: string): string =>
  `run ${targets
    .split(' ')
    .map((name) => `--target ${join(files, name)}`)
    .join(' ')} ${line}`;

const report = (name: string): RunResult => reportAt(join(folder, name));

const stateOf = ({ checks }: RunResult, wanted: string) =>
  checks.find(({ id }) => id === wanted)?.verdict.state;

const requests = (): number => good.requestCount() + bad.requestCount();

describe('several targets', () => {
  test('have a verdict and reports each, and the exit code is that of the worst', async () => {
    const names = ['json', 'junit', 'ctrf', 'badge', 'html', 'record'];
    const written = names.map((name) => `--${name} ${folder}/{target}.${name}`).join(' ');
    const { code, out, err } = await call(
      run('good.yaml bad.yaml down.yaml', `${ids} ${written} --markdown ${folder}/all.md`),
    );
    expect(code).toBe(1);
    expect(stateOf(report('sound.json'), broken)).toBe('pass');
    expect(stateOf(report('staging-eu-new.json'), broken)).toBe('fail');
    expect(report('sound.json').seed).toBe(report('staging-eu-new.json').seed);
    for (const name of names) {
      expect(existsSync(join(folder, `sound.${name}`)), name).toBe(true);
      expect(existsSync(join(folder, `staging-eu-new.${name}`)), name).toBe(true);
      expect(existsSync(join(folder, `down.${name}`)), name).toBe(false);
    }
    const last = out.slice(out.lastIndexOf('━━\n'));
    expect(last).toContain('3 targets, 0 of them conformant');
    expect(last).toMatch(/◐ sound +PARTIAL +2 passed/);
    expect(last).toMatch(/✗ staging\/eu: "new" +NONCONFORMANT +1 passed, 1 failed/);
    expect(last).toMatch(/✗ down +UNREACHABLE +http:\/\/127\.0\.0\.1:1 /);
    const all = readFileSync(join(folder, 'all.md'), 'utf8');
    expect(all).toContain('| ◐ sound | PARTIAL |');
    expect(all).toContain(broken);
    const keys = [good, bad].flatMap((gateway) => Object.values(gateway.keys));
    const outputs = [out, err, all, readFileSync(join(folder, 'sound.record'), 'utf8')];
    for (const key of keys) for (const text of outputs) expect(text).not.toContain(key);
    // A recording holds the exchanges of its own target only.
    const { exchanges } = readRecording(join(folder, 'sound.record'));
    expect(exchanges).toHaveLength(report('sound.json').traffic.requests);
  }, 120_000);

  test('of the same name are distinguished by their files', async () => {
    const { code, out } = await inProcess(
      run('good.yaml twin.yaml', `${ids} --json ${folder}/{target}.json --quiet`),
    );
    expect(code).toBe(1);
    const name = (file: string): string => `sound (${join(files, file)})`;
    expect(out).toContain(name('good.yaml'));
    const slug = (file: string): string =>
      `sound-${join(files, file).replaceAll('/', '-').slice(1)}`;
    const [one, other] = ['good', 'twin'].map((file) => {
      return report(`${slug(file)}.json`);
    });
    expect(one?.target.name).toBe(name('good.yaml'));
    expect(other?.target.name).toBe(name('twin.yaml'));
    expect(one && stateOf(one, broken)).toBe('pass');
    expect(other && stateOf(other, broken)).toBe('fail');
  }, 120_000);

  test('that nobody listens at leave the verdict of the others, and exit with 4', async () => {
    const { code, out } = await inProcess(
      run('down.yaml good.yaml', `${ids} --allow-partial --targets-at-once 1`),
    );
    expect(code).toBe(4);
    expect(out).toContain('cannot be reached');
    expect(out).toMatch(/◐ sound +PARTIAL +2 passed/);
  }, 120_000);

  test('share their known failures: what one still needs is stale for none', async () => {
    const list = join(folder, 'known.txt');
    writeFileSync(list, `${broken}\n`);
    const line = `${ids} --allow-partial --known-failures`;
    expect((await inProcess(run('good.yaml bad.yaml', `${line} ${list}`))).code).toBe(0);
    const alone = await inProcess(run('good.yaml', `${line} ${list}`));
    expect(alone.out).toContain('Stale known failures (1)');
    expect(alone.code).toBe(1);
  }, 120_000);

  test('have lists of known failures of their own, and run again what failed at each', async () => {
    writeFileSync(join(folder, 'sound.txt'), `${broken}\n`);
    writeFileSync(join(folder, 'staging-eu-new.txt'), `${broken}\n`);
    const own = `--known-failures ${folder}/{target}.txt --json ${folder}/{target}.json`;
    const first = await inProcess(run('good.yaml bad.yaml', `${ids} --allow-partial ${own}`));
    expect(first.code).toBe(1);
    expect(report('sound.json').knownFailures?.stale).toEqual([broken]);
    expect(report('staging-eu-new.json').knownFailures?.excused).toEqual([broken]);

    const before = good.requestCount();
    const again = `--rps 1000 --rerun-failed ${folder}/{target}.json --json ${folder}/{target}-2.json`;
    const { code, out } = await inProcess(run('good.yaml bad.yaml', again));
    expect(code).toBe(1);
    expect(out).toMatch(/- sound +SKIPPED/);
    expect(good.requestCount()).toBe(before);
    const judged = report('staging-eu-new-2.json').checks.filter(
      ({ verdict }) => verdict.state !== 'excluded',
    );
    expect(judged.map(({ id }) => id)).toEqual([broken]);
  }, 120_000);

  test('are split alike, target by target', async () => {
    const parts = [1, 2].map((index) =>
      inProcess(
        run(
          'good.yaml bad.yaml',
          `${broken} models/list --rps 1000 --shard ${index}/2 --json ${folder}/{target}-${index}.json`,
        ),
      ),
    );
    await Promise.all(parts);
    const merged = await Promise.all(
      ['sound', 'staging-eu-new'].map((name) =>
        inProcess(`merge ${folder}/${name}-1.json ${folder}/${name}-2.json --quiet`),
      ),
    );
    expect(merged.map(({ code }) => code)).toEqual([2, 1]);
  }, 120_000);

  test('are interrupted together, and what came is reported', async () => {
    const slow = await Promise.all([1, 2].map(() => startReference({ latencyMs: 300 })));
    onTestFinished(async () => void (await Promise.all(slow.map((gateway) => gateway.close()))));
    for (const [index, gateway] of slow.entries()) {
      writeFileSync(join(files, `slow-${index}.yaml`), renamed(gateway, `slow-${index}`));
    }
    mkdirSync(join(folder, 'out'));
    const running = start(
      run('slow-0.yaml slow-1.yaml down.yaml', `--json ${folder}/out/{target}.json`),
    );
    const begun = (): boolean => slow.every((gateway) => gateway.requestCount() > 3);
    await expect.poll(begun).toBe(true);
    running.interrupt();
    const { code, out } = await running.ended;
    expect(report('out/slow-0.json').interrupted).toBe(true);
    expect(report('out/slow-1.json').interrupted).toBe(true);
    expect(out).toContain('3 targets, 0 of them conformant');
    // One target was unreachable, which outweighs the undecided ones.
    expect(code).toBe(4);
  }, 120_000);
});

test('what several would cost is planned for each and for all, and nothing is sent', async () => {
  const before = requests();
  const plan = run('good.yaml bad.yaml', '').replace(/^run/, 'plan').trim();
  const { code, out } = await inProcess(plan);
  const both = (what: string): string => {
    const each = [...out.matchAll(new RegExp(`^ {2}${what} .*?at most (\\d+)`, 'gm'))];
    expect(each).toHaveLength(2);
    return `${each.reduce((total, [, count]) => total + Number(count), 0)} ${what}`;
  };
  expect(out).toContain(
    `All 2 targets: at most ${both('requests')}, ${both('generations')}, ${both('output tokens')}, not counting`,
  );
  expect(code).toBe(0);
  const listed = JSON.parse((await inProcess(`${plan} --json`)).out);
  expect(listed.map(({ target }: { target: string }) => target)).toEqual([
    'sound',
    'staging/eu: "new"',
  ]);
  expect(requests()).toBe(before);
}, 120_000);

describe('exits with 3, and sends nothing, where', () => {
  test.each([
    ['one target file is broken', 'good.yaml broken.yaml', '', 'broken.yaml has 3 problems'],
    ['several are, with all of them', 'broken.yaml none.yaml', '', 'There is no such file'],
    ['a file is given twice', 'good.yaml good.yaml', '', 'is given twice'],
    [
      'a report would be written twice',
      'good.yaml bad.yaml',
      '--json out/report.json',
      '--json out/report-{target}.json',
    ],
    [
      'an earlier report is of one target',
      'good.yaml bad.yaml',
      '--rerun-failed report.json',
      '--rerun-failed report-{target}.json',
    ],
    [
      'a report of one cannot be written',
      'good.yaml bad.yaml',
      `--json ${files}/{target}.yaml/x`,
      'cannot be written',
    ],
    ['a part has nothing to do', 'good.yaml bad.yaml', `${sound} --shard 9/9`, 'nothing is left'],
    ['a file is not named with --target', 'good.yaml', 'bad.yaml', 'repeat the option for several'],
  ])('%s', async (_, targets, line, said) => {
    mkdirSync(join(files, 'sound.yaml'), { recursive: true });
    writeFileSync(join(files, 'staging-eu-new.yaml'), '');
    const before = requests();
    const { code, out, err } = await inProcess(run(targets, line).trim());
    expect(err).toContain(said);
    expect(out).toBe('');
    expect(code).toBe(3);
    expect(requests()).toBe(before);
  });
});

test('one target, too, can stand in the names of files', async () => {
  const { code } = await inProcess(run('good.yaml', `${ids} --json ${folder}/{target}.json`));
  expect(code).toBe(2);
  expect(report('sound.json').target.name).toBe('sound');
}, 120_000);
