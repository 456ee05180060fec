import { createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { afterReset } from './after-reset.ts';
import { KeptConnection } from './line.ts';
import { proxiesIn, proxyAddress, proxyFor, shownProxy } from './proxies.ts';
import type { Routes, TlsMaterial } from './routes.ts';
import { openSocket } from './socket.ts';
import {
  clientCertificate,
  encryptedClientKey,
  expiredCertificate,
  expiredKey,
  serverCertificate,
  serverKey,
  testAuthority,
} from './testing-certificates.ts';
import { startProxy, startSecure } from './testing-proxy.ts';
import {
  freePort,
  listening,
  serveBytes,
  serveHttp,
  wireOptions,
  wireRequest,
} from './testing-server.ts';
import { send } from './transport.ts';

const client: TlsMaterial = {
  ca: testAuthority,
  certificate: clientCertificate,
  key: encryptedClientKey,
  passphrase: 'open-sesame-1',
};

/** Routes through a proxy to `gateway.test`, whose certificate the authority has signed. */
function routes(proxy: string, tls: TlsMaterial = { ca: testAuthority }): Routes {
  return { proxies: { http: proxy, https: proxy, except: [] }, tls: { 'gateway.test': tls } };
}

const get = { method: 'GET', body: null } as const;

test('by a proxy and TLS: HTTP/1.1, a kept connection, HTTP/2, and a WebSocket, as a client with a certificate', async () => {
  const server = await startSecure({ requestCert: true });
  const proxy = await startProxy(server.port);
  const options = wireOptions({ routes: routes(proxy.url, client) });
  const over = new KeptConnection();
  const sent = [];
  sent.push(await send(wireRequest('https://gateway.test/one', get), options));
  for (const path of ['two', 'three']) {
    sent.push(await send(wireRequest(`https://gateway.test/${path}`, { ...get, over }), options));
  }
  over.close();
  const offered = { ...get, offersHttp2: true };
  sent.push(await send(wireRequest('https://gateway.test/four', offered), options));
  expect(sent.map(({ failure }) => failure)).toEqual([null, null, null, null]);
  expect(sent.map(({ response }) => response?.over)).toEqual([
    undefined,
    undefined,
    'kept connection',
    'http/2',
  ]);
  const socket = await openSocket(wireRequest('wss://gateway.test/five', get), options);
  socket.send('hello');
  await socket.receive(({ text }) => text === 'hello');
  const conversation = await socket.exchange();
  expect(conversation.failure).toBeNull();
  expect(conversation.socket?.frames).toHaveLength(2);
  expect(server.asked).toEqual([
    'tester GET /one',
    'tester GET /two',
    'tester GET /three',
    'h2 GET /four',
    'tester WS /five',
  ]);
  expect(proxy.asked).toEqual(Array(4).fill('CONNECT gateway.test:443'));
  expect(JSON.stringify([...sent, conversation])).not.toMatch(/p@ss|p%40ss|proxy-auth/i);
});

test('HTTP/2 offered to who takes HTTP/1.1 alone', async () => {
  const server = createServer({ cert: serverCertificate, key: serverKey }, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  const proxy = await startProxy(await listening(server));
  const options = wireOptions({ routes: routes(proxy.url) });
  const offered = { ...get, offersHttp2: true };
  const exchange = await send(wireRequest('https://gateway.test/', offered), options);
  expect([exchange.failure, exchange.response?.status]).toEqual([null, 200]);
  expect(exchange.response?.over).toBeUndefined();
  expect(proxy.asked).toHaveLength(1);
});

test('plain HTTP goes to the proxy with its whole address, a WebSocket through a tunnel', async () => {
  const server = await serveHttp((request, response) => response.end(String(request.headers.host)));
  const proxy = await startProxy(Number(new URL(server.url).port));
  const options = wireOptions({ routes: routes(proxy.url) });
  const exchange = await send(wireRequest('http://gateway.test:81/a?b=%2F', get), options);
  expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe('gateway.test:81');
  await (await openSocket(wireRequest('ws://gateway.test:81/s', get), options)).exchange();
  expect(proxy.asked).toEqual(['GET http://gateway.test:81/a?b=%2F', 'CONNECT gateway.test:81']);
  // Addresses on this machine bypass the proxy.
  await send(wireRequest(server.url, get), options);
  expect(proxy.asked).toHaveLength(2);
});

test('what a proxy does is not said of the gateway', async () => {
  const server = await startSecure();
  const without = (await startProxy(server.port)).url.replace('me:p%40ss@', '');
  const refusing = (await startProxy({ refuses: 502 })).url;
  const nobody = `http://127.0.0.1:${await freePort()}`;
  const garbage = (await serveBytes((socket) => socket.end('no\r\n\r\n'))).url;
  const cases = [
    [without, 'https', /proxy http:\/\/127\S+ answered 407.*put user and password/],
    [without, 'http', /proxy http:\/\/127\S+ answered 407/],
    [refusing, 'https', /proxy http:\/\/127\S+ answered 502 No when .*does not reach the gateway/],
    [refusing, 'wss', /answered 502/],
    [nobody, 'https', /no connection to the proxy http:\/\/127\S+: ECONNREFUSED/],
    [nobody, 'http', /no connection to the proxy/],
    [garbage, 'https', /did not answer in HTTP/],
  ] as const;
  for (const [proxy, scheme, message] of cases) {
    const request = wireRequest(`${scheme}://gateway.test/`, get);
    const options = wireOptions({ routes: routes(proxy) });
    const { failure, response } =
      scheme === 'wss'
        ? await (await openSocket(request, options)).exchange()
        : await send(request, options);
    expect({ kind: failure?.kind, response }).toEqual({ kind: 'proxy', response: null });
    expect(failure?.message).toMatch(message);
    expect(failure?.message).not.toMatch(/p@ss|p%40ss/);
  }
});

test('who broke a connection through a proxy is not known', async () => {
  const server = await serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    setImmediate(() => socket.destroy());
  });
  const proxy = await startProxy(Number(new URL(server.url).port));
  const options = wireOptions({ routes: routes(proxy.url) });
  const broken = await send(wireRequest('http://gateway.test/', get), options);
  expect(broken.failure?.kind).toBe('reset');
  const { failure } = await afterReset(broken, options.routes);
  expect(failure?.kind).toBe('proxy');
  expect(failure?.message).toMatch(/the proxy .* stands between/);
});

test('what is wrong with a certificate says what to do', async () => {
  const server = await startSecure();
  const expired = await startSecure({ cert: expiredCertificate, key: expiredKey });
  const asking = await startSecure({ requestCert: true });
  const cases: [number, string, TlsMaterial, RegExp][] = [
    [server.port, 'gateway.test', {}, /unknown authority: .*`tls.ca`/],
    [server.port, 'other.test', { ca: testAuthority }, /is for another host/],
    [expired.port, 'gateway.test', { ca: testAuthority }, /has expired/],
    [
      asking.port,
      'gateway.test',
      { ca: testAuthority },
      /asks for a certificate.*`tls.certificate`/,
    ],
  ];
  for (const [port, host, tls, message] of cases) {
    const proxy = await startProxy(port);
    const through = { ...routes(proxy.url), tls: { [host]: tls } };
    const options = wireOptions({ routes: through });
    const { failure } = await send(wireRequest(`https://${host}/`, get), options);
    expect(failure?.message).toMatch(message);
    expect(failure?.kind).toBe('unreachable');
  }
});

test.each([
  ['https://api.example/v1', 'https-proxy'],
  ['wss://api.example', 'https-proxy'],
  ['http://api.example', 'http-proxy'],
  ['http://localhost:1', null],
  ['http://127.0.0.9', null],
  ['http://[::1]:1', null],
  ['https://a.direct.example', null],
  ['https://direct.example', null],
  ['https://notdirect.example', 'https-proxy'],
  ['https://x.dotted.example', null],
  ['https://x.starred.example', null],
  ['https://port.example:8443', null],
  ['https://port.example', 'https-proxy'],
  ['https://10.1.2.3', null],
  ['https://10.2.2.3', 'https-proxy'],
  ['https://[fd00::5]', null],
])('%s by %s', (url, proxy) => {
  const proxies = proxiesIn({
    HTTP_PROXY: 'ignored',
    http_proxy: 'http-proxy',
    HTTPS_PROXY: 'https-proxy',
    NO_PROXY:
      'direct.example, .dotted.example,*.starred.example port.example:8443,10.1.0.0/16,fd00::/8',
  });
  expect(proxyFor(url, proxies)).toBe(proxy);
});

test('an environment without proxies, with one for all, and with one that is none', () => {
  expect(proxiesIn({ HTTPS_PROXY: ' ' })).toEqual({ except: [] });
  expect(proxiesIn({ ALL_PROXY: 'a', NO_PROXY: '*' })).toEqual({
    http: 'a',
    https: 'a',
    except: ['*'],
  });
  expect(proxyFor('https://api.example', proxiesIn({ ALL_PROXY: 'a', NO_PROXY: '*' }))).toBeNull();
  expect(proxyFor('https://api.example', proxiesIn({ HTTP_PROXY: 'a' }))).toBeNull();
  expect(shownProxy('me:secret@proxy.example:3128')).toBe('http://proxy.example:3128');
  expect(() => proxyAddress('socks5://x')).toThrow(/SOCKS/);
});
