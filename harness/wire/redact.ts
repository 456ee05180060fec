import type { Exchange, HeaderLines, SocketTranscript } from '../core/exchange.ts';
import { unpacked } from './packed.ts';

/**
 * What is masked, by the names that reports call it by: the credentials of the gateway, and, with `notAKey` before
 * their names, secrets that a gateway may well repeat. Looked up by identity: keep one object.
 */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Shorter ones are masked only in the request's own headers: looked for everywhere, a key such as
 * `dev` would blot out the very words that are judged.
 */
export const shortestSought = 8;

/** The beginning of the name of a secret that is masked, and is no key of the gateway. */
export const notAKey = 'secret ';

const mask = '*'.charCodeAt(0);

/**
 * Masks every secret in an exchange, in whatever encoding, and names those that the gateway
 * repeated. Lengths are kept, so that offsets, chunks and frames stay true.
 */
export function redactExchange(exchange: Exchange, secrets: Secrets): Exchange {
  const echoed = new Set<string>();
  const { request, response, socket, failure } = exchange;
  return {
    ...exchange,
    request: {
      method: request.method,
      url: redactText(request.url, secrets),
      headers: redactHeaders(request.headers, secrets, 1),
      body: request.body === null ? null : redactBytes(request.body, secrets),
    },
    response:
      response === null
        ? null
        : {
            ...response,
            headers: redactHeaders(response.headers, secrets, shortestSought, echoed),
            body: redactBytes(response.body, secrets, echoed),
          },
    socket: socket === null ? null : redactSocket(socket, secrets, echoed),
    failure:
      failure === null
        ? null
        : { kind: failure.kind, message: redactText(failure.message, secrets) },
    echoed: [...new Set([...exchange.echoed, ...echoed])]
      .filter((name) => !name.startsWith(notAKey))
      .sort(),
  };
}

/** Masks every secret in a message. */
export function redactText(text: string, secrets: Secrets): string {
  return Buffer.from(redactBytes(Buffer.from(text), secrets)).toString();
}

/**
 * Masks every secret in bytes; gives the same bytes when there is none. Packed bytes with a secret
 * inside are masked as a whole.
 *
 * @param found gets the names of those that were there
 */
export function redactBytes(bytes: Uint8Array, secrets: Secrets, found?: Set<string>): Uint8Array {
  const clean = maskIn(bytes, secrets, shortestSought, found);
  const inside = new Set<string>();
  for (const content of unpacked(clean)) maskIn(content, secrets, shortestSought, inside);
  for (const name of inside) found?.add(name);
  return inside.size > 0 ? Buffer.alloc(bytes.length, mask) : clean;
}

function redactHeaders(
  headers: HeaderLines,
  secrets: Secrets,
  shortest: number,
  found?: Set<string>,
): HeaderLines {
  const clean = (text: string, from: number): string => {
    const bytes = Buffer.from(text, 'latin1');
    const masked = maskIn(bytes, secrets, from, found);
    return masked === bytes ? text : Buffer.from(masked).toString('latin1');
  };
  return headers.map(([name, value]) => [clean(name, shortestSought), clean(value, shortest)]);
}

function redactSocket(
  { frames, close }: SocketTranscript,
  secrets: Secrets,
  echoed: Set<string>,
): SocketTranscript {
  return {
    frames: frames.map((frame) => ({
      ...frame,
      data: redactBytes(frame.data, secrets, frame.from === 'gateway' ? echoed : undefined),
    })),
    close:
      close === null
        ? null
        : {
            ...close,
            reason: Buffer.from(redactBytes(Buffer.from(close.reason), secrets, echoed)).toString(),
          },
  };
}

function maskIn(
  bytes: Uint8Array,
  secrets: Secrets,
  shortest: number,
  found?: Set<string>,
): Uint8Array {
  const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let clean: Buffer | null = null;
  for (const { name, length, forms } of soughtFor(secrets)) {
    if (length < shortest) continue;
    for (const form of forms) {
      // Most header values are shorter than any key.
      if (form.length > haystack.length) continue;
      // Sought in the original: masking one form must not hide another that overlaps it.
      let at = haystack.indexOf(form);
      for (; at !== -1; at = haystack.indexOf(form, at + 1)) {
        clean ??= Buffer.from(haystack);
        const end = at + form.length;
        // The beginning of a longer one that was found is no echo of its own.
        if (clean.subarray(at, end).some((byte) => byte !== mask)) found?.add(name);
        clean.fill(mask, at, end);
      }
    }
  }
  return clean ?? bytes;
}

interface Sought {
  readonly name: string;
  /** Of the secret itself. */
  readonly length: number;
  readonly forms: readonly Buffer[];
}

const soughtBySecrets = new WeakMap<Secrets, readonly Sought[]>();

function soughtFor(secrets: Secrets): readonly Sought[] {
  const known = soughtBySecrets.get(secrets);
  if (known !== undefined) return known;
  const sought = Object.entries(secrets)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ name, length: value.length, forms: formsOf(value) }))
    .sort((one, other) => other.length - one.length);
  soughtBySecrets.set(secrets, sought);
  return sought;
}

/** Every way of writing a secret that is known to turn up in answers, logs and headers. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const escaped = encodeURIComponent(bytes.toString());
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = new Set([
    secret,
    escaped,
    escaped.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    // As forms and query strings are written, where fewer characters stand for themselves.
    new URLSearchParams({ '': secret }).toString().slice(1),
    inJson,
    inJson.replaceAll('/', '\\/'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]);
  for (const before of [0, 1, 2]) {
    const base64 = base64Behind(bytes, before);
    forms.add(base64);
    forms.add(base64.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...forms].filter((form) => form !== '').map((form) => Buffer.from(form));
}

/**
 * The digits that a secret alone decides when it stands behind so many bytes (modulo 3) of a longer
 * text, `key:` and `user:key` among them.
 */
function base64Behind(secret: Buffer, before: number): string {
  const digits = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + secret.length) * 8) / 6);
  return digits.slice(first, end);
}
