import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ask, base, reference } from './testing.ts';
import { open, socketPath, turn } from './testing-socket.ts';

function unauthorised(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(url, { headers });
  return new Promise((resolve) => {
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    socket.on('error', () => {});
  });
}

test('survives bad frames', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const bad = [
    '{"type":',
    '',
    '[]',
    '{"type":"nothing"}',
    '{"model":"ts-omni"}',
    Buffer.from('{}'),
  ];
  for (const frame of bad) {
    expect(await conversation.exchange(frame)).toMatchObject({
      type: 'error',
      status: 400,
      error: { type: 'invalid_request_error', message: expect.any(String) },
    });
  }
  expect((await conversation.exchange(turn)).type).toBe('response.completed');
});

test('refuses what it refuses over HTTP', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const statuses: unknown[] = [];
  for (const part of [
    { model: 'ts-plain' },
    { model: 'ts-chat' },
    { model: 'nothing' },
    { model: null },
    { input: 42 },
    { max_output_tokens: -1 },
    { background: true, store: true },
  ]) {
    statuses.push((await conversation.exchange({ ...turn, ...part })).status);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400]);
  await using restricted = await open(gateway, { key: 'restricted' });
  expect((await restricted.exchange(turn)).status).toBe(403);
});

test('refuses the upgrade without its own credential', async () => {
  await using gateway = await reference();
  const url = base(gateway).replace('http', 'ws');
  const { owner } = gateway.keys;
  expect(await unauthorised(url + socketPath, {})).toBe(401);
  expect(await unauthorised(url + socketPath, { authorization: 'Bearer nobody' })).toBe(401);
  expect(await unauthorised(url + socketPath, { 'x-api-key': owner })).toBe(401);
  expect(await unauthorised(`${url}${socketPath}?key=${owner}`, {})).toBe(401);
  expect(await unauthorised(`${url}/v1/other`, { authorization: `Bearer ${owner}` })).toBe(404);
});

test('refuses a plain GET', async () => {
  await using gateway = await reference();
  expect((await ask(gateway, 'GET', socketPath)).status).toBe(426);
});
