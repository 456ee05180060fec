import { expect, test } from 'vitest';
import { freePort, serveHttp } from '../../wire/testing-server.ts';
import { Silence } from '../again/silence.ts';
import { outcomeOf } from '../capture.ts';
import { exchangesOf } from '../outcome.ts';
import { scenario } from '../scenario.ts';
import { answered, liveRun, targetAt } from '../testing.ts';
import { MemoryBounds } from './memory-bounds.ts';

const one = { requests: 1, generations: 0 };
const timeout = answered('', {
  response: null,
  failure: { kind: 'timeout', message: 'here had not answered' },
});

const boundsAt = (longRunTokens: number): MemoryBounds =>
  new MemoryBounds({ limits: { longRunTokens } });

test('an answer may be as long as a long run', () => {
  expect(boundsAt(60_000).wire.maxBodyBytes).toBe(60_000 * 1024);
});

test('the more a run has kept, the less may come', () => {
  const bounds = boundsAt(1_536);
  expect(bounds.wire.maxBodyBytes).toBe(8 * 1024 * 1024);
  const large = answered('x'.repeat(7 * 1024 * 1024));
  let kept = 0;
  for (let count = 0; count < 1000; count++) {
    const { maxBodyBytes } = bounds.wire;
    const { response } = large;
    if (response === null) throw new Error('answered');
    const body = response.body.subarray(0, maxBodyBytes);
    kept += body.length;
    bounds.kept({ ...large, response: { ...response, body } });
  }
  expect(bounds.wire.maxBodyBytes).toBe(64 * 1024);
  expect(kept).toBeLessThan(1200 * 1024 * 1024);
  // Frames that a socket receives stay in memory.
  expect(bounds.maxSocketBytes).toBe(8 * 1024 * 1024);
});

test('a gateway that no longer answers is given up, and stays so', () => {
  const silence = new Silence();
  const see = (count: number): void => {
    for (let seen = 0; seen < count; seen++) silence.seen(timeout);
  };
  see(23);
  silence.seen(answered('{}'));
  see(23);
  expect(silence.givenUp).toBeNull();
  see(1);
  expect(silence.givenUp).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('not sent, because none of the last 24 requests was answered'),
  });
  silence.seen(answered('{}'));
  expect(silence.givenUp).not.toBeNull();
});

test('a gateway that answers every other request is given up, too', () => {
  const silence = new Silence();
  for (let seen = 0; seen < 48; seen++) silence.seen(seen % 2 === 1 ? timeout : answered('{}'));
  expect(silence.givenUp?.message).toContain(
    '24 of the last 48 requests were not answered in time',
  );
});

test('one operation that is never served is no reason to ask nothing else', () => {
  const silence = new Silence();
  const lookup = { ...answered('{}').about, operation: 'responses.lookup' };
  for (let seen = 0; seen < 200; seen++) {
    silence.seen(seen % 2 === 1 ? timeout : answered('{}', { about: lookup }));
  }
  expect(silence.givenUp).toBeNull();
});

test('the more frames, pieces and headers a run has kept, the fewer may come', () => {
  const bounds = boundsAt(1_536);
  const { maxFrames, maxHeaderBytes } = bounds.wire;
  const frame = { from: 'gateway', at: 0, kind: 'text', data: new Uint8Array() } as const;
  const frames = Array.from({ length: maxFrames }, () => frame);
  for (let count = 0; count < 100; count++) {
    bounds.kept(answered('', { socket: { frames, close: null } }));
  }
  expect(bounds.wire.maxFrames).toBeLessThan(maxFrames);
  expect(bounds.wire.maxFrames).toBeGreaterThan(1_536);
  expect(bounds.wire.maxHeaderBytes).toBeLessThan(maxHeaderBytes);
});

test('what is not sent is recorded, and not counted', async () => {
  const port = await freePort();
  const { run, traffic } = liveRun(targetAt(`http://127.0.0.1:${port}`, { concurrency: 1 }));
  const all = Array.from({ length: 40 }, (_, index) =>
    scenario(`t/${index}`, { cost: one }, ({ lists }) => lists.list()),
  );
  const outcomes = await Promise.all(all.map((each) => outcomeOf(run, each)));
  const failures = outcomes.flatMap(exchangesOf).map(({ failure }) => failure);
  expect(failures).toHaveLength(40);
  expect(new Set(failures.map((failure) => failure?.kind))).toEqual(new Set(['unreachable']));
  expect(failures.filter((failure) => failure?.message.startsWith('not sent'))).toHaveLength(16);
  expect(traffic.requests).toBe(24);
});

test('of a body over the bound the beginning is kept', async () => {
  const server = await serveHttp((_, answer) => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const write = (): void => {
      while (!answer.destroyed && answer.write(piece));
    };
    answer.on('drain', write);
    write();
  });
  const { run } = liveRun(targetAt(server.url));
  const endless = scenario('t/endless', { cost: one }, ({ lists }) => lists.list());
  const [exchange] = exchangesOf(await outcomeOf(run, endless));
  expect(exchange?.failure?.kind).toBe('too-large');
  expect(exchange?.response?.body).toHaveLength(64 * 1024);
  expect(exchange?.response?.complete).toBe(false);
});
