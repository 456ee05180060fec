import { expect, test } from 'vitest';
import { idFrom } from '../core/testing.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { ExpectationFailed } from '../judge/failure.ts';
import { judgeEach } from '../judge/points.ts';
import { explainingFailures } from './explaining-failures.ts';
import { answered } from './testing.ts';

const lookup = (text: string, status = 404) => {
  const exchange = answered('{}', { id: idFrom(text) });
  const { about, request, response } = exchange;
  return {
    ...exchange,
    about: { ...about, operation: 'responses.lookup' },
    request: { ...request, method: 'GET', url: 'http://g/v1/responses/resp_1', body: null },
    response: response === null ? null : { ...response, status },
  };
};

function evidence(exchange: string, outcome = '404') {
  return { exchange, request: 'GET /v1/responses/resp_1', outcome, received: '', curl: '' };
}

function open(exchange: string, cause: 'control' | 'prerequisite', outcome = '404'): CheckVerdict {
  return { state: 'inconclusive', cause, reason: 'r', evidence: evidence(exchange, outcome) };
}

function broken(exchange: string, outcome = '404'): CheckVerdict {
  return { state: 'fail', expected: 'x', actual: 'y', evidence: evidence(exchange, outcome) };
}

function told(verdicts: Record<string, CheckVerdict>, exchanges: ReturnType<typeof lookup>[] = []) {
  return Object.fromEntries(explainingFailures(new Map(Object.entries(verdicts)), exchanges));
}

test('the same exchange explains what it leaves open, and no other exchange does', () => {
  const verdicts = {
    'a/b.broken': broken('one#main/0'),
    'a/b.open': open('one#main/0', 'control'),
    'a/b.other': open('other#main/0', 'control'),
  };
  expect(told(verdicts)).toEqual({ 'a/b.open': ['a/b.broken'] });
});

test('so does any of the exchanges at which something is judged', async () => {
  const exchanges = ['one#main/0', 'two#main/0', 'three#main/0'].map((key) => lookup(key));
  const judged = async () =>
    judgeEach(
      exchanges,
      ({ id }) => id.scenario,
      (exchange) => {
        if (exchange.id.scenario !== 'one') throw new ExpectationFailed('x', 'y', exchange);
      },
    );
  const { points } = await judged().then(
    () => Promise.reject(new Error('It fails at two of three')),
    (error) => error,
  );
  const verdicts = {
    'a/b.broken': { ...broken('two#main/0'), points },
    'a/b.one': open('one#main/0', 'prerequisite'),
    'a/b.three': open('three#main/0', 'prerequisite'),
  };
  expect(told(verdicts)).toEqual({ 'a/b.three': ['a/b.broken'] });
});

test('an operation that nobody is served explains what waits for it, or gets the same answer', () => {
  const row = 'storage/responses.lookup-served';
  const exchanges = ['a#main/0', 'b#main/0', 'c#main/0'].map((key) => lookup(key));
  const verdicts = {
    [row]: broken('main#main/0'),
    'a/b.same': open('a#main/0', 'control'),
    'a/b.waits': open('b#main/0', 'prerequisite', '401'),
    // Refused for another reason, which nobody may overlook.
    'a/b.new': open('c#main/0', 'control', '500'),
    'a/b.unknown': open('unknown#main/0', 'control'),
  };
  expect(told(verdicts, exchanges)).toEqual({ 'a/b.same': [row], 'a/b.waits': [row] });
});
