import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { proxyAddress, proxyAuthorization, shownProxy } from './proxies.ts';

/** Maximum length of the head of a proxy's answer. */
const longestHead = 64 * 1024;

/** Failure of a proxy, as opposed to the gateway behind it. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

export interface Opening {
  destroy(): void;
}

/** Callback with a connection, or with the error that prevented it. */
export type Connected = (...result: [null, Socket] | [Error, null]) => void;

/** Connects to a proxy. Errors on the way are reported as failures of the proxy. */
export function connectToProxy(proxy: string, connected: Connected): Opening {
  const { protocol, hostname, port } = proxyAddress(proxy);
  const host = hostname.replace(/^\[|\]$/g, '');
  const failed = (error: Error): void => {
    connected(
      new ProxyError(`no connection to the proxy ${shownProxy(proxy)}: ${said(error)}`),
      null,
    );
  };
  const socket =
    protocol === 'https:'
      ? connectTls({
          host,
          port: Number(port || 443),
          servername: host,
          ALPNProtocols: ['http/1.1'],
        })
      : connectTcp({ host, port: Number(port || 80) });
  socket.on('error', () => undefined).once('error', failed);
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    socket.off('error', failed);
    connected(null, socket.setNoDelay(true));
  });
  return socket;
}

/** Requests a tunnel to a host from a proxy, once. */
export function openTunnel(proxy: string, target: string, connected: Connected): Opening {
  return connectToProxy(proxy, (error, socket) => {
    if (error !== null) {
      connected(error, null);
      return;
    }
    let isOver = false;
    const end = (...result: [null, Socket] | [Error, null]): void => {
      if (isOver) return;
      isOver = true;
      socket.off('readable', read).off('end', ended).off('error', failed);
      if (result[0] !== null) socket.destroy();
      connected(...result);
    };
    const refused = (what: string): void => {
      end(new ProxyError(`the proxy ${shownProxy(proxy)} ${what}`), null);
    };
    const ended = (): void => refused(`closed the connection when it was asked for ${target}`);
    const failed = (broken: Error): void => refused(`broke the connection: ${said(broken)}`);
    let head = Buffer.alloc(0);
    const read = (): void => {
      for (let piece = socket.read(); Buffer.isBuffer(piece); piece = socket.read()) {
        head = Buffer.concat([head, piece]);
      }
      const length = head.indexOf('\r\n\r\n');
      if (length < 0) {
        if (head.length > longestHead) refused('answered with a head that has no end');
        return;
      }
      const [line = ''] = head.toString('latin1').split('\r\n', 1);
      const [, status = '', reason = ''] = /^HTTP\/1\.\d (\d{3}) ?(.*)$/.exec(line) ?? [];
      if (!status.startsWith('2')) {
        refused(status === '' ? 'did not answer in HTTP' : refusal(Number(status), reason, target));
        return;
      }
      const rest = head.subarray(length + 4);
      if (rest.length > 0) socket.unshift(rest);
      end(null, socket);
    };
    socket.on('readable', read).on('end', ended).on('error', failed);
    const authorization = proxyAuthorization(proxyAddress(proxy));
    socket.write(
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n` +
        `${authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`}\r\n`,
    );
  });
}

/** Explains the refusal of a proxy in words that can follow its name. */
export function refusal(status: number, reason: string, target: string): string {
  const words = reason.trim() === '' ? '' : ` ${reason.trim().slice(0, 80)}`;
  const answered = `answered ${status}${words} when it was asked for ${target}`;
  if (status === 407)
    return `${answered}: put user and password into its address, http://user:password@…`;
  if (status === 403 || status === 405) return `${answered}: it does not allow that`;
  return status >= 500 ? `${answered}: it does not reach the gateway` : answered;
}

function said(error: Error): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (first instanceof Error && 'code' in first && typeof first.code === 'string')
    return first.code;
  return error.message;
}
