import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from '../core/index.ts';
import { addressOf } from './address.ts';
import { proxyFor, shownProxy } from './proxies.ts';
import type { Routes } from './routes.ts';

/** Maximum duration of the check, in milliseconds. */
const patienceMs = 1_000;

/** Milliseconds that a gateway may need to close its listener after its connections when it exits. */
const endsWithinMs = 200;

/**
 * Checks if the gateway still listens after a connection broke, or was cut before any answer. A gateway that has
 * exited or restarts breaks all connections, which says nothing about the requests on them. A gateway that still
 * listens broke this connection itself.
 *
 * Opens and closes a connection, and does so once more a little later. No data is sent.
 */
export async function afterReset(exchange: Exchange, { proxies }: Routes = {}): Promise<Exchange> {
  const { failure, request } = exchange;
  const isCut = failure?.kind === 'cut' && exchange.response === null;
  if (failure?.kind !== 'reset' && failure?.kind !== 'closed' && !isCut) return exchange;
  const proxy = proxies === undefined ? null : proxyFor(request.url, proxies);
  if (proxy !== null) {
    if (isCut) return exchange;
    // Touchstone cannot see if the gateway behind a proxy still listens.
    const message = `${failure.message}; the proxy ${shownProxy(proxy)} stands between, and may have broken it`;
    return { ...exchange, failure: { kind: 'proxy', message } };
  }
  if (!(await isGone(request.url))) {
    await delay(endsWithinMs);
    if (!(await isGone(request.url))) return exchange;
  }
  const { host } = addressOf(request.url);
  const message = `${failure.message}; nobody listens at ${host} any more: the gateway has ended, or restarts`;
  return { ...exchange, failure: { kind: 'ended', message } };
}

/** True if connections to the address are refused. */
export async function isGone(url: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'https:' || protocol === 'wss:';
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (secure ? 443 : 80)),
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patienceMs) });
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}
