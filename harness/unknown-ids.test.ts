import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unknownLike } from '../suites/scenarios/stored/stored-responses.ts';

test.each([
  ['resp_0123456789abcdef', 'resp_3456789012defabc'],
  ['resp_0123456789ABCDEF', 'resp_3456789012DEFABC'],
  // Letters that are no hexadecimal digits have no kind to keep, but for their case.
  ['resp_ghijGHIJ1', 'resp_qqqqQQQQ4'],
  ['0f1e2d3c-4b5a-4978', '3c4b5a6f-7e8d-7201'],
  ['resp_v2_0123456789', 'resp_v2_3456789012'],
  ['resp_ab_cdefghij', 'resp_ab_fabcqqqq'],
  // An id that may be a counter becomes longer, because the next numbers may exist.
  ['resp_7', `resp_${'0'.repeat(16)}`],
  ['resp-12', `resp-${'45'.repeat(8)}`],
  ['resp_1234567', 'resp_456789045678904567890'],
  ['42', '75'.repeat(8)],
  ['resp_12345678', 'resp_45678901'],
  // Something is added if nothing can be shifted.
  ['qqqqqqqq', 'qqqqqqqqqqqqqqqq'],
  ['resp_', 'qbqq_'.repeat(4)],
  ['', 'qqqqqqqq'],
])('%j is in the form of %j', (id, unknown) => {
  expect(unknownLike(id)).toBe(unknown);
});

test('no id is its own unknown one', () => {
  fc.assert(fc.property(fc.string(), (id) => unknownLike(id) !== id));
});
