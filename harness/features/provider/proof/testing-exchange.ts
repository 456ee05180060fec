import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export type Protocol = 'chat' | 'messages';
export type Json = Record<string, unknown>;

export interface Route {
  readonly model: string;
  readonly asks: Protocol;
  readonly as: string;
}

/** One event of a stream, in words of neither protocol. */
export type Event =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'args'; readonly index: number; readonly text: string }
  | { readonly type: 'end'; readonly reason: string; readonly stop: string | null }
  | {
      readonly type: 'usage';
      readonly input?: number;
      readonly cached?: number;
      readonly output?: number;
    }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly message: string };

export interface Context {
  readonly front: Protocol;
  readonly route: Route;
  /** The body of the client. */
  readonly asked: Json;
  readonly headers: IncomingHttpHeaders;
  readonly key: string;
  /** Names of members that were left out. They are told in a header. */
  readonly dropped: string[];
  /** Changes nothing, unless a fault does. */
  written(body: string): string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export function send(out: ServerResponse, { status, headers, body }: Answer): void {
  const all = {
    'content-type': 'application/json',
    ...headers,
    'content-length': Buffer.byteLength(body),
  };
  out.writeHead(status, all).end(body);
}

export function errorText(front: Protocol, status: number, message: string): string {
  const type =
    status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'api_error';
  return JSON.stringify(
    front === 'chat'
      ? { error: { message, type, param: null, code: null } }
      : { type: 'error', error: { type, message } },
  );
}
