import { expect, onTestFinished, test } from 'vitest';
import { Connections } from './connections.ts';
import { serveHttp, wireOptions, wireRequest } from './testing-server.ts';

function connections(): Connections {
  const made = new Connections();
  onTestFinished(() => made.close());
  return made;
}

test('a connection that is free is used again, and as many are open as are needed at once', async () => {
  const server = await serveHttp((_request, response) => response.end('{}'));
  const kept = connections();
  const ask = () => kept.send(wireRequest(server.url), wireOptions());
  await Promise.all([ask(), ask()]);
  const again = await Promise.all([ask(), ask()]);
  expect(again.map(({ response }) => response?.over)).toEqual([
    'kept connection',
    'kept connection',
  ]);
  expect([server.requests(), server.connections()]).toEqual([4, 2]);
});

test('one that breaks before anything came says nothing, and nothing is sent again', async () => {
  let asked = 0;
  const server = await serveHttp((request, response) => {
    if (++asked % 2 === 1) response.end('{}');
    else request.socket.resetAndDestroy();
  });
  const kept = connections();
  const kinds: (string | undefined)[] = [];
  for (let request = 1; request <= 8; request++) {
    const { failure } = await kept.send(wireRequest(server.url), wireOptions());
    kinds.push(failure?.kind);
  }
  // No connection is kept there after the third one, so a further break is the gateway's.
  expect(kinds.filter((_, index) => index % 2 === 1)).toEqual([
    'closed',
    'closed',
    'closed',
    'reset',
  ]);
  expect(server.requests()).toBe(8);
});
