import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { readRecording } from '../recordings/recording.ts';
import { targetFileOf } from '../targets/served-target-file.ts';
import { listening } from '../wire/testing-server.ts';
import { call, inProcess, oddGateway, start } from './testing.ts';

const folder = temporaryFolder();
const withKey = { TOUCHSTONE_KEY: 'canary-owner-5b1f0c' };

test.each(['run --target', 'recheck', 'observe --har', 'verify . --public-key'])(
  '%s refuses a named pipe without waiting for its writer',
  async (line) => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const refused = { code: 3, err: expect.stringContaining('no regular file') };
    expect(await inProcess(`${line} ${pipe}`, withKey)).toMatchObject(refused);
  },
);

describe('a base address exits with 4 where', () => {
  test('nobody listens', async () => {
    const { url, close } = await oddGateway(() => undefined);
    close();
    const { code, err } = await inProcess(`run --base-url ${url} --model m`, withKey);
    expect(err).toContain('cannot be reached');
    expect(err).toContain('ECONNREFUSED');
    expect(code).toBe(4);
  });

  test('the server never responds', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume());
    const port = await listening(server);
    const { code, err } = await inProcess(
      `run --base-url http://127.0.0.1:${port} --model m --timeout 500`,
      withKey,
    );
    expect(err).toContain('did not respond in time');
    expect(err).toContain('--timeout');
    expect(code).toBe(4);
  });

  test('the key is not known', async () => {
    const gateway = await startReference();
    onTestFinished(() => gateway.close());
    const url = gateway.regions[0]?.baseUrl;
    const { code, err } = await inProcess(`run --base-url ${url} --model ts-omni`, withKey);
    expect(err).toContain("refuses the owner's key");
    expect(err).not.toContain(withKey.TOUCHSTONE_KEY);
    expect(code).toBe(4);
    expect(gateway.requestCount()).toBe(1);
  });
});

/** Answers with a body that never ends, as fast as it is read. */
function endless(answer: ServerResponse, head: string, piece: string): void {
  answer.writeHead(200, { 'Content-Type': head });
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  const write = (): void => {
    while (!answer.destroyed && answer.write(bytes));
  };
  answer.on('drain', write);
  write();
}

const delta = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta"}\n\n';

const tooLarge = 'larger than the limit';

describe('a gateway is judged all the same, in bounded memory, whose answer', () => {
  test.each<[string, (request: IncomingMessage, answer: ServerResponse) => void, string]>([
    [
      'stops in the middle of a frame',
      (_, answer) => {
        answer.writeHead(200, { 'Content-Type': 'text/event-stream' });
        answer.write('event: response.created\ndata: {"type":"resp', () => answer.destroy());
      },
      'the connection broke before the message was complete',
    ],
    [
      'is no UTF-8',
      (_, answer) => {
        answer.writeHead(200, { 'Content-Type': 'application/json' });
        answer.end(Buffer.from('{"id":"\u00ff\u00fe"}', 'latin1'));
      },
      'the body is not UTF-8 from byte 7 on',
    ],
    ['has no end', (_, answer) => endless(answer, 'application/json', 'a'), tooLarge],
    [
      'is a stream without end',
      (_, answer) => endless(answer, 'text/event-stream', delta),
      tooLarge,
    ],
    [
      'is a bomb in a coding',
      (_, answer) => {
        answer.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        answer.end(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
      },
      tooLarge,
    ],
  ])('%s', async (what, listener, said) => {
    const { url } = await oddGateway(listener);
    const report = join(folder, `${what.replaceAll(' ', '-')}.json`);
    const recording = report.replace('.json', '.jsonl');
    const { code, out, err, memory } = await call(
      `run --base-url ${url} --model m --protocol responses --timeout 20000 generation/responses --json ${report} --record ${recording}`,
      withKey,
    );
    expect(out.replaceAll(/\s+/g, ' ')).toContain(said);
    expect(err).not.toContain('This is a bug in Touchstone');
    const { counts, verdict, traffic } = JSON.parse(readFileSync(report, 'utf8'));
    // The bound is ours: that it is reached blames nobody, and is not green.
    const isOurs = said === tooLarge;
    expect(verdict).toBe(isOurs ? 'indeterminate' : 'nonconformant');
    expect(out).toContain(isOurs ? 'INDETERMINATE' : 'NONCONFORMANT');
    expect(code).toBe(isOurs ? 2 : 1);
    expect(counts.error).toBe(0);
    expect(readRecording(recording).exchanges).toHaveLength(traffic.requests);
    if (memory !== null) expect(memory).toBeLessThan(600 * 1024 * 1024);
  });
});

function blames({ verdict }: { verdict: { state: string } }): boolean {
  return verdict.state === 'fail' || verdict.state === 'error';
}

test('a gateway that dies in the middle leaves what was measured, and the rest undecided', async () => {
  const gateway = await startReference({ latencyMs: 20 });
  const file = join(folder, 'dies.yaml');
  const report = join(folder, 'dies.json');
  // Shortens the one wait for the gateway.
  const hurried = targetFileOf(gateway).replace(/^limits:\n/m, '$&  patienceMs: 2000\n');
  writeFileSync(file, hurried);
  const ended = inProcess(
    `run --target ${file} access/credentials storage/ background/ --concurrency 2 --verbose --json ${report}`,
  );
  await expect.poll(() => gateway.requestCount()).toBeGreaterThan(30);
  await gateway.close();
  const { code, out } = await ended;
  const { checks, counts, verdict, traffic, interrupted } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  // Named, so that a failure shows who blames a dead gateway.
  expect(checks.filter(blames)).toEqual([]);
  expect({ verdict, interrupted }).toEqual({ verdict: 'indeterminate', interrupted: false });
  expect(counts.pass).toBeGreaterThan(0);
  expect(counts.inconclusive).toBeGreaterThan(50);
  // The gateway is given up long before every request has failed.
  expect(traffic.requests).toBeLessThan(150);
  expect(out).toContain('INDETERMINATE');
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(/nobody (listens|has listened) at/);
  expect(code).toBe(2);
});

test('Ctrl-C in the middle writes the reports of what came, and they say so', async () => {
  const gateway = await startReference({ latencyMs: 200 });
  onTestFinished(() => gateway.close());
  const file = join(folder, 'slow.yaml');
  const report = join(folder, 'slow.json');
  const recording = join(folder, 'slow.jsonl');
  writeFileSync(file, targetFileOf(gateway));
  const run = start(
    `run --target ${file} --concurrency 2 --rps 10 --json ${report} --record ${recording}`,
  );
  await expect.poll(() => gateway.requestCount()).toBeGreaterThan(20);
  run.interrupt();
  const { code, out, err } = await run.ended;
  expect(err).toContain('Interrupted: nothing more is sent');
  const { interrupted, verdict, counts } = JSON.parse(readFileSync(report, 'utf8'));
  expect({ interrupted, verdict }).toEqual({ interrupted: true, verdict: 'indeterminate' });
  expect(counts).toMatchObject({ fail: 0, error: 0 });
  expect(out).toContain('The run was interrupted.');
  expect(code).toBe(2);
  const answered = readFileSync(recording, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"status":'));
  expect(answered.length).toBeGreaterThan(2);
  // More than a thousand requests were still waiting for their turn.
  expect(gateway.requestCount()).toBeLessThan(500);
});
