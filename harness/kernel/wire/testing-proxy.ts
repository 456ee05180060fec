import { createServer as createHttp, request } from 'node:http';
import { createSecureServer } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { serverCertificate, serverKey, testAuthority } from './testing-certificates.ts';
import { listening } from './testing-server.ts';

/** A real forward proxy and TLS server for tests. Both stop at the end of the test. */

interface TestProxy {
  /** `http://user:password@127.0.0.1:port` */
  readonly url: string;
  /** Requests to the proxy: `CONNECT gateway.test:443`, `GET http://gateway.test/v1/models`. */
  readonly asked: string[];
}

/** @param to the port that the proxy always connects to, or the status with which it refuses */
export async function startProxy(to: number | { readonly refuses: number }): Promise<TestProxy> {
  const asked: string[] = [];
  const wanted = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  const statusFor = (authorization: string | undefined): number | null => {
    if (typeof to === 'object') return to.refuses;
    return authorization === wanted ? null : 407;
  };
  const server = createHttp((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { 'proxy-authorization': authorization, ...headers } = incoming.headers;
    const status = statusFor(authorization);
    if (status !== null || typeof to === 'object') {
      outgoing.writeHead(status ?? 502).end('the proxy says no');
      return;
    }
    const path = (incoming.url ?? '').replace(/^http:\/\/[^/]*/, '');
    const further = request(
      { host: '127.0.0.1', port: to, method: incoming.method, path, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
        answer.on('error', () => outgoing.destroy()).pipe(outgoing);
      },
    );
    further.on('error', () => outgoing.destroy());
    incoming.pipe(further);
  });
  server.on('connect', (incoming, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    const status = statusFor(incoming.headers['proxy-authorization']);
    if (status !== null || typeof to === 'object') {
      socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const behind = connect(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n');
      behind.pipe(socket).pipe(behind);
    });
    behind.on('error', () => socket.destroySoon());
    socket.on('error', () => behind.destroy()).on('close', () => behind.destroy());
  });
  const port = await listening(server);
  return { url: `http://me:p%40ss@127.0.0.1:${port}`, asked };
}

interface SecureServer {
  readonly port: number;
  /** `tester GET /v1/models`: the name in the certificate of the client, or `h2`, and the request. */
  readonly asked: string[];
}

/** Starts a TLS server for `gateway.test`. It offers HTTP/2, and echoes WebSocket messages. */
export async function startSecure(
  options: { readonly cert?: string; readonly key?: string; readonly requestCert?: boolean } = {},
): Promise<SecureServer> {
  const asked: string[] = [];
  const { requestCert = false, cert = serverCertificate, key = serverKey } = options;
  const server = createSecureServer({
    allowHTTP1: true,
    cert,
    key,
    ca: testAuthority,
    requestCert,
    rejectUnauthorized: requestCert,
  });
  const sockets = new WebSocketServer({ noServer: true });
  const name = (socket: unknown): string =>
    typeof socket === 'object' && socket !== null && 'getPeerCertificate' in socket
      ? String(Object(Object(socket).getPeerCertificate()).subject?.CN ?? '-')
      : '-';
  server.on('request', (incoming, outgoing) => {
    const http2 = incoming.httpVersion === '2.0';
    const asWho = http2 ? 'h2' : name(incoming.socket);
    asked.push(`${asWho} ${incoming.method} ${incoming.url}`);
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end('{"ok":true}');
  });
  server.on('upgrade', (incoming, socket, head) => {
    asked.push(`${name(socket)} WS ${incoming.url}`);
    sockets.handleUpgrade(incoming, socket, head, (one) => {
      one.on('message', (text) => one.send(String(text)));
    });
  });
  server.on('sessionError', () => undefined).on('tlsClientError', () => undefined);
  return { port: await listening(server), asked };
}
