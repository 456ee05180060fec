import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { codeFile } from '../../kernel/core/index.ts';
import { fixtureKeys } from '../../reference/index.ts';
import { freePort } from '../others/start.ts';
import { print } from '../tables-in-page.ts';
import { answerTo, bytesOf, load, type RepeatedRequest } from './load.ts';
import { type Measured, startMeasured } from './measured.ts';

/** Long streams, many streams and much that is stored: figures, as ratios where there is something to compare. */
export async function measureSmoothness(): Promise<void> {
  // Without a limit on the pace.
  await withServer(['--tokens-per-second', '1000000000'], streams);
  const kept = 2_000;
  await withServer(['--keep-responses', String(kept)], (server) => storing(server, kept));
}

async function withServer(
  parameters: readonly string[],
  measure: (server: Measured) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const path = codeFile('harness/main');
  const usual = ['serve', '--quiet', '--region', 'eu', '--port', String(port)];
  const line = [path, ...usual, ...parameters] as const;
  const server = await startMeasured(port, line, { flags: ['--expose-gc'] });
  try {
    await measure(server);
  } finally {
    server.end();
  }
}

async function streams(server: Measured): Promise<void> {
  const long = chat(10_000);
  const short = chat(100);
  await load(server.port, short, { times: 500, connections: 8 });
  const { events, bytes } = await answerTo(server.port, long);

  let before = await server.usage();
  await load(server.port, long, { times: 10, connections: 1 });
  let after = await server.usage();
  const ofOne = (after.cpu - before.cpu) / (10 * events);
  print(
    `one stream of ${events} events       ${ofOne.toFixed(2)} µs an event; its event loop is late ` +
      `${after.delay.toFixed(0)} ms at most 99 times of 100, ${after.longestDelay.toFixed(0)} ms once`,
  );

  before = after;
  await load(server.port, short, { times: 1_000, connections: 1_000 });
  after = await server.usage();
  const shortEvents = (await answerTo(server.port, short)).events;
  const ofMany = (after.cpu - before.cpu) / (1_000 * shortEvents);
  print(
    `1000 streams of ${shortEvents} events at once  ${ofMany.toFixed(2)} µs an event, ` +
      `${(ofMany / ofOne).toFixed(1)} × those of one; late ${after.delay.toFixed(0)} ms 99 times of 100, ` +
      `${after.longestDelay.toFixed(0)} ms once`,
  );

  const readers = 100;
  before = await server.usage();
  const silent = Array.from({ length: readers }, () => {
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.write(bytesOf(long));
    return socket;
  });
  await pause(3_000);
  after = await server.usage();
  const each = (after.heap - before.heap) / readers;
  print(
    `${readers} clients that read nothing     ${(each / 1000).toFixed(0)} kB of memory each, ` +
      `${(each / bytes).toFixed(2)} × the ${(bytes / 1000).toFixed(0)} kB of their stream`,
  );
  for (const socket of silent) socket.destroy();
}

/** A hundred thousand stored responses, of which so many are kept. */
async function storing(server: Measured, kept: number): Promise<void> {
  const request: RepeatedRequest = {
    path: '/v1/responses',
    headers: { authorization: `Bearer ${fixtureKeys.owner}` },
    body: { model: 'ts-omni', input: 'Say something.' },
  };
  await load(server.port, request, { times: 60_000, connections: 8 });
  const before = await server.usage();
  await load(server.port, request, { times: 100_000, connections: 8 });
  const after = await server.usage();
  const ratio = after.heap / before.heap;
  const isMissed = ratio > 1.1;
  if (isMissed) process.exitCode = 1;
  print(
    `100000 stored, ${kept} kept           ${(after.heap / 1e6).toFixed(0)} MB of objects after them, ` +
      `${ratio.toFixed(2)} × those before${isMissed ? ' (goal ≤ 1.1: MISSED)' : ''}`,
  );
}

function chat(words: number): RepeatedRequest {
  return {
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${fixtureKeys.owner}` },
    body: {
      model: 'ts-omni',
      messages: [{ role: 'user', content: `Write ${words} words.` }],
      stream: true,
    },
  };
}
