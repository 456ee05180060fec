import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ReferenceGateway, startReference } from '../../reference/index.ts';
import { type StartedFront, startFront } from './front.ts';

let gateway: ReferenceGateway;
let front: StartedFront;

beforeAll(async () => {
  gateway = await startReference({ regions: ['eu'] });
  const port = Number(new URL(gateway.regions[0]?.baseUrl ?? '').port);
  // What a gateway without these headers refuses shows whether they arrive.
  const Authorization = `Bearer ${gateway.keys.owner}`;
  const headersFor = (path: string) =>
    path === '/v1/models' || path === '/v1/responses' ? { Authorization } : {};
  front = await startFront({ region: 'eu', headersFor }, port);
});

afterAll(async () => {
  front.close();
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
