import type { Exchange, ExchangeFailure, HeaderLines, SocketFrame } from '../../core/exchange.ts';
import { exchangeId } from '../../core/exchange-id.ts';
import type { ExchangeProtocol } from '../../core/protocol.ts';
import { endpointModules } from '../modules.ts';

/** Exchanges in the form of the transport's records, for tests. */

interface Sample {
  readonly protocol?: ExchangeProtocol;
  /** Default: a generation of the protocol. */
  readonly operation?: string;
  readonly method?: string;
  readonly url?: string;
  readonly send?: unknown;
  readonly status?: number | null;
  readonly headers?: HeaderLines;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly failure?: ExchangeFailure;
}

const encoder = new TextEncoder();

/** A JSON answer. Default: to `POST /v1/responses`. */
export function sample({
  protocol = 'responses',
  operation = generationOf(protocol),
  method = 'POST',
  url = 'http://127.0.0.1/v1/responses',
  send,
  status = 200,
  headers,
  body,
  failure,
}: Sample): Exchange {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const bytes = encoder.encode(text);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  return {
    id: exchangeId({ scenario: 'sample' }),
    about: { operation, protocol, region: 'eu', key: 'owner' },
    request: {
      method,
      url,
      headers: [],
      body: send === undefined ? null : encoder.encode(JSON.stringify(send)),
    },
    response:
      status === null
        ? null
        : {
            status,
            headers: headers ?? [['Content-Type', type]],
            body: bytes,
            chunks: [{ at: 1, end: bytes.length }],
            complete: failure === undefined,
          },
    socket: null,
    failure: failure ?? null,
    times: { started: 0, headers: 1, ended: 2 },
    echoed: [],
  };
}

function generationOf(protocol: ExchangeProtocol): string {
  if (protocol === 'probe') return 'probes.ledger';
  return Object.keys(endpointModules[protocol].operations)[0] ?? '';
}

/** An event stream. */
export function sampleStream(sse: string, more: Sample = {}): Exchange {
  return sample({ headers: [['content-type', 'text/event-stream']], ...more, body: sse });
}

interface SocketSample {
  readonly close?: {
    readonly code: number;
    readonly reason: string;
    readonly by: 'us' | 'gateway';
  };
  readonly failure?: ExchangeFailure;
}

/** A WebSocket conversation: `>` marks sent frames, `<` received frames. */
export function sampleSocket(
  frames: readonly (readonly ['>' | '<', unknown])[],
  { close, failure }: SocketSample = {},
): Exchange {
  const transcript: SocketFrame[] = frames.map(([side, frame], n) => ({
    from: side === '>' ? 'us' : 'gateway',
    at: n,
    kind: frame instanceof Uint8Array ? 'binary' : 'text',
    data:
      frame instanceof Uint8Array
        ? frame
        : encoder.encode(typeof frame === 'string' ? frame : JSON.stringify(frame)),
  }));
  const upgrade = sample({ method: 'GET', url: 'ws://127.0.0.1/v1/responses', status: 101 });
  return {
    ...upgrade,
    socket: { frames: transcript, close: close ?? null },
    failure: failure ?? null,
  };
}
