import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { post } from '../reference/testing-requests.ts';
import { type NullTargetKind, nullTargetKinds, startNullTarget } from './null-servers.ts';

const body = { model: 'ts-omni', input: 'Say something.' };

async function started(kind: NullTargetKind) {
  const target = await startNullTarget(kind);
  return { ...target, [Symbol.asyncDispose]: () => target.close() };
}

test.each([
  ['unauthorized', 401],
  ['forbidden', 403],
  ['not-found', 404],
  ['rate-limited', 429],
  ['internal-error', 500],
  ['unavailable', 503],
] as const)('%s: %i, whatever is asked', async (kind, status) => {
  await using target = await started(kind);
  for (const path of ['/v1/responses', '/v1/messages/count_tokens', '/nowhere']) {
    expect((await post(`${target.baseUrl}${path}`, {}, body)).status).toBe(status);
  }
  expect(target.requestCount()).toBe(3);
});

test('empty-object: 200 and nothing in it', async () => {
  await using target = await started('empty-object');
  const { status, json } = await post(`${target.baseUrl}/v1/responses`, {}, body);
  expect({ status, json }).toEqual({ status: 200, json: {} });
});

test('html: 200 and a page', async () => {
  await using target = await started('html');
  const { status, headers, text } = await post(`${target.baseUrl}/v1/messages`, {}, body);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  expect(text).toMatch(/^<!doctype html>/);
});

test('no-content: 204', async () => {
  await using target = await started('no-content');
  const { status, text } = await post(`${target.baseUrl}/v1/messages`, {}, body);
  expect({ status, text }).toEqual({ status: 204, text: '' });
});

test('redirects: 301, to the same place', async () => {
  await using target = await started('redirects');
  const answer = await fetch(`${target.baseUrl}/v1/models`, { redirect: 'manual' });
  expect(answer.status).toBe(301);
  expect(answer.headers.get('location')).toBe('/v1/models');
});

test('echo: the request, sent back', async () => {
  await using target = await started('echo');
  const { status, headers, json } = await post(`${target.baseUrl}/v1/systemone`, {}, body);
  expect({ status, json }).toEqual({ status: 200, json: body });
  expect(headers.get('content-type')).toBe('application/json');
});

test('good-response-or-none: the same response, or 500', async () => {
  await using target = await started('good-response-or-none');
  const statuses: number[] = [];
  for (let sent = 0; sent < 4; sent++) {
    statuses.push((await post(`${target.baseUrl}/v1/responses`, {}, body)).status);
  }
  expect(statuses).toEqual([200, 500, 200, 500]);
});

test('one-good-response: the same response, whatever is asked', async () => {
  await using target = await started('one-good-response');
  const first = await post(`${target.baseUrl}/v1/responses`, {}, body);
  const second = await post(`${target.baseUrl}/v1/chat/completions`, {}, { ...body, input: 'x' });
  expect(first.json).toMatchObject({ object: 'response', status: 'completed' });
  expect(second.text).toBe(first.text);
});

test('empty-stream: an event stream without events', async () => {
  await using target = await started('empty-stream');
  const { headers, text } = await post(`${target.baseUrl}/v1/responses`, {}, body);
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(text).toBe('');
});

test('hangs: no answer, until it is closed', async () => {
  await using target = await started('hangs');
  const answer = post(`${target.baseUrl}/v1/responses`, {}, body);
  const outcome = answer.then(
    () => 'answered',
    () => 'broken',
  );
  while (target.requestCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  const pending = new Promise((resolve) => setTimeout(resolve, 50, 'pending'));
  expect(await Promise.race([outcome, pending])).toBe('pending');
  await target.close();
  expect(await outcome).toBe('broken');
});

test.each(['garbage', 'closes'] as const)('%s: nothing that a client can read', async (kind) => {
  await using target = await started(kind);
  await expect(post(`${target.baseUrl}/v1/responses`, {}, body)).rejects.toThrow();
  expect(target.requestCount()).toBeGreaterThan(0);
});

test.each(nullTargetKinds)('%s: no WebSocket, and it can be closed', async (kind) => {
  await using target = await started(kind);
  const socket = new WebSocket(`${target.baseUrl.replace('http', 'ws')}/v1/responses`);
  socket.on('error', () => {});
  const opened = once(socket, 'open').then(
    () => true,
    () => false,
  );
  if (kind === 'hangs') {
    while (target.requestCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.terminate();
  }
  expect(await opened).toBe(false);
});
