import { expect, test } from 'vitest';
import { sampleCheck, sampleRun } from '../../report/sample-run.ts';
import { moreWithAFile } from './next-steps.ts';

const baseUrl = 'https://gateway.example';
const partial = sampleRun([
  sampleCheck('a/b.c', { state: 'pass' }),
  sampleCheck('a/b.d', {
    state: 'untestable',
    reason: 'say so',
    gap: { kind: 'key', names: ['otherUser'] },
  }),
]);

test('a run without a target file is told how to get one', () => {
  const told = moreWithAFile(partial, { baseUrl, model: ['m-1', "it's"] });
  expect(told).toContain(
    `\n  touchstone init --base-url ${baseUrl} --model m-1 --model 'it'\\''s'\n`,
  );
  expect(told).toContain('--protocol names what else');
});

test('but not what it knows', () => {
  const named = { baseUrl, model: ['m-1'], protocol: ['chat'] };
  expect(moreWithAFile(partial, named)).not.toContain('--protocol');
  expect(moreWithAFile(partial, {})).toBe('');
  const whole = sampleRun([sampleCheck('a/b.c', { state: 'pass' })]);
  expect(moreWithAFile(whole, named)).toBe('');
});
