import { expect, test } from 'vitest';
import { sampleCheck, sampleRun } from '../../kernel/core/samples/run.ts';
import type { CheckVerdict } from '../../kernel/core/verdict.ts';
import { disagreements } from './comparison.ts';

const evidence = { exchange: 'a#main/0', request: 'GET /', outcome: '200', received: '', curl: '' };
const fail = (actual: string): CheckVerdict => ({
  state: 'fail',
  expected: 'a list',
  actual,
  evidence,
});
const pass: CheckVerdict = { state: 'pass' };
const run = (...verdicts: CheckVerdict[]) =>
  sampleRun(verdicts.map((verdict, index) => sampleCheck(`a/b.c${index}`, verdict)));

test('a run agrees with itself, however long it took and wherever an error was thrown', () => {
  const one = run(pass, fail('a map'), { state: 'error', reason: 'at /home/one/file.js:3' });
  const again = run(pass, fail('a map'), { state: 'error', reason: 'at /srv/other.js:7' });
  expect(disagreements(one, { ...again, durationMs: 1, suiteVersion: '9' })).toEqual([]);
});

test('what a report hides comes first, by the id of the check', () => {
  const stated = run({ state: 'note', expected: 'x', actual: 'y', evidence: null }, pass);
  const judged = run(pass, fail('a map'));
  const [first, second, ...others] = disagreements(stated, judged);
  expect(first).toBe(
    'a/b.c1: the report says pass, its exchanges say fail: expected a list; a map',
  );
  expect(second).toBe('a/b.c0: the report says note, its exchanges say pass');
  expect(others).toEqual([
    '`verdict` of the report is not what the exchanges come to',
    '`counts` of the report is not what the exchanges come to',
  ]);
});

test('another reason for the same verdict is seen, and another text of a requirement', () => {
  expect(disagreements(run(fail('a map')), run(fail('a number')))).toEqual([
    'a/b.c0: the report gives another reason than its exchanges: fail: expected a list; a number',
  ]);
  const stated = sampleRun([sampleCheck('a/b.c', pass, { text: 'Nothing.', level: 'MAY' })]);
  expect(disagreements(stated, sampleRun([sampleCheck('a/b.c', pass)]))).toEqual([
    'a/b.c: the report does not describe the check as the catalogue does',
  ]);
});

test.each([
  ['seed', { seed: 7 }],
  ['runId', { runId: 'another' }],
  ['startedAt', { startedAt: '2020-01-01T00:00:00.000Z' }],
  ['target', { target: { name: 'production', regions: [] } }],
  ['strict', { strict: true }],
  ['traffic', { traffic: { ...run().traffic, requests: 1 } }],
  ['unchecked', { unchecked: [] }],
  ['remark', { remark: 'All is well.' }],
])('another %s is seen', (name, change) => {
  expect(disagreements({ ...run(pass), ...change }, run(pass))).toEqual([
    `\`${name}\` of the report is not what the exchanges come to`,
  ]);
});
