import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';

const command = join(packageRoot, 'dist', 'harness', 'cli', 'main.js');

/** Minutes on two cores that have other tests to run beside; a run that hangs is ended. */
const patience = 8 * 60_000;

/** Runs the compiled command and gives what it printed. */
function touchstone(...line: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [command, ...line], { stdio: ['ignore', 'pipe', 'pipe'] });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, printed: Buffer.concat(pieces).toString() }));
  });
}

test('every fault is killed, nothing unrelated falls, every MUST can fail', {
  timeout: patience,
}, async () => {
  const { code, printed } = await touchstone('prove');
  expect(printed.split('\n').filter((line) => /^(✗| {2,}(survived|bystander))/.test(line))).toEqual(
    [],
  );
  expect(printed).toMatch(
    /faults: \d+ killed, 0 survived, 0 with bystanders; 0 MUSTs that no fault breaks/,
  );
  expect(code).toBe(0);
});

test('no legal variant is blamed', { timeout: patience }, async () => {
  const { code, printed } = await touchstone('prove', '--variants');
  expect(printed.split('\n').filter((line) => /^(✗| {2,}blamed)/.test(line))).toEqual([]);
  expect(code).toBe(0);
});

test('no server that is no gateway earns a MUST', { timeout: patience }, async () => {
  const { code, printed } = await touchstone('prove', '--null-targets');
  expect(printed.split('\n').filter((line) => /^(✗| {2,}earned)/.test(line))).toEqual([]);
  expect(code).toBe(0);
});
