import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { shardNumber } from '../../kernel/cli/options/option-values.ts';
import { inProcess as call } from '../../kernel/cli/testing.ts';
import type { RunResult } from '../../kernel/core/result.ts';
import { renderJson } from '../../kernel/report/json.ts';
import { readReport } from '../../kernel/report/read-report.ts';
import { targetFileOf } from '../../kernel/targets/served-target-file.ts';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';

/** Parts of runs against a real gateway: shards that are merged, and what failed run again. */

const folder = temporaryFolder();
const targetFile = join(folder, 'target.yaml');

const gateway = await startReference();
writeFileSync(targetFile, targetFileOf(gateway));
afterAll(() => gateway.close());

/** Runs, and gives the report. */
async function report(file: string, line: string): Promise<RunResult> {
  const path = join(folder, file);
  const { err } = await call(
    `run --target ${targetFile} --json ${path} --rps 1000 --quiet ${line}`,
  );
  expect(err).toBe('');
  return readReport(readFileSync(path, 'utf8'), path);
}

const statesOf = ({ checks }: RunResult) => checks.map(({ id, verdict }) => [id, verdict.state]);

// The steps depend on each other, so they must not be shuffled.
describe('a run that is split', { shuffle: false }, () => {
  const ids = 'generation/responses storage/responses.lookup models/list';

  test('comes to the verdict of the whole, check by check', async () => {
    const [whole, ...parts] = await Promise.all([
      report('whole.json', `${ids} --seed 1`),
      ...[1, 2].map((index) => report(`part-${index}.json`, `${ids} --shard ${index}/2`)),
    ]);
    for (const part of parts) expect(part.counts.pass).toBeGreaterThan(0);
    const files = [1, 2].map((index) => join(folder, `part-${index}.json`));
    const merged = join(folder, 'merged.json');
    const { code } = await call(`merge ${files.join(' ')} --json ${merged} --quiet`);
    const result = readReport(readFileSync(merged, 'utf8'), merged);
    expect(statesOf(result)).toEqual(statesOf(whole));
    expect(result.verdict).toBe(whole.verdict);
    expect(code).toBe(2);
    // Three runs, on a machine that may be busy.
  }, 120_000);

  test('has the exchanges of its parts in the HTML report, or says which it lacks', async () => {
    // MAYs, whose findings rest on exchanges even where nothing is wrong.
    const parts = await Promise.all(
      [1, 2].map((index) =>
        report(
          `shown-${index}.json`,
          `generation/limits.limit-omitted --shard ${index}/2 --record ${join(folder, `shown-${index}.jsonl`)}`,
        ),
      ),
    );
    for (const part of parts) expect(part.counts.note).toBeGreaterThan(0);
    const page = join(folder, 'shown.html');
    const [one, other] = [1, 2].map((index) => join(folder, `shown-${index}`));
    const merge = (recordings: string) =>
      call(`merge ${one}.json ${other}.json --html ${page} ${recordings}`);

    const whole = await merge(`--recordings ${other}.jsonl ${one}.jsonl`);
    expect(whole.err).toBe('');
    const text = readFileSync(page, 'utf8');
    expect(text).not.toContain('not recorded');
    const judged = parts.flatMap(({ checks }) =>
      checks.flatMap(({ verdict }) => ('evidence' in verdict ? [verdict.evidence?.exchange] : [])),
    );
    expect(text.match(/ id="exchange-\d+">/g)).toHaveLength(new Set(judged).size);

    const half = await merge(`--recordings ${one}.jsonl`);
    expect(half.err).toContain(`The HTML report has no exchanges of ${other}.json:`);
    expect(readFileSync(page, 'utf8')).toContain(`the exchanges of ${other}.json`);
    expect(readFileSync(page, 'utf8')).toContain(' id="exchange-0">');

    const twice = await merge(`--recordings ${one}.jsonl ${one}.jsonl`);
    expect(twice.err).toContain(`are both of ${one}.json`);
    expect(twice.code).toBe(3);
    const lost = await call(
      `merge ${one}.json --html ${page} --recordings ${one}.jsonl ${other}.jsonl`,
    );
    expect(lost.err).toBe(`Ignored ${other}.jsonl: it belongs to none of these reports.\n`);
    expect(lost.code).toBe(2);
  }, 120_000);

  test('without one of its parts is indeterminate', async () => {
    const { code, out } = await call(`merge ${join(folder, 'part-2.json')}`);
    expect(code).toBe(2);
    expect(out).toContain('of 2 parts, 1 is missing');
    expect(out).toContain('INDETERMINATE');
  });

  test('with a part twice is wrong usage', async () => {
    const part = join(folder, 'part-1.json');
    const { code, err } = await call(`merge ${part} ${part}`);
    expect(code).toBe(3);
    expect(err).toContain('are both part 1/2');
  });

  test('has a part for each shard, or says so', async () => {
    const line = `run --target ${targetFile} generation/responses.shape --shard 2/2`;
    const { code, err } = await call(line);
    expect(err).toContain('--shard 2/2: nothing is left for this part');
    expect(code).toBe(3);
  });

  test.each(['0/2', '3/2', '1', 'a/b', '1/0'])('has no part %s', (text) => {
    expect(() => shardNumber(text)).toThrow('Expected i/n');
  });
});

test('what failed is run again, with its seed, and nothing else', async () => {
  const earlier = await report('earlier.json', 'generation/responses.shape models/list --seed 99');
  const failed = 'generation/responses.shape';
  const checks = earlier.checks.map((check) =>
    check.id === failed
      ? {
          ...check,
          verdict: { state: 'fail' as const, expected: 'a', actual: 'b', evidence: null },
        }
      : check,
  );
  const file = join(folder, 'failed.json');
  writeFileSync(file, renderJson({ ...earlier, checks }));
  const again = await report('again.json', `--rerun-failed ${file}`);
  const judged = again.checks.filter(({ verdict }) => verdict.state !== 'excluded');
  expect(judged).toMatchObject([{ id: failed, verdict: { state: 'pass' } }]);
  expect(again.seed).toBe(99);
  expect(again.checks.find(({ id }) => id !== failed)?.verdict).toEqual({
    state: 'excluded',
    reason: `Passed, or was not tested, in ${file}`,
  });

  const green = await call(`run --reference embedded --rerun-failed ${join(folder, 'again.json')}`);
  expect(green.err).toContain('nothing failed there and nothing was left undecided');
  expect(green.code).toBe(3);
}, 120_000);
