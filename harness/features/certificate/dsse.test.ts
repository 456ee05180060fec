import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type Envelope,
  isSignatureBy,
  keyIdOf,
  payloadOf,
  preAuthentication,
  readEnvelope,
  seal,
  writtenEnvelope,
} from './dsse.ts';
import { checkedSignatures } from './signature.ts';

const key = generateKeyPairSync('ed25519');
const isSignedBy = (one: Envelope, publicKey: typeof key.publicKey): boolean =>
  one.signatures.some((signature) => isSignatureBy(one, signature, publicKey));
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
  expect(readEnvelope(writtenEnvelope(envelope))).toEqual(envelope);
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

describe('of the signatures of an envelope', () => {
  const other = generateKeyPairSync('ed25519');
  const [mine, others] = [envelope, seal(envelope.payloadType, body, other)].map(
    ({ signatures: [first] }) => first ?? { keyid: '', sig: '' },
  );
  if (mine === undefined || others === undefined) throw new Error('They are signed');
  const checked = (signatures: Envelope['signatures'], ...keys: (typeof key.publicKey)[]) =>
    checkedSignatures({ ...envelope, signatures }, 'It', keys);
  const problem = (text: string) => ({ problems: [text], by: null });

  test('that of a named key counts, and others are not checkable', () => {
    const signed = { problems: [], by: keyIdOf(key.publicKey), uncheckable: 0 };
    expect(checked([mine], key.publicKey)).toEqual(signed);
    expect(checked([others, mine], key.publicKey)).toEqual({ ...signed, uncheckable: 1 });
    expect(checked([mine, others], other.publicKey, key.publicKey)).toEqual(signed);
    expect(checked([mine, others])).toEqual({ problems: [], by: null, uncheckable: 2 });
    expect(checked([])).toEqual({ problems: [], by: null, uncheckable: 0 });
  });

  test.each([
    ['nobody signed', [], 'It is not signed'],
    ['one signed twice', [mine, mine], 'It has 2 signatures: one for each key, and 10 at most'],
    ['somebody else signed', [others], 'It has no signature of the given key'],
    [
      'one names the key, and does not verify',
      [{ ...others, keyid: mine.keyid }],
      'It has a signature that names the given key, and does not verify',
    ],
    [
      'one names another key',
      [mine, { ...mine, keyid: others.keyid }],
      'It has a signature of the given key that names another key',
    ],
    [
      'one is none',
      [mine, { ...others, sig: 'AAAA' }],
      'It has a signature that is none of Ed25519',
    ],
    [
      'its key is none',
      [mine, { ...others, keyid: '' }],
      'It has a signature that is none of Ed25519',
    ],
  ])('it is a problem that %s', (_, signatures, said) => {
    expect(checked(signatures, key.publicKey).problems).toEqual([said]);
  });

  test('one that is none is a problem without a key, too', () => {
    const { problems } = checked([{ ...mine, sig: 'AAAA' }]);
    expect(problems).toEqual(problem('It has a signature that is none of Ed25519').problems);
  });
});

test.each(['[]', '{}', '{"payload":"","payloadType":"a","signatures":[{}]}', 'null'])(
  '%s is no envelope',
  (text) => {
    expect(() => readEnvelope(text)).toThrow('it is not a DSSE envelope');
  },
);
