import { expect, test } from 'vitest';
import { patience, touchstone } from './testing.ts';

test('every fault is killed, nothing unrelated falls, every MUST can fail', {
  timeout: patience,
}, async () => {
  const { code, printed } = await touchstone('prove');
  const wrong = /^(✗| {2,}(survived|unexpected|no longer))/;
  expect(printed.split('\n').filter((line) => wrong.test(line))).toEqual([]);
  expect(printed).toMatch(
    /faults: \d+ killed, 0 survived, 0 with unexpected failures, 0 without recorded ones; 0 MUSTs/,
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

test('nothing that befalls an answer is held against a gateway', {
  timeout: patience,
}, async () => {
  const { code, printed } = await touchstone('prove', '--transients');
  expect(printed.split('\n').filter((line) => /^(✗| {2,}blamed)/.test(line))).toEqual([]);
  expect(printed).toMatch(/^[6-9]\d\d answers, \d{5,} verdicts/m);
  expect(code).toBe(0);
});
