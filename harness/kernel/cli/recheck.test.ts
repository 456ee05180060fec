import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { packageRoot } from '../core/package-root.ts';
import type { CheckResult, RunResult } from '../core/result.ts';
import { targetFileOf } from '../targets/served-target-file.ts';
import { judgedApart } from './judging/apart.ts';
import { inProcess as call } from './testing.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** Durations are measured anew, by a clock without any waiting in between. */
const untimed = ({ durationMs: _, ...check }: CheckResult) => check;

test.each(['--concurrency 64', '--concurrency 1 --shuffle --serial'])(
  'a recorded run is judged again alike without a request, when it was sent with %s',
  { timeout: 180_000 },
  async (how) => {
    const gateway = await startReference({ latencyMs: 4 });
    onTestFinished(() => gateway.close());
    writeFileSync(at('target.yaml'), targetFileOf(gateway));
    // Scenarios with the most races: streams that are acted on while they go on, sockets, polls.
    const ids = [
      'storage/deletion',
      'background/runs',
      'websocket/connection',
      'interruption/connection',
    ];
    const [record, first, second] = [at('run.jsonl'), at('first.json'), at('second.json')];
    const options = `-t ${at('target.yaml')} ${how} --seed 5 --rps 10000 --allow-partial -q`;
    await call(`run ${ids.join(' ')} ${options} --record ${record} --json ${first}`);
    const sent = gateway.requestCount();
    expect(sent).toBeGreaterThan(30);
    await call(`recheck ${record} -q --json ${second}`);
    const read = (name: string): RunResult => JSON.parse(readFileSync(name, 'utf8'));
    const [original, again] = [read(first), read(second)];
    expect(again.checks.map(untimed)).toEqual(original.checks.map(untimed));
    expect(again.filters).toEqual(ids);
    expect(again.traffic.requests).toBe(original.traffic.requests);
    expect(gateway.requestCount()).toBe(sent);
  },
);

test('known failures are excused as in a run, and a stale or unknown one is not', {
  timeout: 180_000,
}, async () => {
  const [record, list] = [at('known.jsonl'), at('known.txt')];
  const fault = faults.find(({ id }) => id === 'store.lookup-date-as-text');
  if (fault === undefined) throw new Error('no such fault');
  const gateway = await startReference({ defect: fault });
  onTestFinished(() => gateway.close());
  writeFileSync(at('faulty.yaml'), targetFileOf(gateway));
  const run = await call(
    `run -t ${at('faulty.yaml')} storage/responses.lookup generation/responses -q --record ${record}`,
  );
  expect(run.code).toBe(1);
  const again = (listed: string) => {
    writeFileSync(list, listed);
    return call(`recheck ${record} -q --allow-partial --known-failures ${list}`);
  };
  const failing = [...run.out.matchAll(/^✗ (\S+)/gm)].map(([, id = '']) => id);
  expect(failing).toContain('storage/responses.lookup-shape');
  const none = await call(`recheck ${record} no/such`);
  expect(none.err).toContain('No check id starts with');
  expect(none.code).toBe(3);
  const unknown = await again('storage/responses.lookup-nothing');
  expect(unknown.err).toContain('is not a check or a requirement');
  expect(unknown.code).toBe(3);
  const excused = await again(failing.join('\n'));
  expect(excused.out).toContain('PARTIAL');
  expect(excused.code, excused.out).toBe(0);
  const stale = await again([...failing, 'generation/responses.shape'].join('\n'));
  expect(stale.out).toContain('Stale known failures (1)');
  expect(stale.code).toBe(1);

  // Simulates the recording of a killed run: complete scenarios are judged, and no errors are reported.
  const lines = readFileSync(record, 'utf8').split('\n');
  writeFileSync(at('killed.jsonl'), `${lines.slice(0, 4).join('\n')}\n{"cut`);
  const killed = await call(`recheck ${at('killed.jsonl')} -q`);
  expect(killed.out).toContain('The run was interrupted.');
  expect(killed.out).not.toContain('internal error');
  expect(killed.err).toContain('ended before it had asked for everything');
  expect(killed.code).toBe(2);
  writeFileSync(at('begun.jsonl'), `${lines[0]}\n`);
  const begun = await call(`recheck ${at('begun.jsonl')} -q`);
  expect(begun.err).toContain('it has no exchanges');
  expect(begun.code).toBe(3);
});

test('a recording that takes too long is left unjudged, and an error keeps its sentence', async () => {
  const worker = join(packageRoot, 'dist', 'harness', 'judging-worker.js');
  const limits = { processorSeconds: 60, heapMegabytes: 512, megabytes: 1_024 };
  const judge = (less: object) =>
    judgedApart({ recording: at('none.jsonl') }, Promise.reject, { ...limits, ...less }, worker);
  await expect(judge({})).rejects.toThrow('none.jsonl is no recording that can be judged');
  await expect(judge({ processorSeconds: 0.01 })).rejects.toMatchObject({ exitCode: 6 });
});

test('nothing is judged again of what is no recording', async () => {
  writeFileSync(at('other.txt'), 'no recording');
  const { code, err } = await call(`recheck ${at('other.txt')}`);
  expect(err).toContain('is no recording that can be');
  expect(code).toBe(3);
});
