import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { budgets, readForeign, whyUnreadable } from '../../kernel/core/index.ts';
import { UsageError } from '../../kernel/terminal/index.ts';

/** A key file cannot be used. The error quotes none of its content. */
export class BadKey extends UsageError {
  override readonly name = 'BadKey';
}

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Reads an Ed25519 private key, PKCS#8 in PEM. @throws {BadKey} */
export function readSigningKey(path: string): SigningKey {
  const pem = textOf(path);
  if (pem.includes('ENCRYPTED PRIVATE KEY')) {
    throw new BadKey(`${path} is encrypted: decrypt it first, with \`openssl pkey -in ${path}\``);
  }
  const privateKey = parsed(path, () => createPrivateKey(pem), 'private key', makeOne);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Reads an Ed25519 public key, SPKI in PEM. @throws {BadKey} */
export function readPublicKey(path: string): KeyObject {
  const pem = textOf(path);
  // Node would also accept a private key, but sharing a private key is a mistake.
  if (pem.includes('PRIVATE KEY')) {
    throw new BadKey(`${path} is a private key: verifying takes the public one. ${derive(path)}`);
  }
  return parsed(path, () => createPublicKey(pem), 'public key', derive('signing.pem'));
}

const makeOne = 'Make one: openssl genpkey -algorithm ed25519 -out signing.pem';

function derive(path: string): string {
  return `Derive it: openssl pkey -in ${path} -pubout -out public.pem`;
}

function parsed(path: string, parse: () => KeyObject, what: string, remedy: string): KeyObject {
  let key: KeyObject;
  try {
    key = parse();
  } catch {
    throw new BadKey(`${path} is not a ${what} in PEM. ${remedy}`);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new BadKey(`${path} is a key for ${key.asymmetricKeyType}, not for Ed25519. ${remedy}`);
  }
  return key;
}

function textOf(path: string): string {
  try {
    return readForeign(path, budgets.small);
  } catch (error) {
    throw new BadKey(`${path}: ${whyUnreadable(error)}`);
  }
}
