import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { missing, patience, startBrowser } from '../../kernel/report/html/testing-browser.ts';
import { withDefaults } from '../../kernel/targets/defaults.ts';
import { readSentScript } from '../../kernel/targets/script-file.ts';
import { isGone } from '../../kernel/wire/index.ts';
import { freePort } from '../../kernel/wire/testing-server.ts';
import { type ReferenceGateway, startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { startProxy } from './proxy.ts';

/** Checks that foreign web pages can do nothing to `serve` and `observe` on the machine of a developer. */

const folder = temporaryFolder();
/** A name of somebody else, which leads to this machine. */
const elsewhere = 'evil.example';
const ours = { rules: [{ name: 'ours', text: 'ours' }] };
const theirs = JSON.stringify({ rules: [{ name: 'theirs', text: 'theirs' }] });

async function serving(port = 0, allowHosts: readonly string[] = []): Promise<ReferenceGateway> {
  const gateway = await startReference({
    regions: ['eu'],
    ports: [port],
    isMock: true,
    journal: {},
    script: ours,
    readScript: readSentScript,
    faults: { shelf: { find: async () => undefined, hint: async () => '', list: async () => [] } },
    allowHosts,
  });
  onTestFinished(() => gateway.close());
  await say(gateway);
  return gateway;
}

const baseOf = ({ regions }: ReferenceGateway): string => regions[0]?.baseUrl ?? '';

/** Returns the answer to a prompt of the developer. */
async function say(gateway: ReferenceGateway): Promise<string> {
  const answer = await fetch(`${baseOf(gateway)}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.keys.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'ts-omni',
      messages: [{ role: 'user', content: 'a prompt of the developer' }],
    }),
  });
  return answer.text();
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Asks as `fetch` cannot: with any `Host`. */
async function ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const sent = request(url, { method, headers, agent: false });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  return {
    status: answer.statusCode,
    cors: answer.headers['access-control-allow-origin'],
    text: Buffer.concat(pieces).toString(),
  };
}

/** The paths of the requests that it shows; a browser asks for a picture by itself. */
function kept(gateway: ReferenceGateway): readonly string[] {
  return gateway
    .requests()
    .map(({ path }) => path)
    .filter((path) => path !== '/favicon.ico');
}

const control: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/_touchstone/requests'],
  ['DELETE', '/_touchstone/requests'],
  ['PUT', '/_touchstone/script', theirs],
  ['DELETE', '/_touchstone/script'],
  ['POST', '/_touchstone/clock', '{"response_id":"resp_1","age_seconds":1}'],
  ['GET', '/_touchstone/ledger?client_request_id=a'],
  ['GET', '/_touchstone/metrics'],
  ['GET', '/_touchstone/none'],
  ['GET', '/_touchstone/fault/status:503/_touchstone/requests'],
];

const strange: Readonly<Record<string, Record<string, string>>> = {
  'from a page of another origin': { origin: 'https://evil.example' },
  'from a page without an origin': { origin: 'null' },
  'from a page of the same machine': { origin: 'http://localhost:3000' },
  'by a page that says no origin': { 'sec-fetch-site': 'cross-site' },
  'by another name': { host: 'evil.example' },
  'by another name, with the port': { host: 'evil.example:8787' },
  'by a name that looks like ours': { host: '127.0.0.1.evil.example' },
  'by a name that ends like ours': { host: 'evillocalhost' },
  'by another address': { host: '10.0.0.1:8787' },
};

test.each(Object.entries(strange))(
  'a control endpoint that is asked %s refuses, and stays',
  async (_, headers) => {
    const gateway = await serving();
    for (const [method, path, body] of control) {
      const answer = await ask(baseOf(gateway) + path, { method, headers, ...(body && { body }) });
      expect([path, answer.status, answer.cors]).toEqual([path, 403, undefined]);
      expect(answer.text).not.toContain('developer');
      const before = await ask(baseOf(gateway) + path, { method: 'OPTIONS', headers });
      expect([before.status, before.cors]).toEqual([403, undefined]);
    }
    expect(kept(gateway)).toEqual(['/v1/chat/completions']);
    expect(await say(gateway)).toContain('ours');
  },
);

test.each(['localhost', 'LOCALHOST:1', 'a.localhost', '127.0.0.1:8787', '[::1]:8787', 'eu:8787'])(
  'by the name %s it is asked as before',
  async (host) => {
    const gateway = await serving(0, ['EU']);
    const url = `${baseOf(gateway)}/_touchstone/requests`;
    const answer = await ask(url, { headers: { host } });
    expect([answer.status, answer.cors]).toEqual([200, undefined]);
  },
);

test('pages may ask the paths of the interface, and nothing beside', async () => {
  const gateway = await serving();
  const headers = { origin: 'https://page.example', authorization: `Bearer ${gateway.keys.owner}` };
  const cors = async (path: string) => (await ask(baseOf(gateway) + path, { headers })).cors;
  expect(await cors('/v1/models')).toBe('*');
  expect(await cors('/_touchstone/fault/status:503/v1/models')).toBe('*');
  expect(await cors('/')).toBeUndefined();
  expect(await cors('/_touchstone/faults')).toBeUndefined();
});

/** A gateway behind the proxy, which counts. */
async function observed() {
  let count = 0;
  const server = createServer((_, response) => {
    count++;
    response.setHeader('access-control-allow-origin', '*');
    response.end('{"data":"of the gateway"}');
  });
  const said: string[] = [];
  const start = async (port: number, allowHosts: readonly string[] = []) => {
    const regions = [{ name: 'here', baseUrl: await listening(server) }];
    const target = withDefaults({ regions, keys: { owner: '' }, models: [] }, 'test');
    const proxy = await startProxy({
      ...{ target, host: '127.0.0.1', port, allowHosts },
      seen: () => undefined,
      say: (what) => said.push(what),
    });
    onTestFinished(async () => {
      await proxy.close();
      server.closeAllConnections();
      server.close();
    });
    return proxy.addresses[0]?.url ?? '';
  };
  return { start, said, count: () => count };
}

async function listening(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('observe lets nobody through who asks for another host, and says so', async () => {
  const { start, said, count } = await observed();
  const base = await start(0, ['gateway.local']);
  for (const host of ['evil.example', 'evil.example:80', '10.0.0.1', '127.0.0.1.evil.example']) {
    const answer = await ask(`${base}/v1/models`, { headers: { host } });
    expect([answer.status, answer.text]).toEqual([421, expect.stringContaining('--allow-host')]);
  }
  expect(count()).toBe(0);
  expect(said[0]).toContain('evil.example');
  for (const host of ['localhost:9', '127.0.0.1', '[::1]', 'gateway.local:8080']) {
    expect((await ask(`${base}/v1/models`, { headers: { host } })).status).toBe(200);
  }
  expect(count()).toBe(4);
});

describe('in a real browser', () => {
  let context: BrowserContext | undefined;
  beforeAll(async () => {
    const args = [`--host-resolver-rules=MAP ${elsewhere} 127.0.0.1`];
    context = await startBrowser(join(folder, 'profile'), { args });
  }, patience);
  afterAll(async () => {
    await context?.close();
  }, patience);

  /** A page of somebody else, at this port of another name. */
  async function pageAt(port: number) {
    if (context === undefined) throw new Error(missing);
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<title>evil</title>');
    });
    const at = new URL(await listening(server, port));
    const page = await context.newPage();
    onTestFinished(() => page.close());
    await page.goto(`http://${elsewhere}:${at.port}/`);
    const close = async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      // A process that another thread is starting keeps the listener for a moment.
      while (!(await isGone(at.href))) await setImmediate();
    };
    onTestFinished(close);
    /** Returns what the page can read of an answer. */
    const tries = (url: string, options: Asked & { readonly mode?: string } = {}) =>
      page.evaluate(
        `fetch(${JSON.stringify(url)}, ${JSON.stringify(options)}).then(async (answer) => answer.type + ' ' + answer.status + ' ' + (await answer.text()), (error) => 'error ' + error.message)`,
      );
    return { page, tries, close };
  }

  test('a page of another origin reads nothing and changes nothing', { timeout: patience }, async ({
    skip,
  }) => {
    if (context === undefined) return skip(missing);
    const gateway = await serving();
    const { page, tries } = await pageAt(0);
    for (const [method, path, body] of control) {
      for (const mode of ['cors', 'no-cors']) {
        const seen = await tries(baseOf(gateway) + path, { method, mode, ...(body && { body }) });
        expect([method, path, mode, seen]).toEqual([
          ...[method, path, mode],
          expect.stringMatching(/^(error|opaque 0 $)/),
        ]);
      }
    }
    // A form needs nobody's leave.
    await page.evaluate(
      `{ const form = document.createElement('form'); form.method = 'post'; form.enctype = 'text/plain'; form.action = ${JSON.stringify(`${baseOf(gateway)}/_touchstone/clock`)}; document.body.append(form); form.submit(); }`,
    );
    await page.waitForURL(/_touchstone\/clock/);
    expect(await page.content()).toContain('A page in a browser may not ask this');
    expect(kept(gateway)).toEqual(['/v1/chat/completions']);
    expect(await say(gateway)).toContain('ours');
  });

  test('a page whose name is made to lead here reads nothing either', {
    timeout: patience,
  }, async ({ skip }) => {
    if (context === undefined) return skip(missing);
    const port = await freePort();
    const { tries, close } = await pageAt(port);
    await close();
    const gateway = await serving(port);
    for (const [method, path, body] of control) {
      const seen = await tries(path, { method, ...(body && { body }) });
      expect([path, seen]).toEqual([path, expect.stringMatching(/^basic 403 /)]);
      expect(seen).not.toContain('developer');
    }
    expect(kept(gateway)).toEqual(['/v1/chat/completions']);
    expect(await say(gateway)).toContain('ours');
  });

  test('nor does it reach a gateway through observe', { timeout: patience }, async ({ skip }) => {
    if (context === undefined) return skip(missing);
    const { start, count } = await observed();
    const port = await freePort();
    const { tries, close } = await pageAt(port);
    await close();
    await start(port);
    expect(await tries('/v1/models')).toMatch(/^basic 421 /);
    expect(count()).toBe(0);
  });

  test('a page may ask the interface, as clients in browsers do', { timeout: patience }, async ({
    skip,
  }) => {
    if (context === undefined) return skip(missing);
    const gateway = await serving();
    const { tries } = await pageAt(0);
    const headers = { authorization: `Bearer ${gateway.keys.owner}` };
    expect(await tries(`${baseOf(gateway)}/v1/models`, { headers })).toMatch(
      /^cors 200 .*ts-omni/s,
    );
  });
});
