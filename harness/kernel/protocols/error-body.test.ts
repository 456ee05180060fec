import { expect, test } from 'vitest';
import { errorIn, errorInWords, failureIn, undecidedError } from './error-body.ts';

const none = { code: null, type: null, message: '', status: null };

test.each([
  [{ error: { type: 'x', code: 'y', message: 'm' } }, { type: 'x', code: 'y', message: 'm' }],
  [
    { error: { code: 404, status: 'NOT_FOUND', message: 'm' } },
    { type: 'NOT_FOUND', code: 404, message: 'm', status: 404 },
  ],
  [
    { error: 'm', code: 'y' },
    { code: 'y', message: 'm' },
  ],
  [
    { type: 'error', status: 400, error: { message: 'm' } },
    { message: 'm', status: 400 },
  ],
  [{ type: 'error', code: 'y' }, { code: 'y' }],
  [{ type: 'error', role: 'x', message: 'm' }, { message: 'm' }],
  [{ detail: 'm' }, { message: 'm' }],
  [{ detail: { code: 'y' } }, { code: 'y', message: '{"code":"y"}' }],
  [
    { message: 'm', type: 'x' },
    { type: 'x', message: 'm' },
  ],
  [
    { message: 'm', code: 'y' },
    { code: 'y', message: 'm' },
  ],
  [
    { message: 'm', status: 400 },
    { message: 'm', status: 400 },
  ],
  [{ message: 'm' }, { message: 'm' }],
  // Members of the wrong type are ignored.
  [{ error: { type: 5, code: {}, message: 7 } }, {}],
])('%j is an error', (body, error) => {
  expect(errorIn(body)).toEqual({ ...none, ...error });
});

test.each([
  null,
  'error',
  [{ error: { message: 'm' } }],
  { object: 'response', error: { message: 'm' } },
  { choices: [], error: { message: 'm' } },
  { type: 'response.failed', error: { message: 'm' } },
  { message: 'm', other: 1 },
  { message: 'm', type: 'message', role: 'assistant' },
  { message: 5, type: 'x' },
  {},
])('%j is none', (body) => {
  expect(errorIn(body)).toBeNull();
});

test('a run that failed says why, or does not', () => {
  const error = { code: 'server_error', message: 'm' };
  expect(failureIn({ status: 'failed', error })).toEqual({ ...none, ...error });
  expect(failureIn({ status: 'failed', error: null })).toEqual(none);
  expect(failureIn({ status: 'completed', error })).toBeNull();
});

test.each([
  [{}, 'error'],
  [{ code: 404 }, '404'],
  [{ type: 'x' }, 'x'],
  [{ type: 'x', code: 'y' }, 'x (y)'],
  [{ type: 'x', message: 'm' }, 'x: m'],
  [{ code: 'y', message: 'm' }, 'y: m'],
  [{ message: 'm' }, 'm'],
])('%j in words: %s', (error, words) => {
  expect(errorInWords({ ...none, ...error })).toBe(words);
});

test.each([
  [{ code: 'rate_limit_exceeded' }, 'a rate limit'],
  [{ type: 'overloaded_error', code: 'y' }, 'an overload'],
  [{ code: 'y', status: 529 }, 'an overload'],
  [{ code: 429, status: 429 }, 'a rate limit'],
  [{ code: 'y', status: 404 }, null],
  [{ type: 'toString' }, null],
  [{}, null],
])('%j decides nothing because of %s', (error, why) => {
  expect(undecidedError({ ...none, ...error })?.words ?? null).toBe(why);
});
