import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startReference } from '../../reference/index.ts';
import { type Passing, startFront } from './front.ts';

const seen: string[] = [];

const gateway = await startReference({ regions: ['eu'] });
// The gateway refuses requests without these headers, which shows if they arrive.
const Authorization = `Bearer ${gateway.keys.owner}`;
const isPublic = (path: string): boolean => path === '/v1/models' || path === '/v1/responses';
const adds = ({ path }: Passing): Record<string, string> =>
  isPublic(path) ? { Authorization } : {};
const answer = ({ path }: Passing) =>
  path === '/own' ? { status: 418, headers: {}, body: 'mine' } : null;
const answered = ({ path }: Passing, status: number): void => void seen.push(`${path} ${status}`);
const front = await startFront({ adds, answer, answered }, gateway.regions[0]?.baseUrl ?? '');

afterAll(async () => {
  await front.close();
  await gateway.close();
});

test('adds its headers where it is told to, and passes the answer on', async () => {
  const listed = await fetch(`${front.baseUrl}/v1/models`);
  expect(listed.status).toBe(200);
  expect(await listed.json()).toMatchObject({ object: 'list' });
  expect((await fetch(`${front.baseUrl}/v1/chat/completions`, { method: 'POST' })).status).toBe(
    401,
  );
});

test('answers in the place of the gateway, and is told how that answers', async () => {
  seen.length = 0;
  const own = await fetch(`${front.baseUrl}/own`);
  expect([own.status, await own.text()]).toEqual([418, 'mine']);
  await fetch(`${front.baseUrl}/v1/models`);
  await fetch(`${front.baseUrl}/v1/messages`, { method: 'POST' });
  expect(seen).toEqual(['/v1/models 200', '/v1/messages 401']);
});

test('passes a body and a stream on', async () => {
  const body = { model: 'ts-omni', input: 'Hello', max_output_tokens: 16, stream: true };
  const streamed = await fetch(`${front.baseUrl}/v1/responses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(await streamed.text()).toMatch(/response\.(completed|incomplete)/);
});

test('passes an upgrade on, both ways', async () => {
  const socket = new WebSocket(`${front.baseUrl.replace('http', 'ws')}/v1/responses`);
  const first = new Promise((resolve, reject) => {
    socket.on('message', (data) => resolve(JSON.parse(data.toString())));
    socket.on('error', reject);
  });
  socket.on('open', () => {
    socket.send(
      JSON.stringify({
        type: 'response.create',
        model: 'ts-omni',
        input: 'Hello',
        max_output_tokens: 16,
      }),
    );
  });
  expect(await first).toMatchObject({ type: 'response.created' });
  socket.terminate();
});
