import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import {
  type ReferenceGateway,
  type ReferenceOptions,
  startReference,
} from '../../reference/index.ts';
import { targetFileOf } from '../targets/served-target-file.ts';
import { memoryTerminal } from '../terminal/testing-terminal.ts';
import { touchstone } from './program.ts';
import { type Started, start } from './testing.ts';

/** A gateway that is being worked on: `run --watch` in a process of its own, against a real one. */

const broken = 'access/credentials.key-required:lookup';
const sound = 'generation/responses.shape';
const patience = { timeout: 30_000 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(
    join(tmpdir(), 'touchstone-a-path-that-is-longer-than-a-line-of-a-terminal-'),
  );
  mkdirSync(join(folder, 'src'));
});
const at = (name: string): string => join(folder, name);
const save = (name: string): void => writeFileSync(at(name), String(Math.random()));

function faultCalled(wanted: string) {
  const defect = faults.find(({ id }) => id === wanted);
  if (defect === undefined) throw new Error(`There is no fault ${wanted}`);
  return defect;
}

/** A gateway with its target file, `dev.yaml`. */
async function gatewayWith(options: ReferenceOptions): Promise<ReferenceGateway> {
  const gateway = await startReference(options);
  onTestFinished(() => gateway.close());
  writeFileSync(at('dev.yaml'), targetFileOf(gateway));
  return gateway;
}

/** Ports of a gateway, so that it can be restarted at the same addresses. */
const portsOf = ({ regions }: ReferenceGateway): number[] =>
  regions.map(({ baseUrl }) => Number(new URL(baseUrl).port));

const watch = (line: string): Started =>
  start(`run --target ${at('dev.yaml')} --watch --watch-delay 50 --rps 1000 ${line}`);

/** Waits until the command has said for the so-manieth time that it waits. */
async function isWaiting({ written }: Started, times: number): Promise<void> {
  const count = (): number => written.err.split('\nWatching ').length - 1;
  await expect.poll(count, patience).toBe(times);
}

test('after a change what did not pass is run again, and when that holds, everything', async () => {
  const bad = await gatewayWith({ defect: faultCalled('auth.keyless-lookup') });
  const running = watch(
    `${broken} ${sound} --watch-path ${at('src')} --json ${at('src/report.json')} --allow-partial`,
  );
  await isWaiting(running, 1);
  expect(running.written.out).toContain('NONCONFORMANT');
  expect(running.written.err).toContain('There is no terminal to press Enter at');

  save('src/app.ts');
  await isWaiting(running, 2);
  expect(running.written.out).toContain('src/app.ts changed: what is open (1)');
  const judged = (): string[] =>
    JSON.parse(readFileSync(at('src/report.json'), 'utf8'))
      .checks.filter(({ verdict }: { verdict: { state: string } }) => verdict.state !== 'excluded')
      .map(({ id }: { id: string }) => id);
  expect(judged()).toEqual([broken]);

  // The gateway starts again, fixed.
  await bad.close();
  save('src/app.ts');
  await expect.poll(() => running.written.err, patience).toContain('Waiting for it.');
  await gatewayWithPorts(portsOf(bad));
  await isWaiting(running, 3);
  const { out } = running.written;
  expect(out).toContain(`Fixed (1): ${broken}`);
  expect(out.slice(out.indexOf('Fixed'))).toContain('that one passes now: everything');
  expect(judged().sort()).toEqual([sound, broken].sort());

  running.interrupt();
  const ended = await running.ended;
  expect(ended.code).toBe(0);
  expect(ended.err).not.toContain('Stopping');
}, 120_000);

async function gatewayWithPorts(ports: readonly number[]): Promise<void> {
  const gateway = await startReference({ ports });
  onTestFinished(() => gateway.close());
}

test('a target file that changes is read again, and one that is broken is told', async () => {
  const gateway = await gatewayWith({});
  const text = readFileSync(at('dev.yaml'), 'utf8');
  const running = watch(`${sound} ${broken}`);
  await isWaiting(running, 1);
  writeFileSync(at('dev.yaml'), 'keys: {}\n');
  await isWaiting(running, 2);
  expect(running.written.err).toContain('dev.yaml has 3 problems');
  const before = gateway.requestCount();
  writeFileSync(at('dev.yaml'), text);
  await isWaiting(running, 3);
  expect(running.written.out).toContain('dev.yaml changed: everything');
  expect(gateway.requestCount()).toBeGreaterThan(before);
  running.interrupt();
  expect((await running.ended).code).toBe(2);
}, 120_000);

test('known failures that change are judged by anew, and nothing is sent', async () => {
  const gateway = await gatewayWith({ defect: faultCalled('auth.keyless-lookup') });
  writeFileSync(at('known.txt'), '');
  const running = watch(
    `${broken} ${sound} --known-failures ${at('known.txt')} --allow-partial --quiet`,
  );
  await isWaiting(running, 1);
  const before = gateway.requestCount();
  writeFileSync(at('known.txt'), `${broken}\n`);
  await isWaiting(running, 2);
  expect(running.written.out).toMatch(/known\.txt changed: nothing is sent.*\nPARTIAL\n/);
  expect(gateway.requestCount()).toBe(before);
  running.interrupt();
  expect((await running.ended).code).toBe(0);
}, 120_000);

test('a run under which the gateway changes is interrupted, and says nothing of it', async () => {
  const gateway = await gatewayWith({ latencyMs: 300 });
  const running = watch(`storage/ --watch-path ${at('src')} --concurrency 2`);
  await expect.poll(() => gateway.requestCount(), patience).toBeGreaterThan(4);
  save('src/app.ts');
  await expect.poll(() => running.written.err, patience).toContain('this run is stopped');
  const seen = gateway.requestCount();
  await expect.poll(() => gateway.requestCount(), patience).toBeGreaterThan(seen + 4);
  expect(running.written.out).toBe('');
  // Ctrl-C during a run ends it as any run, with a report of the results so far.
  running.interrupt();
  const { code, out, err } = await running.ended;
  expect(err).toContain('Interrupted: nothing more is sent');
  expect(out).toContain('The run was interrupted.');
  expect(code).toBe(2);
}, 120_000);

test('a gateway that nobody starts is waited for, and Ctrl-C ends that', async () => {
  const gateway = await gatewayWith({});
  await gateway.close();
  const running = watch(sound);
  await expect.poll(() => running.written.err, patience).toContain('Waiting for it.');
  running.interrupt();
  const { code, out, err } = await running.ended;
  expect(code).toBe(4);
  expect(out).toBe('');
  expect(err.match(/cannot be reached/g)).toHaveLength(1);
}, 60_000);

test('at a terminal Enter runs again, and a everything', async () => {
  const terminal = memoryTerminal();
  const ended = touchstone(['run', sound, '--watch', '--seed', '1'], terminal);
  const isWaiting = (times: number) =>
    expect.poll(() => terminal.written.err.split('Enter: again').length - 1, patience).toBe(times);
  await isWaiting(1);
  terminal.type('');
  await isWaiting(2);
  expect(terminal.written.out).toContain('Enter: everything');
  terminal.type('a');
  await isWaiting(3);
  expect(terminal.written.out).toContain(' a: everything');
  terminal.interrupt();
  expect(await ended).toBe(2);
}, 120_000);

describe('watching is refused, with what to do instead,', () => {
  test.each([
    ['in CI', '--watch --reference embedded', { CI: 'true' }, 'in CI nobody does'],
    ['with a part of a run', '--watch --shard 1/2', {}, '--watch and --shard'],
    ['with several targets', '--watch --target a.yaml --target b.yaml', {}, 'name one target'],
    ['of what is not there', '--watch-path /no/such', {}, 'no such file or folder'],
  ])('%s', async (_, line, environment, said) => {
    const terminal = memoryTerminal(environment);
    expect(await touchstone(['run', ...line.split(' ')], terminal)).toBe(3);
    expect(terminal.written.err).toContain(said);
    expect(terminal.written.out).toBe('');
  });
});
