import type { Exchange, ExchangeFailure, FailureKind } from '../core/index.ts';
import { ProxyError } from './tunnel.ts';

export interface Progress {
  /** `127.0.0.1:8080`, for messages. */
  readonly host: string;
  /** Status of the answer, if its head had arrived. */
  readonly status: number | null;
  /** Bytes of the body that had arrived. */
  readonly bytes: number;
}

/** Explains an error of the network or the parser in plain words, with the place to look at. */
export function failureOf(error: unknown, progress: Progress): ExchangeFailure {
  if (error instanceof ProxyError) return { kind: 'proxy', message: error.message };
  const cause = innermost(error);
  const code = codeOf(cause);
  for (const [codes, kind, say] of known) {
    if (codes.test(code)) return { kind, message: `${say(progress.host)} (${code})` };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isParserError(cause, code)) return parserFailure(message, progress);
  if (message === 'bad upgrade' || message === 'bad response') {
    return {
      kind: 'not-http',
      message: `${progress.host} sent an unexpected interim status (1xx)`,
    };
  }
  if (brokenByThem.test(code)) return broken(progress, code);
  // An unknown error is not attributed to the gateway: this machine or Touchstone may have caused it.
  return {
    kind: 'unread',
    message: `the connection to ${progress.host} could not be used (${code === '' ? message : `${code}: ${message}`})`,
  };
}

/** Error codes that mean that the other side has closed the connection. No other code does. */
const brokenByThem =
  /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_HTTP2_(STREAM_|SESSION_)?ERROR|ERR_HTTP2_GOAWAY_SESSION)$/;

/** Failure of a connection that ended before the message was complete. */
function broken({ host, status, bytes }: Progress, detail: string): ExchangeFailure {
  const came =
    status === null
      ? 'before any response came'
      : `in the middle of a response with status ${status}, after ${bytes} bytes of its body`;
  return { kind: 'reset', message: `${host} broke the connection ${came} (${detail})` };
}

/** True if the connection broke before any byte of an answer. The gateway may still have processed the request. */
export function brokeUnanswered({ failure, response }: Exchange): boolean {
  return response === null && failure !== null && breaks.has(failure.kind);
}

/** True for a request that was sent and got no byte of an answer. */
export function gotNothing(exchange: Exchange): boolean {
  const { failure, response } = exchange;
  const isOther = failure?.kind === 'ended' || failure?.kind === 'timeout';
  return brokeUnanswered(exchange) || (response === null && isOther);
}

/** True for a request that was recorded and not sent, because the run had ended or given up by then. */
export function wasWithheld({ response, times }: Exchange): boolean {
  return response === null && times.started === times.ended;
}

const breaks: ReadonlySet<FailureKind> = new Set(['reset', 'closed', 'proxy']);

/** Bound of header bytes, far above any gateway's. HTTP itself has no bound. */
export const mostHeaderBytes = 128 * 1024;

type Known = readonly [codes: RegExp, kind: FailureKind, say: (host: string) => string];

const known: readonly Known[] = [
  [
    /^ECONNREFUSED$/,
    'unreachable',
    (host) => `nobody listens at ${host}: is the gateway running, and is its base address right?`,
  ],
  [
    /^(EAI_AGAIN|EAI_MEMORY|EAI_SYSTEM)$/,
    'local-resources',
    (host) =>
      `the name of ${host} could not be looked up: the name service of this machine does not answer`,
  ],
  [
    /^(ENOTFOUND|EAI_FAIL)$/,
    'unreachable',
    (host) => `the name of ${host} does not resolve: is the base address right?`,
  ],
  [
    /^(EMFILE|ENFILE|ENOBUFS|ENOMEM|EADDRNOTAVAIL|EADDRINUSE|EAGAIN|ENOSPC)$/,
    'local-resources',
    (host) =>
      `no connection to ${host} could be made: this machine has too few files, ports or memory left; lower --concurrency`,
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ETIMEDOUT|EACCES|EPERM|UND_ERR_CONNECT_TIMEOUT)$/,
    'unreachable',
    (host) => `no connection to ${host} could be made: look at the network, proxies and firewalls`,
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    'unreachable',
    (host) => `the certificate of ${host} has expired: renew it there`,
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    'unreachable',
    (host) => `the certificate of ${host} is not valid yet: look at the clocks of both machines`,
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'unreachable',
    (host) =>
      `the certificate of ${host} is for another host: is the base address right? It has to name a host that the certificate names`,
  ],
  [
    /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_)/,
    'unreachable',
    (host) =>
      `the certificate of ${host} is of an unknown authority: name the file of that authority as \`tls.ca\` of the target file, or in NODE_EXTRA_CA_CERTS`,
  ],
  [
    /^ERR_SSL_(TLSV13_ALERT_CERTIFICATE_REQUIRED|SSLV3_ALERT_HANDSHAKE_FAILURE|TLS_ALERT_HANDSHAKE_FAILURE)$/,
    'unreachable',
    (host) =>
      `${host} asks for a certificate of the client: name it as \`tls.certificate\` and \`tls.key\` of the target file`,
  ],
  [
    /^ERR_SSL_\w*ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_\w+|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|DECRYPT_ERROR)$/,
    'unreachable',
    (host) =>
      `${host} does not accept the certificate of the client: see \`tls.certificate\` of the target file`,
  ],
  [
    /NO_APPLICATION_PROTOCOL/,
    'unreachable',
    (host) =>
      `${host} takes HTTP/2 alone, and most requests go over HTTP/1.1: let what stands there take both`,
  ],
  [
    /^(ERR_SSL_|EPROTO$)/,
    'not-http',
    (host) =>
      `${host} did not speak TLS as expected, version 1.2 or newer with messages of usual size: should the base address begin with http://?`,
  ],
  [
    /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
    'unread',
    (host) => `the response headers of ${host} are larger than ${mostHeaderBytes / 1024} KiB`,
  ],
  [
    /^WS_ERR_UNSUPPORTED_MESSAGE_LENGTH$/,
    'too-large',
    (host) => `${host} sent a frame that is over the bound`,
  ],
  [
    /^WS_ERR_TOO_MANY_BUFFERED_PARTS$/,
    'too-large',
    (host) => `${host} sent a message in more fragments than are read`,
  ],
  [/^WS_ERR_/, 'not-http', (host) => `${host} sent something that is not a WebSocket frame`],
];

/** undici's parser sets a code for some of its errors only. Node's parser always does. */
function isParserError(error: unknown, code: string): boolean {
  return code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError');
}

function parserFailure(detail: string, progress: Progress): ExchangeFailure {
  if (/EOF|closed/i.test(detail)) return broken(progress, detail);
  return {
    kind: 'not-http',
    message:
      progress.status === null
        ? `what ${progress.host} sent is not HTTP: ${detail}`
        : `the response body of ${progress.host} is not framed as HTTP says: ${detail}`,
  };
}

/** Returns the innermost cause. If several addresses of a name were tried, returns the failure of the first. */
function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error;
}

function codeOf(error: unknown): string {
  // WebAssembly, in which undici parses, has no code for it.
  if (error instanceof RangeError && /out of memory/i.test(error.message)) return 'ENOMEM';
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
