import { expect, test } from 'vitest';
import { readRun } from './said.ts';

/** Returns what is parsed from the last line that a command printed. */
function said(line: string, tasks = true) {
  const run = { startedAt: 0, endedAt: 1, exit: 0, endedBy: 'itself', stderr: '' } as const;
  const { answer, problem } = readRun({ ...run, stdout: `Hello.\n${line}\n` }, tasks);
  return answer ?? problem;
}

test.each([
  { outcome: 'complete' },
  { unsupported: true },
  { outcome: 'failed', error: { message: 'no', status: 500 } },
  { outcome: 'interrupted', text: 'a', id: 'b', status: 'c', tokens: 0, models: ['d'] },
])('%j is an answer', (answer) => {
  expect(said(JSON.stringify(answer))).toEqual(answer);
  expect(said(JSON.stringify(answer), false)).toEqual(answer);
});

test.each([
  ['{"text":"a"}', 'it lacks `outcome`: one of complete, interrupted, failed'],
  ['{"unsupported":false}', '`unsupported` must be equal to constant'],
  ['{"outcome":"done"}', '`outcome` is none of complete, interrupted, failed'],
  ['{"outcome":"complete","text":1}', '`text` is no string'],
  ['{"outcome":"complete","tokens":"1"}', '`tokens` is no integer'],
  ['{"outcome":"complete","models":[1]}', '`models.0` is no string'],
  ['{"outcome":"failed","error":"no"}', '`error` is no object'],
  ['{"outcome":"failed","error":{}}', '`error` lacks `message`'],
  ['{"outcome":"complete","txt":"a"}', '`txt` is no member of an answer'],
  ['{"outcome":"failed","error":{"message":"a","code":1}}', '`code` is no member of `error`'],
])('%s is none', (line, why) => {
  expect(said(line)).toBe(`its answer is wrong: ${why}`);
});

test.each([
  ['', 'nothing'],
  ['[]', '"[]"'],
  ['{"outcome":', String.raw`"{\"outcome\":"`],
])('"%s" is no object, where a task has to be answered', (line, what) => {
  const stdout = { startedAt: 0, endedAt: 1, exit: 0, endedBy: 'itself', stderr: '' } as const;
  expect(readRun({ ...stdout, stdout: line }, true).problem).toBe(
    `the last line of its standard output has to be one JSON object, and is ${what}`,
  );
});

test.each(['Fine.', '{"id":"chatcmpl-1","choices":[]}', '{"text":"a"}', ''])(
  'without tasks, "%s" is a text',
  (line) => expect(said(line, false)).toBe(null),
);
