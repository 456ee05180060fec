import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { ReferenceGateway } from '../start.ts';
import { ask, at, eventsOf, eventually, reference, send } from './testing.ts';

const path = '/v1/responses';
const short = {
  model: 'ts-omni',
  input: 'Say something.',
  max_output_tokens: 64,
  store: true,
  background: true,
};
const long = { ...short, input: 'Write 4000 words.', max_output_tokens: 5000 };

async function state(gateway: ReferenceGateway, id: unknown) {
  return (await ask(gateway, 'GET', `${path}/${id}`)).body;
}

test('is queued at once, then runs, then ends with the answer of a foreground run', async () => {
  await using gateway = await reference({ tokenMs: 10 });
  const created = await ask(gateway, 'POST', path, short);
  expect(created).toMatchObject({
    status: 200,
    body: { status: 'queued', output: [], usage: null },
  });
  const seen = new Set<unknown>(['queued']);
  const end = await eventually(
    () => state(gateway, created.body.id),
    ({ status }) => {
      seen.add(status);
      return status !== 'queued' && status !== 'in_progress';
    },
  );
  expect([...seen]).toEqual(['queued', 'in_progress', 'completed']);
  const foreground = await ask(gateway, 'POST', path, { ...short, background: false });
  expect(at(end, 'output.0.content')).toEqual(at(foreground.body, 'output.0.content'));
  expect(Object.keys(end)).toEqual(Object.keys(foreground.body));
});

test('runs in the background when store is left out: natively that means true', async () => {
  await using gateway = await reference();
  const { store: _store, ...body } = short;
  expect((await ask(gateway, 'POST', path, body)).status).toBe(200);
});

test('is cancelled in the middle, for good, and keeps what it wrote', async () => {
  await using gateway = await reference();
  const headers = { 'x-client-request-id': 'cancelled' };
  const created = await ask(gateway, 'POST', path, long, { headers });
  const id = created.body.id;
  await eventually(
    () => state(gateway, id),
    (body) => String(at(body, 'output.0.content.0.text') ?? '').length > 20,
  );
  const cancelled = await ask(gateway, 'POST', `${path}/${id}/cancel`);
  expect(cancelled).toMatchObject({
    status: 200,
    body: { id, object: 'response', status: 'cancelled' },
  });
  expect(await ask(gateway, 'POST', `${path}/${id}/cancel`)).toEqual(cancelled);
  expect(await state(gateway, id)).toEqual(cancelled.body);
  const written = at(cancelled.body, 'usage.output_tokens');
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(4000);
  const { body } = await ask(gateway, 'GET', '/_touchstone/ledger?client_request_id=cancelled');
  expect(at(body, 'records.0')).toMatchObject({
    status: 'cancelled',
    usage: { output_tokens: written },
  });
});

test('a cancelled stream fails, with a response that says cancelled', async () => {
  await using gateway = await reference();
  const events: JsonObject[] = [];
  for await (const { data } of eventsOf(
    await send(gateway, 'POST', path, { ...long, stream: true }),
  )) {
    events.push(data);
    if (events.length === 8)
      await ask(gateway, 'POST', `${path}/${at(events[0], 'response.id')}/cancel`);
  }
  expect(events.at(-1)).toMatchObject({
    type: 'response.failed',
    response: { status: 'cancelled' },
  });
});

test('cancel leaves a finished run as it is', async () => {
  await using gateway = await reference();
  const { body } = await ask(gateway, 'POST', path, short);
  const end = await eventually(
    () => state(gateway, body.id),
    ({ status }) => status === 'completed',
  );
  expect(await ask(gateway, 'POST', `${path}/${body.id}/cancel`)).toEqual({
    status: 200,
    body: end,
  });
});

test('cancel refuses a foreground response', async () => {
  await using gateway = await reference();
  const { body } = await ask(gateway, 'POST', path, { ...short, background: false });
  expect((await ask(gateway, 'POST', `${path}/${body.id}/cancel`)).status).toBe(400);
});

test('goes on when the client of its stream has gone', async () => {
  await using gateway = await reference();
  const body = { ...short, stream: true, input: 'Write 60 words.', max_output_tokens: 100 };
  let id: unknown;
  for await (const { data } of eventsOf(await send(gateway, 'POST', path, body))) {
    expect(data).toMatchObject({ type: 'response.created', response: { status: 'queued' } });
    id = at(data, 'response.id');
    break;
  }
  const end = await eventually(
    () => state(gateway, id),
    ({ status }) => status !== 'queued' && status !== 'in_progress',
  );
  expect(end).toMatchObject({ status: 'completed', usage: { output_tokens: 60 } });
});
