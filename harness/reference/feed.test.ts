import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Feed } from './feed.ts';
import { Journal } from './journal.ts';
import { defaultTransport } from './transport.ts';

function* numbers(journal: Journal<number>): Generator<number | null, void, undefined> {
  const reader = journal.reader({ aborted: false, addEventListener: () => {} });
  for (;;) {
    const next = reader.next();
    if (next === undefined) return;
    yield next;
  }
}

test('gives at once what is there, and the rest when it comes', async () => {
  const journal = new Journal<number>();
  const feed = new Feed(numbers(journal), () => journal.changed()).map((n) => n * 10);
  for (const n of [1, 2, 3]) journal.append(n);
  expect([feed.take(2), feed.take(2), feed.take(2), feed.ended]).toEqual([
    [10, 20],
    [30],
    [],
    false,
  ]);
  const more = feed.more();
  journal.append(4);
  await more;
  journal.end();
  expect([feed.take(2), feed.ended]).toEqual([[40], true]);
  const all: number[] = [];
  for await (const n of new Feed(numbers(journal), () => journal.changed())) all.push(n);
  expect(all).toEqual([1, 2, 3, 4]);
});

test('of a long stream no more is made than its client reads', async () => {
  const piece = 'x'.repeat(1000);
  const most = 1_000_000;
  let made = 0;
  function* pieces(): Generator<string, void, undefined> {
    for (; made < most; made++) yield piece;
  }
  let ended = Promise.resolve();
  const server = createServer((_request, out) => {
    const feed = new Feed(pieces(), () => Promise.resolve());
    const head = { status: 200, headers: {} };
    ended = Reflect.apply(defaultTransport.stream, undefined, [out, head, feed]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  // Until the connection takes no more.
  for (let still = 0, last = -1; still < 200; still = made === last && made > 0 ? still + 1 : 0) {
    last = made;
    await setImmediate();
  }
  expect(made).toBeLessThan(most / 10);
  socket.destroy();
  await ended;
  expect(made).toBeLessThan(most);
  server.close();
});
