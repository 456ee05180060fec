import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from '../core/index.ts';
import { addressOf } from './address.ts';
import { proxyFor, shownProxy } from './proxies.ts';
import type { Routes } from './routes.ts';

/** Milliseconds that the look at a gateway takes at most. */
const patienceMs = 1_000;

/** Milliseconds that a gateway which ends may take from its connections to its listener. */
const endsWithinMs = 200;

/**
 * Says of a broken connection whether its gateway is still there. One that has ended, or restarts, breaks
 * all that was under way, and that is no answer to any of it; one that still listens broke this one.
 * Looks by opening a connection and closing it, and once more a little later: nothing is sent over it.
 */
export async function afterReset(exchange: Exchange, { proxies }: Routes = {}): Promise<Exchange> {
  const { failure, request } = exchange;
  if (failure?.kind !== 'reset' && failure?.kind !== 'closed') return exchange;
  const proxy = proxies === undefined ? null : proxyFor(request.url, proxies);
  if (proxy !== null) {
    // Touchstone cannot see whether the gateway behind a proxy still listens.
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

/** True if connections to an address are refused. */
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
