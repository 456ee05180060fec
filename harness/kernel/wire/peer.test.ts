import { X509Certificate } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { KeptConnection } from './line.ts';
import { fromLine, peerFrom, peerLine, toLine } from './recording.ts';
import type { Routes } from './routes.ts';
import { openSocket } from './socket.ts';
import { testAuthority } from './testing-certificates.ts';
import { startProxy, startSecure } from './testing-proxy.ts';
import { freePort, serveHttp, wireOptions, wireRequest } from './testing-server.ts';
import { send } from './transport.ts';

const get = { method: 'GET', body: null } as const;

function subjects({ peer }: Exchange): (string | undefined)[] | undefined {
  return peer?.tls?.chain.map((der) => new X509Certificate(Buffer.from(der, 'base64')).subject);
}

test('through a tunnel the peer is the gateway, however it is spoken to and resumed', async () => {
  const server = await startSecure({});
  const proxy = await startProxy(server.port);
  const routes: Routes = {
    proxies: { http: proxy.url, https: proxy.url, except: [] },
    tls: { 'gateway.test': { ca: testAuthority } },
  };
  const options = wireOptions({ routes });
  const over = new KeptConnection();
  const sent: Exchange[] = [];
  for (const fields of [get, get, { ...get, over }, { ...get, over }]) {
    sent.push(await send(wireRequest('https://gateway.test/', fields), options));
  }
  over.close();
  sent.push(
    await send(wireRequest('https://gateway.test/', { ...get, offersHttp2: true }), options),
  );
  sent.push(await (await openSocket(wireRequest('wss://gateway.test/s', get), options)).exchange());
  for (const exchange of sent) {
    expect(exchange.peer).toMatchObject({
      host: 'gateway.test',
      address: null,
      tls: { protocol: 'TLSv1.3', verified: true, trusts: 'target-file' },
    });
    expect(subjects(exchange)).toEqual(['CN=gateway.test', 'CN=Test Authority']);
  }
  // All exchanges share one object for the same peer.
  expect(new Set(sent.map(({ peer }) => peer)).size).toBe(1);
});

test('plain HTTP has an address, and through a proxy none', async () => {
  const server = await serveHttp((_, answer) => answer.end('{}'));
  const direct = await send(wireRequest(server.url, get), wireOptions());
  const { host, port } = new URL(server.url);
  expect(direct.peer).toMatchObject({ host, address: '127.0.0.1', tls: null });
  const proxy = await startProxy(Number(port));
  const routes = { proxies: { http: proxy.url, except: [] } };
  const forwarded = await send(wireRequest('http://gateway.test/', get), wireOptions({ routes }));
  expect(forwarded.peer).toMatchObject({ host: 'gateway.test', address: null, tls: null });
});

test('where verification is switched off, that is seen', async () => {
  const server = await startSecure({});
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const exchange = await send(wireRequest(`https://127.0.0.1:${server.port}/`, get), wireOptions());
  expect(exchange.response?.status).toBe(200);
  expect(exchange.peer?.tls).toMatchObject({ verified: false, trusts: 'system' });
});

test('where nobody listens there is none', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(await send(wireRequest(url, get), wireOptions())).not.toHaveProperty('peer');
});

test('a recording has a peer once, and shows where it was changed', async () => {
  const server = await serveHttp((_, answer) => answer.end('{}'));
  const exchange = await send(wireRequest(server.url, get), wireOptions());
  const { peer } = exchange;
  if (peer === undefined) throw new Error('It has no peer');
  const line = peerLine(peer);
  expect(peerFrom(line)).toEqual(peer);
  expect(peerFrom(toLine(exchange))).toBeNull();
  expect(() => peerFrom(line.replace('127.0.0.1', '203.0.113.1'))).toThrow(/was changed/);
  const odd = { ...peer, tls: { protocol: 'TLSv1.3', verified: true, trusts: 'me', chain: [] } };
  expect(() => peerFrom(JSON.stringify({ peer: odd }))).toThrow(/nobody can have seen/);
  const text = toLine(exchange);
  expect(text).not.toContain('"address"');
  expect(fromLine(text, new Map([[peer.id, peer]])).exchange).toEqual(exchange);
  expect(fromLine(text).exchange).not.toHaveProperty('peer');
});
