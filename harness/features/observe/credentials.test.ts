import { expect, test } from 'vitest';
import { notAKey } from '../../kernel/redaction/index.ts';
import { Credentials } from './credentials.ts';

const target = {
  keys: { owner: 'key-of-the-file-1' },
  credentials: { chat: 'bearer', systemone: 'X-Odd', models: 'bearer' },
};
const key = 'sk-of-a-client-1234567';
const url = new URL('https://gw.example/v1/models');

test.for([
  ['Authorization', `Bearer ${key}`],
  ['authorization', `bearer ${key}`],
  ['Authorization', key],
  ['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
  ['Authorization', `Basic ${Buffer.from(`user:${key}`).toString('base64')}`],
  ['x-api-key', key],
  ['X-Goog-Api-Key', key],
  ['api-key', key],
  ['x-odd', key],
  ['Sec-WebSocket-Protocol', `realtime, openai-insecure-api-key.${key}, other`],
] as const)('learns the key in %s: %s', ([name, value]) => {
  const credentials = new Credentials(target);
  expect(credentials.learn([[name, value]], url)).toBe('owner');
  expect(Object.values(credentials.secrets)).toContain(key);
});

test('learns one in an address, and knows those of the target file', () => {
  const credentials = new Credentials(target);
  expect(credentials.learn([], new URL(`${url.href}?key=${key}&pageToken=next`))).toBe('owner');
  expect(Object.values(credentials.secrets)).not.toContain('next');
  const other = new Credentials({ ...target, keys: { owner: 'a', otherUser: 'key-of-another' } });
  expect(other.learn([['x-api-key', 'key-of-another']], url)).toBe('otherUser');
  expect(other.learn([['accept', '*/*']], url)).toBe('none');
});

test('cookies and tokens are masked, and may be repeated', () => {
  const credentials = new Credentials(target);
  expect(credentials.learn([['Cookie', 'a=session-one; b=session-two']], url)).toBe('none');
  credentials.learnCookies([['Set-Cookie', 'a=session-three; Path=/']]);
  const names = Object.entries(credentials.secrets).filter(([, value]) => /^session/.test(value));
  expect(names).toHaveLength(3);
  expect(names.every(([name]) => name.startsWith(notAKey))).toBe(true);
});

test('however many keys pass, the latest are sought', () => {
  const credentials = new Credentials(target);
  for (let n = 0; n < 1000; n++) credentials.learn([['x-api-key', `key-number-${n}`]], url);
  const sought = Object.values(credentials.secrets);
  expect(sought).toContain('key-number-999');
  expect(sought).toContain('key-of-the-file-1');
  expect(sought.length).toBeLessThan(200);
});
