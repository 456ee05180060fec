import { expect, test } from 'vitest';
import { readingsOf } from './readings.ts';

const said = 'The word is kravostelibradu, and then some.';
const base64 = Buffer.from(said).toString('base64');
const bytesAs = (byte: string) => Buffer.from(said).toString('hex').replace(/../g, byte);

test.each([
  ['base64', base64],
  ['base64 twice, behind a name', `name_${Buffer.from(base64).toString('base64url')}`],
  ['base64 in parts', { one: base64.slice(0, 20), other: base64.slice(20) }],
  ['base64 in lines', Buffer.from(said.repeat(3)).toString('base64').replace(/.{60}/g, '$&\r\n')],
  ['hexadecimal digits', bytesAs('$&')],
  ['percent-encoding', bytesAs('%$&')],
  ['escapes in escapes', JSON.stringify(bytesAs('\\u00$&'))],
  ['entities', bytesAs('&#x$&;')],
  ['letters in a list', [...said]],
  ['members in members', { a: { v: said.slice(0, 15) }, b: { w: said.slice(15) } }],
  ['parts of a kind', [0, 15, 30].map((at) => ({ type: 'x', text: said.slice(at, at + 15) }))],
])('%s are read', (_, value) => {
  const readings = readingsOf(JSON.stringify({ error: { code: null, message: value } }));
  expect(readings.some((text) => text.includes('kravostelibradu'))).toBe(true);
});

test('what is not encoded has no other reading, and nothing takes long', () => {
  expect(readingsOf('plain')).toEqual(['']);
  expect(readingsOf(`"${'ab12'.repeat(100_000)}"`).length).toBeLessThan(250);
});
