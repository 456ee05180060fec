import { expect, test } from 'vitest';
import { sampleCheck, sampleRun } from '../../core/samples/run.ts';
import { servedNote } from '../../core/served-note.ts';
import { memoryTerminal } from '../../terminal/testing-terminal.ts';
import { moreForTheFile, moreWithAFile } from './next-steps.ts';

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
});

test('but not where there is nothing more to say', () => {
  const named = { baseUrl, model: ['m-1'], restriction: ['single-user'] as const };
  expect(moreWithAFile(partial, named)).toContain(' --restriction single-user\n');
  expect(moreWithAFile(partial, {})).toBe('');
  const whole = sampleRun([
    sampleCheck('a/b.c', { state: 'pass' }),
    sampleCheck('a/b.e', {
      ...{ state: 'untestable', reason: 'no probe', restriction: 'without-probes' },
      gap: { kind: 'probe', names: ['ledger'] },
    }),
  ]);
  expect(moreWithAFile(whole, named)).toBe('');
});

test('what a run has noted is added to the file by the command that it ends with', () => {
  const noted = (name: string, model: string) =>
    sampleCheck(`access/capabilities.undeclared-but-served:${name}`, {
      state: 'note',
      expected: '',
      actual: servedNote(model, name),
      evidence: null,
    });
  const run = sampleRun([
    noted('background', 'm 1'),
    noted('vendorb-count', 'm 1'),
    noted('stream-messages', 'm-2'),
    sampleCheck('a/b.c', { state: 'note', expected: '', actual: 'x serves y', evidence: null }),
  ]);
  const told = moreForTheFile(run, { target: 'staging.yaml' }, memoryTerminal());
  expect(told).toContain(
    'm 1 serves background, vendorB-count; m-2 serves stream:vendorA-messages',
  );
  expect(told).toContain(
    "\n  touchstone init --update staging.yaml --supports 'm 1=background,vendorB-count' --supports m-2=stream:vendorA-messages\n",
  );
  expect(moreForTheFile(run, {}, memoryTerminal())).toBe('');
  expect(moreForTheFile(partial, { target: 'staging.yaml' }, memoryTerminal())).toBe('');
});
