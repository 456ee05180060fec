import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inProcess as call, type Started, start } from '../../../kernel/cli/testing.ts';
import { targetFileOf } from '../../../kernel/targets/served-target-file.ts';
import { listening } from '../../../kernel/wire/testing-server.ts';
import { faults } from '../../../proof/faults/index.ts';
import { type Defect, type ReferenceGateway, startReference } from '../../../reference/index.ts';
import { temporaryFolder } from '../../../testing.ts';

const folder = temporaryFolder();

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A gateway, and a file that describes it and does not hold its keys. */
async function gateway(defect?: Defect): Promise<ReferenceGateway & { readonly file: string }> {
  const started = await startReference({ tokenMs: 1, ...(defect === undefined ? {} : { defect }) });
  onTestFinished(() => started.close());
  const described = targetFileOf(started);
  const keyless = Object.values(started.keys).reduce(
    (text, key, index) => text.replaceAll(key, `\${NOT_SET_${index}}`),
    described,
  );
  return { ...started, file: file(`${started.regions[0]?.baseUrl.slice(-5)}.yaml`, keyless) };
}

/** Waits until the proxy of a region listens, and returns its address. */
async function addressOf({ written }: Started, region = 'eu'): Promise<string> {
  for (let turn = 0; turn < 1000; turn++) {
    const [, url] = new RegExp(`${region}\\s+(http://\\S+)`).exec(written.out) ?? [];
    if (url !== undefined) return url;
    await delay(20);
  }
  throw new Error(`it does not listen: ${written.err}`);
}

const prompt = 'What nobody else may read.';

function ask(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      // A kept one may just be closing.
      connection: 'close',
    },
    body: JSON.stringify({
      model: 'ts-omni',
      max_completion_tokens: 16,
      messages: [{ role: 'user', content: prompt }],
    }),
  });
}

test('so many requests, in both regions, and then a report', async () => {
  const { keys, file: target } = await gateway();
  const [json, record] = [join(folder, 'o.json'), join(folder, 'o.jsonl')];
  const started = start(
    `observe --target ${target} --listen 0 --requests 3 --json ${json} --record ${record} --allow-partial`,
  );
  const [eu, us] = [await addressOf(started), await addressOf(started, 'us')];
  expect(eu).not.toBe(us);
  expect((await ask(eu, keys.owner)).status).toBe(200);
  expect((await ask(us, keys.owner)).status).toBe(200);
  expect((await ask(eu, 'no-such-key-at-all')).status).toBe(401);
  const { code, out, err } = await started.ended;
  expect(out).toContain('PARTIAL');
  expect(out).toContain('Observed by a proxy: nothing was sent.');
  expect(code).toBe(0);
  const report = JSON.parse(readFileSync(json, 'utf8'));
  expect(report).toMatchObject({ observed: 'proxy', traffic: { requests: 3, generations: 2 } });
  const recorded = readFileSync(record, 'utf8');
  expect(recorded).toContain(prompt);
  for (const text of [out, err, recorded, JSON.stringify(report)]) {
    expect(text).not.toContain(keys.owner);
    expect(text).not.toContain('no-such-key-at-all');
  }
  const again = await call(`recheck ${record} --allow-partial`);
  expect(again.code).toBe(0);
  expect(again.out).toContain('PARTIAL');
});

test('Ctrl-C ends it, with what was wrong; no body is shown that was not asked for', async () => {
  const fault = faults.find(({ id }) => id === 'chat-completions.wrong-object');
  const { keys, file: target } = await gateway(fault);
  const json = join(folder, 'ctrl-c.json');
  const started = start(`observe --target ${target} --listen 0 --json ${json}`);
  const url = await addressOf(started);
  await (await ask(url, keys.owner)).text();
  started.interrupt();
  const { code, out } = await started.ended;
  expect(code).toBe(1);
  expect(out).toContain('generation/chat-completions.shape');
  expect(out).toMatch(/1 request,\s+1\s+generation/);
  expect(readFileSync(json, 'utf8')).not.toContain(prompt);
});

test('after some seconds, without a request: nothing was judged', async () => {
  const { file: target } = await gateway();
  const { code, out } = await call(`observe --target ${target} --listen 0 --for 0.2`);
  expect(out).toContain('No check was judged.');
  expect(code).toBe(2);
});

test('a gateway that dies in the middle, and a client that does: what was measured is reported', async () => {
  const reference = await gateway();
  const started = start(`observe --target ${reference.file} --listen 0`);
  const url = await addressOf(started);
  await (await ask(url, reference.keys.owner)).text();
  await reference.close();
  await expect(ask(url, reference.keys.owner)).rejects.toThrow();
  started.interrupt();
  const { code, out, err } = await started.ended;
  expect(err).toContain('cannot be reached');
  expect(err).not.toMatch(/\n\s+at /);
  expect(out).toContain('2 requests, 1 generation');
  expect(code).toBe(2);
});

describe('what makes no sense exits with 3, and says why', () => {
  test.each([
    ['observe', '--target FILE --listen PORT'],
    ['observe --listen 0', 'No target is named'],
    ['observe --har x.har --listen 0', '--har reads a file instead'],
    ['observe --har no-such.har', 'there is no such file'],
    [`observe --har ${file('empty.har', '')}`, 'is empty'],
    [`observe --har ${file('page.har', '<html>')}`, 'is no HAR file (at byte 0)'],
    [
      `observe --har ${file('other.har', '{"log":{"entries":[{"startedDateTime":"2026-01-01T00:00:00Z","request":{"method":"GET","url":"https://a.example/x"}}]}}')}`,
      'none is a request of the interface: they went to a.example',
    ],
    ['observe no/such.id --har x.har', 'No check id starts with "no/such.id"'],
  ])('%s', async (line, said) => {
    const { code, out, err } = await call(line);
    expect(err).toContain(said);
    expect(err).not.toMatch(/\n\s+at |Touchstone crashed/);
    expect(out).toBe('');
    expect(code).toBe(3);
  });

  test('a port that is in use', async () => {
    const { file: target } = await gateway();
    const port = await listening(createServer());
    const { code, err } = await call(`observe --target ${target} --listen ${port}`);
    expect(err).toContain(`The port ${port} is in use`);
    expect(code).toBe(3);
  });
});

test('a gateway that is not there exits with 4', async () => {
  const reference = await gateway();
  await reference.close();
  const { code, err } = await call(`observe --target ${reference.file} --listen 0`);
  expect(err).toContain('cannot be reached');
  expect(code).toBe(4);
});

test('a HAR that is cut is judged as far as it goes, and exits with 3', async () => {
  const entry = JSON.stringify({
    startedDateTime: '2026-01-01T00:00:00Z',
    time: 1,
    request: {
      method: 'GET',
      url: 'https://a.example/v1/models',
      headers: [{ name: 'authorization', value: 'Bearer sk-of-a-client-1234567' }],
    },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: 27, text: '{"object":"list","data":[]}' },
    },
  });
  const path = file('cut.har', `{"log":{"version":"1.2","entries":[${entry},${entry.slice(0, 99)}`);
  const { code, out, err } = await call(`observe --har ${path}`);
  expect(err).toContain('is cut short');
  expect(err).toContain('within log.entries[1]');
  expect(out).toContain('1 request');
  expect(out + err).not.toContain('sk-of-a-client');
  expect(code).toBe(3);
});
