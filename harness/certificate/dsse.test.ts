import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSignedBy, keyIdOf, payloadOf, preAuthentication, readEnvelope, seal } from './dsse.ts';

const key = generateKeyPairSync('ed25519');
const body = Buffer.from('{"a":"ü"}');
const envelope = seal('application/vnd.in-toto+json', body, key);

test('what is signed is written as the specification of DSSE shows it', () => {
  expect(
    preAuthentication('http://example.com/HelloWorld', Buffer.from('hello world')).toString(),
  ).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  // Lengths are those of bytes.
  expect(preAuthentication('ü', Buffer.from('é')).toString()).toBe('DSSEv1 2 ü 2 é');
});

test('an envelope holds the message, and a signature that its key alone could make', () => {
  expect(readEnvelope(JSON.stringify(envelope))).toEqual(envelope);
  expect(Buffer.from(payloadOf(envelope))).toEqual(body);
  expect(envelope.signatures).toEqual([
    { keyid: keyIdOf(key.publicKey), sig: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/) },
  ]);
  expect(isSignedBy(envelope, key.publicKey)).toBe(true);
  expect(isSignedBy(envelope, generateKeyPairSync('ed25519').publicKey)).toBe(false);
});

test('both alphabets of base64 are read', () => {
  const inUrls = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');
  const signatures = envelope.signatures.map((one) => ({ ...one, sig: inUrls(one.sig) }));
  const other = { ...envelope, payload: inUrls(envelope.payload), signatures };
  expect(isSignedBy(other, key.publicKey)).toBe(true);
});

describe('a signature does not hold for', () => {
  const [signature] = envelope.signatures;
  const sig = Buffer.from(signature?.sig ?? '', 'base64');
  sig[3] = (sig[3] ?? 0) ^ 1;
  test.each([
    ['another message', { payload: Buffer.from('{"a":"u"}').toString('base64') }],
    ['another type', { payloadType: 'application/json' }],
    ['itself with a changed bit', { signatures: [{ keyid: '', sig: sig.toString('base64') }] }],
    ['none', { signatures: [] }],
    ['half of it', { signatures: [{ keyid: '', sig: sig.subarray(0, 32).toString('base64') }] }],
  ])('%s', (_, change) => {
    expect(isSignedBy({ ...envelope, ...change }, key.publicKey)).toBe(false);
  });
});

test('of several signatures one is enough, whatever its key id says', () => {
  const other = seal(envelope.payloadType, body, generateKeyPairSync('ed25519'));
  const [signature] = envelope.signatures;
  const signatures = [...other.signatures, { keyid: 'nobody', sig: signature?.sig ?? '' }];
  expect(isSignedBy({ ...envelope, signatures }, key.publicKey)).toBe(true);
});

test.each(['[]', '{}', '{"payload":"","payloadType":"a","signatures":[{}]}', 'null'])(
  '%s is no envelope',
  (text) => {
    expect(() => readEnvelope(text)).toThrow('it is not a DSSE envelope');
  },
);
