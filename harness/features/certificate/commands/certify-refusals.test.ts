import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveHttp } from '../../../kernel/wire/testing-server.ts';
import { temporaryFolder } from '../../../testing.ts';
import { certified } from './testing-bundles.ts';

const folder = temporaryFolder();

/** A region in the place of those of the gateway. */
const at = (baseUrl: string) => ({
  target: { regions: [{ name: 'eu', baseUrl }], singleRegion: true },
});

test('plain HTTP beyond this machine is not certified, wherever its name leads', async () => {
  const { code, err, requests } = await certified(folder, 'plain', at('http://gw.vendor.example'));
  expect(err).toContain('Not certifiable. Nothing was sent.');
  expect(err.replaceAll(/\s+/g, ' ')).toContain(
    'http://gw.vendor.example (region eu) is plain HTTP',
  );
  expect([code, requests, existsSync(join(folder, 'plain'))]).toEqual([2, 0, false]);
});

test('a clock that is far from that of the gateway certifies nothing', async () => {
  const server = await serveHttp((request, answer) => {
    answer.setHeader('date', new Date(Date.now() - 7_200_000).toUTCString());
    answer.setHeader('content-type', 'application/json');
    if (request.url === '/v1/models') answer.end('{"object":"list","data":[]}');
    else answer.writeHead(400).end('{"error":{"message":"no such model"}}');
  });
  const { code, err } = await certified(folder, 'clock', at(server.url));
  expect(err.replaceAll(/\s+/g, ' ')).toMatch(
    /Only model lists were asked for\..* s behind that of the run/,
  );
  expect([code, existsSync(join(folder, 'clock'))]).toEqual([2, false]);
  expect(server.requests()).toBeLessThan(5);
});
