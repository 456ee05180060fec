import { expect, test } from 'vitest';
import { alteredKey, alteredKeys } from './altered-keys.ts';

const keys = [
  'sk-Owner-abcdefghij',
  'sk-owner-0123456789',
  '0123456789abcdef0123456789abcdef',
  `sk-${'Zz'.repeat(20)}w`,
  Buffer.from('sixteen bytes at').toString('base64'),
  Buffer.from('nineteen bytes in it').toString('base64'),
  Buffer.from('eighteen bytes in it').toString('base64url'),
];

test.each(keys)('what is almost %s is another key, and decodes to other bytes', (key) => {
  const misses = alteredKeys.map((kind) => alteredKey(key, kind));
  expect(new Set([key, ...misses]).size).toBe(misses.length + 1);
  const bytes = Buffer.from(key, 'base64').toString('hex');
  for (const kind of ['changed', 'longer', 'shorter'] as const) {
    const miss = alteredKey(key, kind) ?? '';
    expect(Buffer.from(miss, 'base64').toString('hex'), miss).not.toBe(bytes);
  }
});

test('a key that may have neighbours, or no other case, has no altered form', () => {
  expect(alteredKey('dev2', 'shorter')).toBeNull();
  expect(alteredKey('0123456789012345', 'otherCase')).toBeNull();
  expect(alteredKey('0123456789012345', 'changed')).toBe('012345678901234a');
  expect(alteredKey('dev2', 'empty')).toBe('');
});
