import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { asObject, budgets, parseForeign, whyOtherwise } from '../../kernel/core/index.ts';

/** A signed message in the JSON form of DSSE 1.0 (Dead Simple Signing Envelope). */
export interface Envelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly Signature[];
}

interface Signature {
  readonly keyid: string;
  /** Base64. */
  readonly sig: string;
}

/**
 * Puts a message into an envelope.
 *
 * @param key an Ed25519 private key, or null to leave the message unsigned
 */
export function seal(
  payloadType: string,
  body: Uint8Array,
  key: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | null,
): Envelope {
  return {
    payloadType,
    payload: Buffer.from(body).toString('base64'),
    signatures:
      key === null
        ? []
        : [
            {
              keyid: keyIdOf(key.publicKey),
              sig: sign(null, preAuthentication(payloadType, body), key.privateKey).toString(
                'base64',
              ),
            },
          ],
  };
}

/** True if a signature of the envelope was made with this key. */
export function isSignatureBy(
  envelope: Envelope,
  { sig }: Signature,
  publicKey: KeyObject,
): boolean {
  const message = preAuthentication(envelope.payloadType, payloadOf(envelope));
  return verify(null, message, publicKey, Buffer.from(sig, 'base64'));
}

export function writtenEnvelope({ payloadType, payload, signatures }: Envelope): string {
  const all = signatures.map(({ keyid, sig }) => ({ keyid, sig }));
  return `${JSON.stringify({ payloadType, payload, signatures: all }, null, 2)}\n`;
}

export function payloadOf({ payload }: Envelope): Uint8Array {
  return Buffer.from(payload, 'base64');
}

/** SHA-256 of the public key as SPKI, in hexadecimal digits. */
export function keyIdOf(publicKey: KeyObject): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('hex');
}

/** The pre-authentication encoding: the signed bytes, which cover the type of the message as well. */
export function preAuthentication(payloadType: string, body: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${body.length} `),
    body,
  ]);
}

/** @throws {Error} when the text is not an envelope, or is written otherwise */
export function readEnvelope(text: string): Envelope {
  const value = parseForeign(text, budgets.small);
  if (!isEnvelope(value)) {
    throw new Error('it is not a DSSE envelope with `payload`, `payloadType` and `signatures`');
  }
  const otherwise = whyOtherwise(text, writtenEnvelope(value));
  if (otherwise !== null) throw new Error(`it is not as the suite writes it: ${otherwise}`);
  return value;
}

function isEnvelope(value: unknown): value is Envelope {
  const { payloadType, payload, signatures } = asObject(value);
  return (
    typeof payloadType === 'string' &&
    typeof payload === 'string' &&
    Array.isArray(signatures) &&
    signatures
      .map(asObject)
      .every(({ keyid, sig }) => [keyid, sig].every((one) => typeof one === 'string'))
  );
}
