import { test, expect as the } from 'vitest';
import { numberAt } from '../core/json-value.ts';
import { openAiError, response } from '../protocols/samples/bodies.ts';
import { sample } from '../protocols/samples/exchange.ts';
import { expect } from './expect.ts';
import { ExpectationFailed, Inconclusive } from './failure.ts';
import { expectValue } from './value.ts';

const good = sample({ body: response });
const notFound = sample({ status: 404, body: openAiError });
const limited = sample({ status: 429, body: openAiError });

function failure(judge: () => unknown): ExpectationFailed {
  try {
    judge();
  } catch (error) {
    if (error instanceof ExpectationFailed) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

test('toBeServed', () => {
  expect(good).toBeServed();
  the(failure(() => expect(notFound).toBeServed())).toMatchObject({
    actual: '404 with the error invalid_request_error: no',
    exchange: notFound,
  });
  the(() => expect(limited).toBeServed()).toThrow(Inconclusive);
});

test('toShowNoneOf', () => {
  expect(good).toShowNoneOf(['secret']);
  expect(notFound).toShowNoneOf(['hello']);
  the(failure(() => expect(good).toShowNoneOf(['secret', 'HELLO'])).actual).toContain('“HELLO”');
  the(() => expect(limited).toShowNoneOf(['hello'])).toThrow(Inconclusive);
});

test('a refusal counts only with a control that is served', () => {
  expect(notFound).toBeRefused();
  expect(notFound).toBeRefused({ control: good });
  the(() => expect(notFound).toBeRefused({ control: notFound })).toThrow(Inconclusive);
  the(() => expect(notFound).toBeRefused({ control: [good, limited] })).toThrow(Inconclusive);
  the(failure(() => expect(good).toBeRefused({ control: notFound }))).toMatchObject({
    expected: 'a refusal (4xx)',
    actual: '200 with a generated answer: “Hello there”',
  });
});

test('toBeDenied: the owner finds the response as it was', () => {
  const secret = ['walnut'];
  expect(notFound).toBeDenied({ secret, control: good, owner: { before: good, after: good } });
  const changed = sample({ body: { ...response, status: 'cancelled' } });
  the(
    failure(() => expect(notFound).toBeDenied({ secret, owner: { before: good, after: changed } })),
  ).toMatchObject({ actual: '"cancelled"' });
  the(
    failure(() =>
      expect(notFound).toBeDenied({ secret, owner: { before: good, after: notFound } }),
    ),
  ).toBeInstanceOf(ExpectationFailed);
});

test('toMatchSchema says each problem, and judges errors as errors', () => {
  expect(good).toMatchSchema('responses/response');
  expect(notFound).toMatchSchema('responses/error');
  const bad = sample({ body: { ...response, model: 3, output: null } });
  the(failure(() => expect(bad).toMatchSchema('responses/response')).actual).toBe(
    'model: must be a string, is 3; output: must be an array, is null',
  );
  the(() => expect(notFound).toMatchSchema('responses/response')).toThrow(Inconclusive);
  the(
    failure(() => expect(sample({ body: '<p>' })).toMatchSchema('responses/response')),
  ).toMatchObject({ expected: 'a JSON body' });
});

test('toHaveContentType', () => {
  expect(good).toHaveContentType('application/json', '+json');
  const vendor = sample({
    body: {},
    headers: [['content-type', 'application/x.y+json; charset=utf-8']],
  });
  expect(vendor).toHaveContentType('application/json', '+json');
  the(failure(() => expect(good).toHaveContentType('text/event-stream')).actual).toBe(
    'Content-Type: application/json',
  );
  the(failure(() => expect(sample({ headers: [] })).toHaveContentType('x/y')).actual).toBe(
    'no Content-Type',
  );
});

test('toHave takes a path or a sentence', () => {
  expect(good).toHave('usage.total_tokens', (body) => numberAt(body, 'usage.total_tokens') === 5);
  the(failure(() => expect(good).toHave('usage.total_tokens', () => false)).actual).toBe(
    'usage.total_tokens: 5',
  );
  the(
    failure(() =>
      expect(good).toHave(
        'total_tokens = input_tokens + output_tokens',
        () => false,
        () => '5, not 3 + 3',
      ),
    ),
  ).toMatchObject({
    actual: '5, not 3 + 3',
    expected: 'total_tokens = input_tokens + output_tokens',
  });
});

test('toHaveSameAnswerAs compares id, status and text', () => {
  expect(good).toHaveSameAnswerAs(good);
  const other = sample({ body: { ...response, id: 'resp_2' } });
  the(failure(() => expect(other).toHaveSameAnswerAs(good)).actual).toBe('"resp_2"');
  the(() => expect(good).toHaveSameAnswerAs(notFound)).toThrow(Inconclusive);
  // A run that had not ended goes on meanwhile.
  expect(good).toHaveSameAnswerAs(
    sample({ body: { ...response, status: 'in_progress', output: [] } }),
  );
});

test('expectValue', () => {
  const about = { as: 'usage.total_tokens', of: good };
  expectValue({ a: 1, b: [2] }, about).toEqual({ b: [2], a: 1 });
  expectValue(3, about).toBeOneOf([2, 3]);
  expectValue(3, about).toBeAtMost(3);
  expectValue(3, about).toBeMoreThan(2);
  the(failure(() => expectValue(4, about).toEqual(5))).toMatchObject({
    expected: 'usage.total_tokens: 5',
    actual: 'usage.total_tokens: 4',
    exchange: good,
  });
  the(() => expectValue(null, about).toBeAtMost(3)).toThrow(ExpectationFailed);
  the(() => expectValue(3, about).toBeMoreThan(3)).toThrow(ExpectationFailed);
  the(() => expectValue(3, about).toBeOneOf([])).toThrow(ExpectationFailed);
});

test('a finding says where in the answer it shows', () => {
  const without = (name: keyof typeof response) =>
    sample({ body: { ...response, [name]: undefined } });
  const broken = sample({ body: { ...response, status: 7 } });
  const placesOf = (judge: () => unknown) => failure(judge).places;
  the(placesOf(() => expect(broken).toMatchSchema('responses/response'))).toEqual(['status']);
  // A missing member has a place, too.
  the(placesOf(() => expect(without('object')).toMatchSchema('responses/response'))).toEqual([
    'object',
  ]);
  the(placesOf(() => expect(good).toHave('usage.total_tokens', () => false))).toEqual([
    'usage.total_tokens',
  ]);
  the(placesOf(() => expect(good).toHave('a = b + c', () => false))).toEqual([]);
  the(placesOf(() => expect(notFound).toBeServed())).toEqual([]);
  the(placesOf(() => expectValue(1, { as: 'usage.x', of: good }).toEqual(2))).toEqual(['usage.x']);
  const failed = failure(() => expect(good).toHave('usage.x', () => false));
  the(failed.told('in more words').places).toEqual(['usage.x']);
});
