import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { UnknownRequirement } from '../core/catalogue.ts';
import { FileInUse } from '../recordings/held-file.ts';
import { Unreachable } from '../targets/reachable.ts';
import { TargetError } from '../targets/target-error.ts';
import { failureOf, Unwritten, UsageError } from './failure.ts';

test.each([
  [new UsageError('m'), 3],
  [new TargetError('f.yaml', [{ place: null, field: '', message: 'm' }]), 3],
  [new UnknownRequirement('a/b.c', []), 3],
  [new CommanderError(1, 'commander.unknownOption', 'm'), 3],
  [new CommanderError(0, 'commander.helpDisplayed', 'm'), 0],
  [new Unreachable('m'), 4],
  [new Unwritten(['m']), 5],
  [new FileInUse('f.jsonl', { process: 1, place: '' }), 3],
  [new TypeError('m'), 5],
  ['thrown text', 5],
])('%s', (error, exitCode) => {
  expect(failureOf(error).exitCode).toBe(exitCode);
});

test('what this machine is short of is no bug to be reported', () => {
  const full = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' });
  const { message, exitCode } = failureOf(new Error('could not', { cause: full }));
  expect(message).toBe(
    'This machine kept Touchstone from its work: a disk is full (could not).\nThat says nothing about the gateway.',
  );
  expect(exitCode).toBe(5);
  const gone = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'uv_cwd' });
  expect(failureOf(gone).message).toMatch(/^This machine kept .*: the working folder is gone/);
});

test('what nobody expected is told whole, as an internal error, without keys', () => {
  const error = new Error('outer canary-key-1', { cause: new Error('inner canary-key-1') });
  const { message } = failureOf(error, { owner: 'canary-key-1' });
  expect(message).toContain('This is a bug in Touchstone, not in the gateway.');
  expect(message).toMatch(/touchstone \d+\.\d+\.\d+, Node v\d+/);
  expect(message).toContain('caused by Error: inner');
  expect(message).toContain('failure.test.ts');
  expect(message).not.toContain('canary');
});
