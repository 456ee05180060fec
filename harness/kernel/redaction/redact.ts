import type { Exchange, HeaderLines, ReceivedResponse, SocketTranscript } from '../core/index.ts';
import { Finder, formsOf } from './finder.ts';
import { Fragments } from './fragments.ts';
import { maskEncoded, type Seeker } from './mask-encoded.ts';
import { joined, Masked } from './maskable.ts';
import { unpacked } from './packed.ts';
import { allShapes, keyShapes } from './shapes.ts';

/**
 * Secrets to mask, by the names that reports use: the credentials of the gateway, and secrets that a gateway may
 * legitimately repeat, with the prefix `notAKey`. Results are cached by object identity, so reuse the object.
 */
export type Secrets = Readonly<Record<string, string>>;

/**
 * Minimum length of a secret that is searched for everywhere. Shorter ones are masked only in the request's own
 * headers: a key such as `dev` would mask words that checks judge.
 */
export const shortestSought = 8;

/** Name prefix of a secret that is not a key of the gateway. */
export const notAKey = 'secret ';

/**
 * Masks every secret in an exchange, in any encoding, and records the names of those that the gateway repeated.
 * Lengths are preserved, so that offsets, chunks and frames remain valid.
 */
export function redactExchange(exchange: Exchange, secrets: Secrets): Exchange {
  const echoed = new Set<string>();
  const { request, response, socket, failure } = exchange;
  return {
    ...exchange,
    request: {
      method: request.method,
      url: redactText(request.url, secrets),
      headers: redactSent(request.headers, secrets),
      body: request.body === null ? null : redactBytes(request.body, secrets),
    },
    response: response && {
      ...response,
      headers: redactHeaders(response.headers, secrets, echoed, allShapes),
      body: redactBody(response, secrets, echoed),
    },
    socket: socket && redactSocket(socket, secrets, echoed),
    failure: failure && { kind: failure.kind, message: redactText(failure.message, secrets) },
    echoed: [...new Set([...exchange.echoed, ...echoed])]
      .filter((name) => !name.startsWith(notAKey))
      .sort(),
  };
}

/** Masks a body. Tokens in it may not be credentials, and must then be returned unchanged. */
function redactBody(
  { status, body }: ReceivedResponse,
  secrets: Secrets,
  echoed: Set<string>,
): Uint8Array {
  const shapes = status < 400 ? keyShapes : allShapes;
  return redactParts([body], secrets, echoed, shapes)[0] ?? body;
}

/**
 * Masks everything with the shape of a key, in the request as well. Traffic between others and data in files may
 * hold anybody's keys.
 */
export function withoutKeyShapes(exchange: Exchange): Exchange {
  const { request, response, socket } = exchange;
  const clean = (parts: readonly Uint8Array[]): readonly Uint8Array[] =>
    redactParts(parts, none, undefined, allShapes);
  const frames = clean(socket?.frames.map(({ data }) => data) ?? []);
  return {
    ...exchange,
    request: {
      ...request,
      url: shapeless(request.url),
      headers: redactHeaders(request.headers, none, undefined, allShapes),
      body: request.body === null ? null : (clean([request.body])[0] ?? request.body),
    },
    response: response && {
      ...response,
      headers: redactHeaders(response.headers, none, undefined, allShapes),
      body: clean([response.body])[0] ?? response.body,
    },
    socket: socket && {
      ...socket,
      frames: socket.frames.map((frame, at) => ({ ...frame, data: frames[at] ?? frame.data })),
    },
  };
}

const none: Secrets = {};

function shapeless(text: string): string {
  const whole = new Masked(Buffer.from(text));
  const { bytes } = whole;
  maskEncoded(whole, allShapes);
  return whole.bytes === bytes ? text : Buffer.from(whole.bytes).toString();
}

export function redactText(text: string, secrets: Secrets): string {
  const bytes = Buffer.from(text);
  const clean = redactBytes(bytes, secrets);
  return clean === bytes ? text : Buffer.from(clean).toString();
}

/**
 * Masks every secret in bytes. Returns the same object if there is none. Compressed bytes with a secret inside are
 * masked as a whole.
 *
 * @param found receives the names of the secrets found
 */
export function redactBytes(bytes: Uint8Array, secrets: Secrets, found?: Set<string>): Uint8Array {
  const [clean = bytes] = redactParts([bytes], secrets, found);
  return clean;
}

/** Masks every secret in bytes that together form one text. */
function redactParts(
  parts: readonly Uint8Array[],
  secrets: Secrets,
  found?: Set<string>,
  shapes?: Seeker,
): readonly Uint8Array[] {
  const masked = parts.map((part) => new Masked(part));
  maskIn(masked, seekerOf(secrets, shapes), found);
  return masked.map(({ bytes }) => {
    const inside = new Set<string>();
    for (const content of unpacked(bytes)) {
      maskIn([new Masked(content)], finderOf(secrets), inside);
    }
    for (const name of inside) found?.add(name);
    return inside.size > 0 ? Buffer.alloc(bytes.length, '*') : bytes;
  });
}

function redactHeaders(
  headers: HeaderLines,
  secrets: Secrets,
  found?: Set<string>,
  shapes?: Seeker,
): HeaderLines {
  // Checks all new lines at once, because most have no secret. No encoding extends over a line end.
  const plain = plainTexts(secrets, shapes);
  const left = headers.flat().filter((text) => !plain.has(text));
  const all = new Masked(Buffer.from(left.join('\n'), 'latin1'));
  const { bytes } = all;
  const seeker = seekerOf(secrets, shapes);
  maskEncoded(all, seeker);
  if (all.bytes === bytes) {
    for (const text of left) plain.add(text);
    return headers;
  }
  let end = -1;
  const isClean = (text: string): boolean => {
    const from = end + 1;
    end = from + text.length;
    return Buffer.compare(bytes.subarray(from, end), all.bytes.subarray(from, end)) === 0;
  };
  const clean = (text: string): string => {
    if (plain.has(text) || isClean(text) || text.length < shortestSought) return text;
    const whole = new Masked(Buffer.from(text, 'latin1'));
    const before = whole.bytes;
    maskEncoded(whole, seeker, found);
    return whole.bytes === before ? text : Buffer.from(whole.bytes).toString('latin1');
  };
  return headers.map(([name, value]) => [clean(name), clean(value)]);
}

const plain = new WeakMap<Secrets, Map<Seeker | undefined, Set<string>>>();
const mostPlain = 1_000;

/** Names and values of headers that had no secret: most come in every exchange. */
function plainTexts(secrets: Secrets, shapes: Seeker | undefined): Set<string> {
  const bySeeker = plain.get(secrets) ?? new Map<Seeker | undefined, Set<string>>();
  plain.set(secrets, bySeeker);
  const texts = bySeeker.get(shapes) ?? new Set();
  bySeeker.set(shapes, texts);
  if (texts.size >= mostPlain) texts.clear();
  return texts;
}

/** Masks secrets of any length in the request's own headers. */
function redactSent(headers: HeaderLines, secrets: Secrets): HeaderLines {
  const forms = Object.values(secrets)
    .filter((secret) => secret.length < shortestSought)
    .flatMap(formsOf)
    .sort((one, other) => other.length - one.length);
  return redactHeaders(headers, secrets).map(([name, value]) => [
    name,
    forms.reduce((text, form) => text.replaceAll(form, '*'.repeat(form.length)), value),
  ]);
}

function redactSocket(
  { frames, close, ...rest }: SocketTranscript,
  secrets: Secrets,
  echoed: Set<string>,
): SocketTranscript {
  const theirs = frames.filter(({ from }) => from === 'gateway').map(({ data }) => data);
  // A secret may begin in one frame and end in the next, within their strings or as plain text.
  const clean = redactParts(theirs, secrets, echoed, keyShapes);
  let next = 0;
  return {
    ...rest,
    frames: frames.map((frame) => ({
      ...frame,
      data:
        frame.from === 'gateway' ? (clean[next++] ?? frame.data) : redactBytes(frame.data, secrets),
    })),
    close: close && { ...close, reason: redactReason(close.reason, secrets, echoed) },
  };
}

function redactReason(reason: string, secrets: Secrets, echoed: Set<string>): string {
  const bytes = Buffer.from(reason);
  const [clean = bytes] = redactParts([bytes], secrets, echoed, allShapes);
  return Buffer.from(clean).toString();
}

const delimiters = Buffer.from('"\n\r');

/** Masks secrets in bytes, in all encodings, and in texts joined from their strings. */
function maskIn(wholes: readonly Masked[], finder: Seeker, found?: Set<string>): void {
  for (const whole of wholes) maskEncoded(whole, finder, found);
  if (wholes.length > 1) {
    const parts = wholes.map((of) => ({ of, from: 0, to: of.bytes.length }));
    maskEncoded(joined(parts), finder, found, false);
  }
  // One line without a string is one piece.
  const [first] = wholes;
  if (
    wholes.length === 1 &&
    first !== undefined &&
    !delimiters.some((one) => first.bytes.includes(one))
  )
    return;
  const fragments = new Fragments();
  for (const whole of wholes) fragments.read(whole);
  // Adjacent words may form another word by chance.
  for (const text of fragments.texts()) maskEncoded(text, finder, found, false);
}

/** Combines both searches. A match by shape has no name to report an echo by. */
function seekerOf(secrets: Secrets, shapes: Seeker | undefined): Seeker {
  const finder = finderOf(secrets);
  if (shapes === undefined) return finder;
  return {
    hits: (bytes, words) => finder.hits(bytes, words),
    shapes: (bytes) => shapes.hits(bytes),
    broken: (bytes) => finder.broken(bytes),
  };
}

const finders = new WeakMap<Secrets, Finder>();

function finderOf(secrets: Secrets): Finder {
  const known = finders.get(secrets);
  if (known !== undefined) return known;
  const finder = new Finder(secrets, shortestSought);
  finders.set(secrets, finder);
  return finder;
}
