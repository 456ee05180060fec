import { expect, test } from 'vitest';
import { generationsIn } from './generations.ts';
import { sample, sampleSocket } from './samples/exchange.ts';

const asked = ['>', { type: 'response.create' }] as const;
const begun = ['<', { type: 'response.created' }] as const;
const refused = ['<', { type: 'error' }] as const;
const failure = { kind: 'timeout', message: 'no frame came' } as const;

test('counts the turns that a gateway has begun', () => {
  expect(generationsIn(sampleSocket([asked, begun, asked, begun]))).toBe(2);
  expect(generationsIn(sampleSocket([asked, begun, asked, refused]))).toBe(1);
  expect(generationsIn(sampleSocket([asked, begun, asked]))).toBe(1);
});

test('counts the turns that were sent where the connection failed, but for those that were refused', () => {
  expect(generationsIn(sampleSocket([asked, begun, asked], { failure }))).toBe(2);
  expect(generationsIn(sampleSocket([asked, refused, asked], { failure }))).toBe(1);
  expect(generationsIn(sampleSocket([asked, begun, refused], { failure }))).toBe(1);
});

test('counts an answer over HTTP where it was served', () => {
  expect(generationsIn(sample({ status: 200 }))).toBe(1);
  expect(generationsIn(sample({ status: 400 }))).toBe(0);
});
