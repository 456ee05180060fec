import { expect, test } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

test.each([
  ['suports', 'supports'],
  ['backgroud', 'background'],
  ['vendorb', 'vendorB'],
  ['chta', 'chat'],
])('%s is near %s', (typed, meant) => {
  expect(nearest(typed, ['lacks', 'chat', 'supports', 'vendorB', 'background'])).toEqual([meant]);
});

test('what is like nothing has no neighbour', () => {
  expect(nearest('telemetry', ['supports', 'lacks'])).toEqual([]);
  expect(didYouMean('telemetry', ['supports', 'lacks'])).toBe('');
});

test('the nearest comes first, and each once', () => {
  expect(nearest('stream:chats', ['stream:chap', 'stream:chat', 'stream:chat'], 3)).toEqual([
    'stream:chat',
    'stream:chap',
  ]);
});
