import { expect, test } from 'vitest';
import { isArray } from '../json.ts';
import { ask, at, reference } from './testing.ts';

const path = '/v1/responses';
const body = {
  model: 'ts-omni',
  input: 'What is near the river?',
  max_output_tokens: 64,
  store: true,
};
const { max_output_tokens: _limit, store: _store, ...conversation } = body;

test('input_tokens counts exactly what the same request uses', async () => {
  await using gateway = await reference();
  const first = await ask(gateway, 'POST', path, body);
  const more = [
    {},
    { instructions: 'Answer in one sentence.' },
    { previous_response_id: first.body.id },
    { tools: [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }] },
  ];
  for (const part of more) {
    const counted = await ask(gateway, 'POST', `${path}/input_tokens`, {
      ...conversation,
      ...part,
    });
    const used = await ask(gateway, 'POST', path, { ...body, ...part });
    expect(counted).toEqual({
      status: 200,
      body: { object: 'response.input_tokens', input_tokens: at(used.body, 'usage.input_tokens') },
    });
  }
});

test('input_tokens is entered in the ledger, at no charge', async () => {
  await using gateway = await reference();
  const headers = { 'x-client-request-id': 'counted' };
  await ask(gateway, 'POST', `${path}/input_tokens`, conversation, { headers });
  const { body: found } = await ask(
    gateway,
    'GET',
    '/_touchstone/ledger?client_request_id=counted',
  );
  expect(at(found, 'records')).toHaveLength(1);
  expect(at(found, 'records.0')).toMatchObject({
    operation: 'count',
    charge: 0,
    response_id: null,
  });
});

test('compact keeps the user messages and one item that stands for the rest', async () => {
  await using gateway = await reference();
  const headers = { 'x-client-request-id': 'compacted' };
  const first = await ask(gateway, 'POST', path, body);
  const more = { ...conversation, input: 'And beyond?', previous_response_id: first.body.id };
  const compacted = await ask(gateway, 'POST', `${path}/compact`, more, { headers });
  expect(compacted.status).toBe(200);
  expect(compacted.body).toMatchObject({
    object: 'response.compaction',
    output: [
      { type: 'message', role: 'user', content: [{ text: body.input }] },
      { type: 'message', role: 'user', content: [{ text: 'And beyond?' }] },
      { type: 'compaction', encrypted_content: expect.any(String) },
    ],
  });
  const { output } = compacted.body;
  const next = [...(isArray(output) ? output : []), { role: 'user', content: 'Go on.' }];
  expect((await ask(gateway, 'POST', path, { ...body, input: next })).status).toBe(200);

  const { body: found } = await ask(
    gateway,
    'GET',
    '/_touchstone/ledger?client_request_id=compacted',
  );
  expect(at(found, 'records')).toHaveLength(1);
  expect(at(found, 'records.0')).toMatchObject({ operation: 'compact', status: 'completed' });
  expect(at(found, 'records.0.charge')).toBeGreaterThan(0);
});

test('a compaction item of another making is refused', async () => {
  await using gateway = await reference();
  const input = [
    { type: 'compaction', encrypted_content: 'bm90IG91cnMgYXQgYWxsLCBub3QgYXQgYWxsLCBubw' },
  ];
  expect((await ask(gateway, 'POST', path, { ...body, input })).status).toBe(400);
});

test.each(['compact', 'input_tokens'])('%s refuses a bad request', async (endpoint) => {
  await using gateway = await reference();
  const statuses = async (...bodies: object[]) => {
    const answers = bodies.map((bad) =>
      ask(gateway, 'POST', `${path}/${endpoint}`, JSON.parse(JSON.stringify(bad))),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(
    await statuses(
      { input: 'x' },
      { model: 'ts-omni' },
      { model: 'ts-omni', input: 42 },
      { model: 'ts-plain', input: 'x' },
      { model: 'ts-chat', input: 'x' },
      { model: 'nothing', input: 'x' },
    ),
  ).toEqual([400, 400, 400, 400, 400, 400]);
});
