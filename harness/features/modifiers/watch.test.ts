import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { touchstone } from '../../kernel/cli/program.ts';
import { targetFileOf } from '../../kernel/targets/served-target-file.ts';
import { memoryTerminal } from '../../kernel/terminal/testing-terminal.ts';
import { faults } from '../../proof/faults/index.ts';
import {
  type ReferenceGateway,
  type ReferenceOptions,
  startReference,
} from '../../reference/index.ts';

/** A gateway that is being worked on, judged again on Enter. */

const broken = 'access/credentials.key-required:lookup';
const sound = 'generation/responses.shape';
const patience = { timeout: 30_000 };

const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
const at = (name: string): string => join(folder, name);

async function gatewayWith(options: ReferenceOptions): Promise<ReferenceGateway> {
  const gateway = await startReference(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Ids of the checks that the last report has a verdict of. */
const judged = (): string[] =>
  JSON.parse(readFileSync(at('report.json'), 'utf8'))
    .checks.filter(({ verdict }: { verdict: { state: string } }) => verdict.state !== 'excluded')
    .map(({ id }: { id: string }) => id)
    .sort();

test('Enter runs what did not pass, and everything once that passes', async () => {
  const defect = faults.find(({ id }) => id === 'auth.keyless-lookup');
  const bad = await gatewayWith(defect === undefined ? {} : { defect });
  writeFileSync(at('dev.yaml'), targetFileOf(bad));
  const terminal = memoryTerminal();
  const line = `run ${broken} ${sound} --target ${at('dev.yaml')} --json ${at('report.json')} --rps 1000 --watch --allow-partial`;
  const ended = touchstone(line.split(' '), terminal);
  const isWaiting = (times: number) =>
    expect.poll(() => terminal.written.err.split('Enter: again').length - 1, patience).toBe(times);
  await isWaiting(1);
  expect(terminal.written.out).toContain('NONCONFORMANT');
  expect(judged()).toEqual([broken, sound].sort());
  terminal.type('');
  await isWaiting(2);
  expect(judged()).toEqual([broken]);

  await bad.close();
  await gatewayWith({ ports: bad.regions.map(({ baseUrl }) => Number(new URL(baseUrl).port)) });
  terminal.type('');
  await isWaiting(3);
  expect(judged()).toEqual([broken]);
  terminal.type('');
  await isWaiting(4);
  expect(judged()).toEqual([broken, sound].sort());
  terminal.type('a');
  await isWaiting(5);
  expect(judged()).toEqual([broken, sound].sort());
  terminal.interrupt();
  expect(await ended).toBe(0);
}, 120_000);

test('Ctrl-C during a run ends it as any run, with a report of the results so far', async () => {
  const gateway = await gatewayWith({ latencyMs: 300 });
  writeFileSync(at('slow.yaml'), targetFileOf(gateway));
  const terminal = memoryTerminal();
  const line = `run storage/ --target ${at('slow.yaml')} --watch --concurrency 2`;
  const ended = touchstone(line.split(' '), terminal);
  await expect.poll(() => gateway.requestCount(), patience).toBeGreaterThan(4);
  terminal.interrupt();
  expect(await ended).toBe(2);
  expect(terminal.written.out).toContain('The run was interrupted.');
}, 120_000);

describe('watching is refused, with what to do instead,', () => {
  test.each([
    ['with a part of a run', '--watch --shard 1/2', 'leave out --watch'],
    ['with several targets', '--watch --target a.yaml --target b.yaml', 'name one target'],
    ['with a budget', '--watch --generations 5', 'says little'],
  ])('%s', async (_, line, said) => {
    const terminal = memoryTerminal();
    expect(await touchstone(['run', ...line.split(' ')], terminal)).toBe(3);
    expect(terminal.written.err).toContain(said);
    expect(terminal.written.out).toBe('');
  });

  test('where nobody can type', async () => {
    const { onLine: _, ...terminal } = memoryTerminal({ CI: 'true' });
    expect(await touchstone(['run', '--watch', '--reference', 'embedded'], terminal)).toBe(3);
    expect(terminal.written.err).toContain('nobody can press it here');
  });
});
