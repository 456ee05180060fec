import { expect, test } from 'vitest';
import { defaultMaxFrames } from '../request.ts';
import { conversationIn } from './socket-messages.ts';

const upgraded = Buffer.from('HTTP/1.1 101 Switching Protocols\r\n\r\n');

test('of endless frames that pass a proxy the first are read, and what is missing is too large', () => {
  const ping = Buffer.from([0x89, 0]);
  const text = Buffer.from([0x81, 1, 0x31]);
  const flood = Array.from({ length: defaultMaxFrames }, () => ping);
  const heard = conversationIn([], [{ at: 1, bytes: Buffer.concat([upgraded, text, ...flood]) }]);
  expect(heard.transcript?.frames).toHaveLength(1);
  expect(heard.failure?.kind).toBe('too-large');
  const whole = conversationIn([], [{ at: 1, bytes: Buffer.concat([upgraded, text, ping]) }]);
  expect([whole.failure, whole.transcript?.frames.length]).toEqual([null, 1]);
});
