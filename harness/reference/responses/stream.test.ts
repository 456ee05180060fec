import { expect, test } from 'vitest';
import { allEvents, ask, at, eventsOf, eventually, reference, send } from './testing.ts';

const path = '/v1/responses';
const good = {
  model: 'ts-omni',
  input: 'Say something.',
  max_output_tokens: 64,
  store: true,
  stream: true,
};

test('streams the events of a text in their order', async () => {
  await using gateway = await reference();
  const answer = await send(gateway, 'POST', path, good);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const events = await allEvents(answer);
  const types = events.map(({ name }) => name).filter((name) => !name?.endsWith('.delta'));
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(events.map(({ data }) => data.type)).toEqual(events.map(({ name }) => name));
  expect(events.map(({ data }) => data.sequence_number)).toEqual([...events.keys()]);
  expect(at(events[0]?.data, 'response')).toMatchObject({
    status: 'in_progress',
    output: [],
    usage: null,
  });

  const deltas = events.filter(({ name }) => name === 'response.output_text.delta');
  const text = deltas.map(({ data }) => data.delta).join('');
  const final = at(events.at(-1)?.data, 'response');
  expect(deltas.length).toBe(at(final, 'usage.output_tokens'));
  expect(at(final, 'output.0.content.0.text')).toBe(text);
  expect((await ask(gateway, 'GET', `${path}/${at(final, 'id')}`)).body).toEqual(final);

  const unstreamed = await ask(gateway, 'POST', path, { ...good, stream: false });
  expect(at(unstreamed.body, 'output.0.content.0.text')).toBe(text);
});

test('ends a stream that reaches its limit as incomplete', async () => {
  await using gateway = await reference();
  const body = { ...good, input: 'Write 400 words.', max_output_tokens: 16 };
  const events = await allEvents(await send(gateway, 'POST', path, body));
  expect(events.at(-1)?.name).toBe('response.incomplete');
  expect(at(events.at(-1)?.data, 'response')).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
  });
});

test('refuses a bad request before the stream, as JSON', async () => {
  await using gateway = await reference();
  const answer = await send(gateway, 'POST', path, { ...good, model: 'nothing' });
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/json');
});

test('takes up a broken stream where it broke, and goes on live', async () => {
  await using gateway = await reference();
  const body = { ...good, background: true, input: 'Write 60 words.' };
  const seen: unknown[] = [];
  let id: unknown;
  for await (const { data } of eventsOf(await send(gateway, 'POST', path, body))) {
    id ??= at(data, 'response.id');
    seen.push(data);
    if (seen.length === 8) break;
  }
  const later = await allEvents(
    await send(gateway, 'GET', `${path}/${id}?stream=true&starting_after=7`),
  );
  const whole = await allEvents(await send(gateway, 'GET', `${path}/${id}?stream=true`));
  expect([...seen, ...later.map(({ data }) => data)]).toEqual(whole.map(({ data }) => data));
  expect(whole.at(-1)?.name).toBe('response.completed');
  expect(whole.map(({ data }) => data.sequence_number)).toEqual([...whole.keys()]);

  const past = await send(
    gateway,
    'GET',
    `${path}/${id}?stream=true&starting_after=${whole.length - 1}`,
  );
  expect(past.status).toBe(200);
  expect(await past.text()).toBe('');
});

test('refuses a starting_after that is no sequence number', async () => {
  await using gateway = await reference();
  const { body } = await ask(gateway, 'POST', path, { ...good, stream: false });
  const answer = await ask(gateway, 'GET', `${path}/${body.id}?stream=true&starting_after=x`);
  expect(answer.status).toBe(400);
  expect(at(answer.body, 'error.param')).toBe('starting_after');
});

test('finishes a stored foreground stream that its client has dropped', async () => {
  await using gateway = await reference();
  let id: unknown;
  const body = { ...good, input: 'Write 60 words.', max_output_tokens: 100 };
  for await (const { data } of eventsOf(await send(gateway, 'POST', path, body))) {
    id = at(data, 'response.id');
    break;
  }
  const end = await eventually(
    () => ask(gateway, 'GET', `${path}/${id}`),
    ({ body: { status } }) => status !== 'in_progress',
  );
  expect(end.body).toMatchObject({ status: 'completed', usage: { output_tokens: 60 } });
  const recovered = await allEvents(await send(gateway, 'GET', `${path}/${id}?stream=true`));
  expect(recovered.at(-1)?.name).toBe('response.completed');
});

test('stops an unstored stream that its client has dropped, and charges for what it wrote', async () => {
  await using gateway = await reference();
  const headers = { 'x-client-request-id': 'dropped' };
  const body = { ...good, store: false, input: 'Write 4000 words.', max_output_tokens: 5000 };
  for await (const { name } of eventsOf(await send(gateway, 'POST', path, body, { headers }))) {
    if (name === 'response.output_text.delta') break;
  }
  const ledger = '/_touchstone/ledger?client_request_id=dropped';
  const { body: found } = await eventually(
    () => ask(gateway, 'GET', ledger),
    (answer) => at(answer.body, 'records.0.status') !== 'running',
  );
  expect(at(found, 'records')).toHaveLength(1);
  expect(at(found, 'records.0.status')).toBe('cancelled');
  expect(at(found, 'records.0.usage.output_tokens')).toBeGreaterThan(0);
  expect(at(found, 'records.0.usage.output_tokens')).toBeLessThan(4000);
  expect(at(found, 'records.0.charge')).toBeGreaterThan(0);
});
