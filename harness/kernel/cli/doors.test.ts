import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import {
  clientCertificate,
  encryptedClientKey,
  serverCertificate,
  serverKey,
  testAuthority,
} from '../wire/testing-certificates.ts';
import { startProxy } from '../wire/testing-proxy.ts';
import { listening } from '../wire/testing-server.ts';
import { call } from './testing.ts';

const secrets = {
  KEY: 'canary-owner-0123456789',
  WAF: 'canary-firewall-0123456789',
  OPENS: 'open-sesame-1',
};

/** Speaks TLS as `gateway.test` before a port, with those alone who show a certificate. */
async function secured(port: number): Promise<number> {
  const server = createServer(
    {
      cert: serverCertificate,
      key: serverKey,
      ca: testAuthority,
      requestCert: true,
      rejectUnauthorized: true,
    },
    (client) => {
      const behind = connect(port, '127.0.0.1');
      behind.pipe(client).pipe(behind);
      behind.on('error', () => client.destroy()).on('close', () => client.destroySoon());
      client.on('error', () => behind.destroy()).on('close', () => behind.destroy());
    },
  );
  return listening(server);
}

test('a gateway behind a proxy, a certificate and a firewall is judged, and no secret is written', async () => {
  const gateway = await startReference({ regions: ['only'], keys: { owner: secrets.KEY } });
  onTestFinished(() => gateway.close());
  const { port, pathname } = new URL(gateway.regions[0]?.baseUrl ?? '');
  const proxy = await startProxy(await secured(Number(port)));
  const folder = temporaryFolder();
  const [target, json, record] = ['target.yaml', 'report.json', 'run.jsonl'].map((name) =>
    join(folder, name),
  );
  const tls = { ca: 'ca.pem', certificate: 'me.pem', key: 'me.key', passphrase: `\${OPENS}` };
  const file = {
    singleRegion: true,
    headers: { 'x-waf': `\${WAF}` },
    regions: [{ name: 'only', baseUrl: `https://gateway.test${pathname}`, tls }],
    keys: { owner: `\${KEY}` },
    models: gateway.models,
  };
  writeFileSync(target ?? '', JSON.stringify(file));
  writeFileSync(join(folder, tls.ca), testAuthority);
  writeFileSync(join(folder, tls.certificate), clientCertificate);
  writeFileSync(join(folder, tls.key), encryptedClientKey);

  const line = `run models/list websocket/connection.turn-served --target ${target} --json ${json} --record ${record} --allow-partial`;
  const run = await call(line, { ...secrets, HTTPS_PROXY: proxy.url });
  expect([run.code, run.err.match(/Requests go through.*/)?.[0]]).toEqual([
    0,
    `Requests go through the proxy ${new URL(proxy.url).origin}.`,
  ]);
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT gateway.test:443']));
  const written = [run.out, run.err, readFileSync(json ?? ''), readFileSync(record ?? '')].join();
  expect(written).toContain('x-waf');
  expect(written).not.toMatch(/canary|sesame|p%40ss|PRIVATE/);

  const refusing = await startProxy({ refuses: 502 });
  const refused = await call(line, { ...secrets, https_proxy: refusing.url });
  expect(refused.code).toBe(4);
  expect(refused.err).toMatch(
    /the proxy http\S+ answered 502[\s\S]*about the proxy, not the gateway/,
  );
});

test.each(['run', 'init'])('%s takes headers from the command line', async (command) => {
  const model = command === 'init' ? '' : ' --model m';
  const line = `${command} --base-url http://127.0.0.1:1${model} --header host:x`;
  const { code, err } = await call(line, { TOUCHSTONE_KEY: secrets.KEY });
  expect(code).toBe(3);
  expect(err).toContain('The header `host` is what checks are about');
});
