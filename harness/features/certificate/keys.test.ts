import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { readPublicKey, readSigningKey } from './keys.ts';

const folder = temporaryFolder();

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const spki = { type: 'spki', format: 'pem' } as const;
const pair = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const written = (name: string, text: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const signing = written('signing.pem', pair.privateKey.export(pkcs8));
const known = written('public.pem', pair.publicKey.export(spki));

test('a pair of keys is read from its files', () => {
  const key = readSigningKey(signing);
  expect(key.privateKey.equals(pair.privateKey)).toBe(true);
  expect(key.publicKey.equals(pair.publicKey)).toBe(true);
  expect(readPublicKey(known).equals(pair.publicKey)).toBe(true);
});

test.each([
  ['nothing', join(folder, 'nothing.pem'), /no such file/],
  [
    'no key',
    written('text.pem', 'hello'),
    /is not a private key in PEM\. Make one: openssl genpkey/,
  ],
  ['a public key', known, /is not a private key in PEM/],
  [
    'a key of another kind',
    written('rsa.pem', rsa.privateKey.export(pkcs8)),
    /is a key for rsa, not for Ed25519/,
  ],
  [
    'an encrypted key',
    written(
      'encrypted.pem',
      pair.privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'word' }),
    ),
    /is encrypted: decrypt it first, with `openssl pkey -in/,
  ],
])('%s is nothing to sign with', (_, path, message) => {
  expect(() => readSigningKey(path)).toThrow(message);
});

test.each([
  ['a private key', signing, /is a private key: verifying takes the public one\. Derive it/],
  ['no key', written('text.pem', 'hello'), /is not a public key in PEM/],
  [
    'a key of another kind',
    written('rsa-public.pem', rsa.publicKey.export(spki)),
    /is a key for rsa, not for Ed25519/,
  ],
])('%s is nothing to verify with', (_, path, message) => {
  expect(() => readPublicKey(path)).toThrow(message);
});
