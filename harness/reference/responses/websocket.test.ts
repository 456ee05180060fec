import { expect, test } from 'vitest';
import { ask, at, eventually, reference } from './testing.ts';
import { open, socketPath, turn } from './testing-socket.ts';

test('answers a turn with the events of a stream, one frame each', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  conversation.say(turn);
  const frames = await conversation.turn();
  expect(frames.map(({ sequence_number }) => sequence_number)).toEqual([...frames.keys()]);
  expect(frames[0]?.type).toBe('response.created');
  const last = frames.at(-1);
  expect(last).toMatchObject({ type: 'response.completed', response: { store: false } });
  const text = frames
    .filter(({ type }) => type === 'response.output_text.delta')
    .map(({ delta }) => delta)
    .join('');
  expect(at(last, 'response.output.0.content.0.text')).toBe(text);
  const { type: _type, ...body } = turn;
  const overHttp = await ask(gateway, 'POST', socketPath, body);
  expect(at(overHttp.body, 'output.0.content.0.text')).toBe(text);
});

test('looks up over HTTP what a turn stored', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const end = await conversation.exchange({ ...turn, store: true });
  const { body } = await ask(gateway, 'GET', `${socketPath}/${at(end, 'response.id')}`);
  expect(body).toEqual(end.response);
});

test('continues the latest unstored turn, on this connection and nowhere else', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const first = await conversation.exchange(turn);
  const id = String(at(first, 'response.id'));
  const next = { ...turn, previous_response_id: id };

  await using other = await open(gateway);
  expect(await other.exchange(next)).toMatchObject({
    type: 'error',
    status: 400,
    error: { code: 'previous_response_not_found', param: 'previous_response_id' },
  });
  const { type: _type, ...body } = next;
  expect((await ask(gateway, 'POST', socketPath, body)).status).toBe(400);
  expect((await ask(gateway, 'GET', `${socketPath}/${id}`)).status).toBe(404);

  const second = await conversation.exchange(next);
  expect(second).toMatchObject({
    type: 'response.completed',
    response: { previous_response_id: id },
  });
  expect(at(second, 'response.usage.input_tokens')).toBeGreaterThan(
    Number(at(first, 'response.usage.input_tokens')),
  );
  // The first turn is not the latest any more.
  expect((await conversation.exchange(next)).type).toBe('error');
});

test('a stored turn is continued from anywhere', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const { body } = await ask(gateway, 'POST', socketPath, {
    model: 'ts-omni',
    input: 'x',
    store: true,
  });
  const next = { ...turn, previous_response_id: String(body.id) };
  expect((await conversation.exchange(next)).type).toBe('response.completed');
  await using foreign = await open(gateway, { key: 'otherUser' });
  expect((await foreign.exchange(next)).type).toBe('error');
  await using elsewhere = await open(gateway, { region: 1 });
  expect((await elsewhere.exchange(next)).type).toBe('error');
  await ask(gateway, 'DELETE', `${socketPath}/${body.id}`);
  expect((await conversation.exchange(next)).type).toBe('error');
});

test('a continuation that fails makes the connection forget the turn', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const first = await conversation.exchange(turn);
  const next = { ...turn, previous_response_id: String(at(first, 'response.id')) };
  const output = [{ type: 'function_call_output', call_id: 'call_never', output: '1' }];
  expect(await conversation.exchange({ ...next, input: output })).toMatchObject({
    type: 'error',
    status: 400,
  });
  expect(await conversation.exchange(next)).toMatchObject({
    error: { code: 'previous_response_not_found' },
  });
  expect((await conversation.exchange(turn)).type).toBe('response.completed');
});

test('warms up without generating', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const warm = await conversation.exchange({ ...turn, generate: false });
  expect(warm).toMatchObject({ type: 'response.completed', response: { output: [] } });
  const next = { ...turn, previous_response_id: String(at(warm, 'response.id')) };
  expect((await conversation.exchange(next)).type).toBe('response.completed');
});

test('finishes a stored turn whose client has gone, and stops an unstored one', async () => {
  await using gateway = await reference();
  const long = { ...turn, input: 'Write 60 words.', max_output_tokens: 100 };
  const state = async (request: string) =>
    at(
      (await ask(gateway, 'GET', `/_touchstone/ledger?client_request_id=${request}`)).body,
      'records.0',
    );
  for (const store of [true, false]) {
    {
      const headers = { 'x-client-request-id': `store-${store}` };
      await using conversation = await open(gateway, { headers });
      conversation.say({ ...long, store });
      while ((await conversation.next()).type !== 'response.output_text.delta');
    }
    const record = await eventually(
      () => state(`store-${store}`),
      (found) => at(found, 'status') !== 'running',
    );
    expect(at(record, 'status')).toBe(store ? 'completed' : 'cancelled');
    expect(at(record, 'usage.output_tokens')).toBeGreaterThan(0);
  }
});
