import {
  type Exchange,
  type ExchangeId,
  formatId,
  type HeaderLines,
  type SocketFrame,
} from '../../core/index.ts';
import { redactBytes, redactText, type Secrets } from '../../redaction/index.ts';
import { addressOf, shownHeaders, type WireRequest } from '../../wire/index.ts';

/** Thrown if a recording lacks a request of the suite: it says nothing about the gateway. */
export class StaleRecording extends Error {
  override readonly name = 'StaleRecording';

  constructor(id: ExchangeId, difference: string) {
    super(
      `The recording is stale: exchange ${formatId(id)}: ${difference}. ` +
        'It was made by another version of the suite, or it was changed: record a new run.',
    );
    // A stack trace would tell the reader nothing.
    this.stack = this.message;
  }
}

/**
 * Returns the difference between a request and the recorded one, or null if they are alike. The host may differ.
 * Credentials are masked, so their places and the names of their keys are compared.
 *
 * @param secrets the stand-ins of the keys in the request
 */
export function differenceFrom(
  { about, request: recorded, failure, socket }: Exchange,
  request: WireRequest,
  secrets: Secrets,
): string | null {
  const url = request.shownUrl ?? request.url;
  const breaksOff = request.cut !== undefined || request.cutRequestAfterBytes !== undefined;
  const differs = (what: string, sent: string, was: string): string | null =>
    sent === was ? null : `the suite sends ${what} ${sent}, recorded is ${was}`;
  return (
    differs('the method', request.method, recorded.method) ??
    differs(
      'the address',
      targetOf(url === recorded.url ? url : redactText(url, secrets)),
      targetOf(recorded.url),
    ) ??
    differs('with the key', request.about.key, about.key) ??
    differs('to the region', request.about.region, about.region) ??
    differs(
      'the headers',
      headersOf(shownHeaders(request), secrets, recorded.headers),
      headersOf(recorded.headers, secrets, recorded.headers),
    ) ??
    bytesDiffer('the body', request.body, recorded.body, secrets) ??
    (failure?.kind === 'cut' && socket === null && !breaksOff
      ? 'the suite waits for its end, recorded is that it was cut'
      : null)
  );
}

/** Returns the difference between a frame that we send and the recorded one, or null. */
export function frameDifference(
  sent: Pick<SocketFrame, 'kind' | 'data'>,
  recorded: SocketFrame | undefined,
  secrets: Secrets,
): string | null {
  const kind = recorded?.kind ?? sent.kind;
  if (kind !== sent.kind) return `the suite sends a ${sent.kind} frame, recorded is a ${kind} one`;
  return bytesDiffer('the frame', sent.data, recorded?.data ?? null, secrets);
}

/** Returns path and query, with one star for a masked credential of any length. */
function targetOf(url: string): string {
  const [path = '', ...query] = addressOf(url).target.split('?');
  return [path, ...query.map((part) => part.replace(/\*+/g, '*'))].join('?');
}

/** Headers of the connection, and headers that only name the caller. */
const uncompared = /^(host|connection|content-length|upgrade|sec-websocket-version|user-agent)$/i;

/** @param recorded headers whose values need no masking */
function headersOf(headers: HeaderLines, secrets: Secrets, recorded: HeaderLines): string {
  const masked = new Set(recorded.map(([, value]) => upToMask(value)));
  return headers
    .filter(([name]) => !uncompared.test(name))
    .map(([name, value]) => {
      const own = upToMask(value);
      const shown = masked.has(own) ? own : upToMask(redactText(value, secrets));
      return `${name.toLowerCase()}: ${shown}`;
    })
    .sort()
    .join(', ');
}

/** Returns `Bearer *` for `Bearer ********`, so that the length of a key is no difference. */
function upToMask(value: string): string {
  return value.replace(/\*{8,}.*$/, '*');
}

function bytesDiffer(
  what: string,
  sent: Uint8Array | null,
  recorded: Uint8Array | null,
  secrets: Secrets,
): string | null {
  const was = recorded === null ? null : Buffer.from(recorded);
  if (sent !== null && was?.equals(sent)) return null;
  const clean = sent === null ? null : Buffer.from(redactBytes(sent, secrets));
  if (clean === null || was === null) {
    if (clean === was) return null;
    return clean === null
      ? `the suite does not send ${what} that is recorded: ${excerpt(was, 0)}`
      : `the suite sends ${what} ${excerpt(clean, 0)}, recorded is none`;
  }
  if (clean.equals(was)) return null;
  const at = clean.findIndex((byte, index) => byte !== was[index]);
  const from = Math.max(0, (at === -1 ? clean.length : at) - 30);
  return `the suite sends ${what} ${excerpt(clean, from)}, recorded is ${excerpt(was, from)}`;
}

/** Returns some bytes around the first difference. */
function excerpt(bytes: Buffer | null, from: number): string {
  if (bytes === null) return 'none';
  const shown = bytes.subarray(from, from + 80).toString();
  return `${from > 0 ? '…' : ''}${shown}${bytes.length > from + 80 ? '…' : ''}`;
}
