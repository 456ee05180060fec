import { expect, test } from 'vitest';
import { defaultMaxFrames } from '../request.ts';
import { HeardSocket } from './socket-messages.ts';

function heardOf(bytes: Uint8Array) {
  const socket = new HeardSocket(1024 * 1024);
  socket.answered(bytes, 1);
  return socket.conversation();
}

const upgraded = Buffer.from('HTTP/1.1 101 Switching Protocols\r\n\r\n');

test('of endless frames that pass a proxy the first are read, and what is missing is too large', () => {
  const ping = Buffer.from([0x89, 0]);
  const text = Buffer.from([0x81, 1, 0x31]);
  const flood = Array.from({ length: defaultMaxFrames }, () => ping);
  const heard = heardOf(Buffer.concat([upgraded, text, ...flood]));
  expect(heard.socket?.frames).toHaveLength(1);
  expect(heard.failure?.kind).toBe('too-large');
  const whole = heardOf(Buffer.concat([upgraded, text, ping]));
  expect([whole.failure, whole.socket?.frames.length]).toEqual([null, 1]);
});
