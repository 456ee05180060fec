import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { touchstone } from '../../../kernel/cli/program.ts';
import { loadTarget } from '../../../kernel/targets/load.ts';
import { referenceTarget } from '../../../kernel/targets/reference.ts';
import { memoryTerminal } from '../../../kernel/terminal/testing-terminal.ts';
import { listening } from '../../../kernel/wire/testing-server.ts';
import { type ReferenceGateway, startReference } from '../../../reference/index.ts';
import { fixtureKeys, keyRoles, keyVariable } from '../../../reference/keys.ts';
import { temporaryFolder } from '../../../testing.ts';
import { exampleRequests, tryIt } from './serve-examples.ts';

let gateway: ReferenceGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

test('every command to copy is served as it stands there', async () => {
  gateway = await startReference({ names: { vendorA: 'acme', vendorB: 'zeta' } });
  const text = tryIt(gateway, true);
  const base = gateway.regions[0]?.baseUrl ?? '';
  const requests = exampleRequests(gateway, base, 'ts-omni');
  expect(requests.map(({ streams }) => streams).filter(Boolean)).toHaveLength(4);
  for (const { name, url, headers, body, streams } of requests) {
    expect(text).toContain(`'${url}' ${headers.map((header) => `-H '${header}'`).join(' ')} \\`);
    const response = await fetch(url, {
      method: 'POST',
      headers: [
        ['content-type', 'application/json'],
        ...headers.map((header): [string, string] => {
          const [name = '', value = ''] = header.split(': ');
          return [name, value];
        }),
      ],
      body: JSON.stringify(body),
    });
    const type = streams ? 'text/event-stream' : 'application/json';
    expect([name, response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
      name,
      200,
      type,
    ]);
    await response.text();
  }
});

test('serves until Ctrl-C', async () => {
  const terminal = memoryTerminal();
  const ended = touchstone(['serve', '--port', '0', '--region', 'here'], terminal);
  await expect.poll(() => terminal.written.out).toContain('Stop with Ctrl-C.');
  const base = /here +(http:\S+)/.exec(terminal.written.out)?.[1] ?? '';
  const key = /owner +(\S+)/.exec(terminal.written.out)?.[1] ?? '';
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${base}/v1/models`, { headers })).status).toBe(200);
  terminal.interrupt();
  expect(await ended).toBe(0);
  await expect(fetch(`${base}/v1/models`, { headers })).rejects.toThrow();
});

test('a port that is taken is wrong usage', async () => {
  const port = await listening(createServer());
  const terminal = memoryTerminal();
  expect(await touchstone(['serve', '--port', String(port)], terminal)).toBe(3);
  expect(terminal.written.err).toContain(`${port}, ${port + 1} is in use. Choose another`);
});

test('the target file that it writes describes it as it describes itself', async () => {
  const file = join(temporaryFolder(), 'served.yaml');
  const terminal = memoryTerminal();
  const ended = touchstone(['serve', '--port', '0', '--write-target', file], terminal);
  await expect.poll(() => terminal.written.out).toContain('Stop with Ctrl-C.');
  terminal.interrupt();
  await ended;
  const { target, close } = await referenceTarget();
  await close();
  const { keys, models, retentionDays } = target;
  // Names that official clients use.
  const names = { vendorA: 'anthropic', vendorB: 'goog' };
  const served = loadTarget(file);
  expect(served).toMatchObject({ name: 'served', keys, models, retentionDays, names });
  expect(terminal.written.out).toContain(served.regions[1]?.baseUrl ?? 'no region');
});

test('without probes it has none, and its target file says so', async () => {
  const file = join(temporaryFolder(), 'served.yaml');
  const terminal = memoryTerminal();
  const line = ['serve', '--port', '0', '--region', 'here', '--without-probes'];
  const ended = touchstone([...line, '--write-target', file], terminal);
  await expect.poll(() => terminal.written.out).toContain('Stop with Ctrl-C.');
  const base = /here +(http:\S+)/.exec(terminal.written.out)?.[1] ?? '';
  expect(terminal.written.out).not.toContain('_touchstone/ledger');
  expect((await fetch(`${base}/_touchstone/ledger?client_request_id=x`)).status).toBe(404);
  expect((await fetch(`${base}/_touchstone/requests`)).status).toBe(200);
  terminal.interrupt();
  expect(await ended).toBe(0);
  expect(readFileSync(file, 'utf8')).toMatch(/^withoutProbes: true$/m);
  expect(readFileSync(file, 'utf8')).not.toMatch(/^probes:/m);
  expect(terminal.written.out).toContain(`OPENAI_BASE_URL=${base}/v1\n`);
});

test('without a journal it shows no requests, says so, and counts them all the same', async () => {
  const terminal = memoryTerminal();
  const ended = touchstone(['serve', '--port', '0', '--journal', '0'], terminal);
  await expect.poll(() => terminal.written.out).toContain('Stop with Ctrl-C.');
  const { out } = terminal.written;
  expect(out).not.toContain('_touchstone/requests');
  const base = /eu +(http:\S+)/.exec(out)?.[1] ?? '';
  await (await fetch(`${base}/v1/models`)).text();
  const requests = await fetch(`${base}/_touchstone/requests`);
  expect([requests.status, await requests.text()]).toEqual([
    404,
    expect.stringContaining('--journal N'),
  ]);
  const shown = [...out.matchAll(/^ +\w+ +(\S+_touchstone\/(?:metrics|faults))$/gm)];
  expect(shown).toHaveLength(2);
  for (const [, url = ''] of shown) expect((await fetch(url)).status, url).toBe(200);
  const metrics = await (await fetch(`${base}/_touchstone/metrics`)).text();
  expect(metrics).toMatch(/^touchstone_requests_total\{.*status="401".*\} 1$/m);
  terminal.interrupt();
  expect(await ended).toBe(0);
});

test('quiet, it prints its addresses; with a log, each request without its query', async () => {
  const terminal = memoryTerminal();
  const line = ['serve', '--port', '0', '--region', 'here', '--quiet', '--log'];
  const ended = touchstone(line, terminal);
  await expect.poll(() => terminal.written.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  const base = terminal.written.out.trim();
  await (await fetch(`${base}/v1/models?key=secret`)).text();
  await expect.poll(() => terminal.written.err).toMatch(/^401 GET \/v1\/models here \d+ ms\n$/);
  terminal.interrupt();
  expect(await ended).toBe(0);
});

test('stands before regions that run elsewhere, with keys of the environment', async () => {
  const own = 'a-key-of-the-environment';
  const environment = Object.fromEntries(
    keyRoles.map((role) => [keyVariable(role), role === 'sameUser' ? own : `${role}-${own}`]),
  );
  const [region, balancer] = [memoryTerminal(environment), memoryTerminal(environment)];
  const line = ['serve', '--port', '0', '--region', 'eu', '--path-prefix', 'eu', '--quiet'];
  const ended = [touchstone([...line, '--retention-days', '2'], region)];
  await expect.poll(() => region.written.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/eu\n$/);
  const file = join(temporaryFolder(), 'served.yaml');
  const route = `eu=${region.written.out.trim().replace(/eu$/, '')}`;
  ended.push(
    touchstone(['serve', '--port', '0', '--route', route, '--write-target', file], balancer),
  );
  await expect.poll(() => balancer.written.out).toContain('Stop with Ctrl-C.');
  expect(balancer.written.out).not.toContain(own);
  const { regions, keys, probes } = loadTarget(file, environment);
  expect(keys.sameUser).toBe(own);
  const [{ baseUrl } = { baseUrl: '' }] = regions;
  const headers = { authorization: `Bearer ${own}` };
  expect((await fetch(`${baseUrl}/v1/models`, { headers })).status).toBe(200);
  expect((await fetch(`${probes.ledger?.[0]}?client_request_id=x`)).status).toBe(200);
  expect((await fetch(`${new URL(baseUrl).origin}/v1/models`, { headers })).status).toBe(404);
  for (const terminal of [balancer, region]) terminal.interrupt();
  expect(await Promise.all(ended)).toEqual([0, 0]);
});

test.each([
  [['--route', 'eu'], '--route eu: expected a region and where it is served'],
  [['--route', 'eu=http://eu:8787', '--script', 'a.yaml'], '--script says how a gateway answers'],
  [['--port', '65535'], 'There is no port 65536'],
  [['--host', '300.1.1.1', '--port', '0'], 'Cannot listen on 300.1.1.1:0'],
  [['--region', 'eu', '--region', 'eu'], '--region eu is given twice'],
  [['--vendor-a', 'a{b'], 'Expected letters, digits and hyphens'],
  [['--fault', 'staus:429'], 'Did you mean `status:<n>[:<s>]`'],
])('%j is wrong usage', async (line, message) => {
  const terminal = memoryTerminal();
  expect(await touchstone(['serve', ...line], terminal)).toBe(3);
  expect(terminal.written.err).toContain(message);
});

test('faults are taken by name; an unknown one is wrong usage, with what is near', async () => {
  const terminal = memoryTerminal();
  const line = ['serve', '--port', '0', '--region', 'here', '--quiet'];
  const ended = touchstone([...line, '--fault', 'status:503'], terminal);
  await expect.poll(() => terminal.written.out).toMatch(/^http:/);
  const address = terminal.written.out.trim();
  expect((await fetch(`${address}/_touchstone/ledger?client_request_id=x`)).status).toBe(200);
  const headers = { authorization: `Bearer ${fixtureKeys.owner}` };
  expect((await fetch(`${address}/v1/models`, { headers })).status).toBe(503);
  terminal.interrupt();
  expect(await ended).toBe(0);
  const wrong = memoryTerminal();
  expect(await touchstone([...line, '--fault', 'auth.keyless-catalo'], wrong)).toBe(3);
  expect(wrong.written.err).toContain('Did you mean `auth.keyless-catalog`');
  expect(await touchstone([...line, '--fault', 'reset@2'], wrong)).toBe(3);
  expect(wrong.written.err).toContain('a rate from 0 to 1 after @');
});

test('all faults and variants are listed', async () => {
  const terminal = memoryTerminal();
  expect(await touchstone(['serve', '--list-faults'], terminal)).toBe(0);
  expect(terminal.written.out).toMatch(/^fault {4}cut:<n>$/m);
  expect(terminal.written.out).toMatch(/^variant {2}framing.crlf$/m);
});

test('a script is played, read again when it changes, and sent; a broken one leaves the old one', async () => {
  const file = join(temporaryFolder(), 'answers.yaml');
  writeFileSync(file, 'rules:\n  - text: First.\n');
  const terminal = memoryTerminal();
  const line = ['serve', '--port', '0', '--region', 'here', '--quiet', '--log', '--script', file];
  const ended = touchstone(line, terminal);
  await expect.poll(() => terminal.written.out).toMatch(/^http:/);
  const said = async (): Promise<unknown> => {
    const response = await fetch(`${terminal.written.out.trim()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixtureKeys.owner}` },
      body: JSON.stringify({ model: 'ts-omni', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    return Object(await response.json()).choices[0].message.content;
  };
  expect(await said()).toBe('First.');
  expect(terminal.written.err).toMatch(/, ts-omni, owner, rule 1\n$/);
  writeFileSync(file, 'rules:\n  - txt: Second.\n');
  await expect.poll(() => terminal.written.err).toContain('Did you mean `text`?');
  expect(await said()).toBe('First.');
  writeFileSync(file, 'rules:\n  - text: Second.\n  - text: Third.\n');
  await expect.poll(said).toBe('Second.');
  expect(terminal.written.err).toContain(`Warning: ${file}:3:5  rules[1]\n  No request reaches`);
  const send = async (method: string, body: string | null = null): Promise<string> =>
    (await fetch(`${terminal.written.out.trim()}/_touchstone/script`, { method, body })).text();
  expect(await send('PUT', 'rules:\n  - txt: Sent.')).toContain('The script:2:5  rules[0].txt');
  expect(await send('PUT', 'rules:\n  - text: Sent.')).toBe('{"rules":1,"warnings":[]}');
  expect(await said()).toBe('Sent.');
  await send('DELETE');
  expect(await said()).toBe('Second.');
  terminal.interrupt();
  expect(await ended).toBe(0);
  expect(await touchstone(['serve', '--script', 'nowhere.yaml'], memoryTerminal())).toBe(3);
});
