import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { KeyRole } from '../keys.ts';
import type { ReferenceGateway } from '../start.ts';
import { allEvents, ask, at, eventsOf, reference, type Sending, send } from './testing.ts';

const path = '/v1/responses';
const secret = 'xylograph';
const body = {
  model: 'ts-omni',
  input: `The word is ${secret}.`,
  max_output_tokens: 64,
  store: true,
};

/** Everything that can be done with a stored response, and the status that it is refused with. */
const operations: readonly [
  name: string,
  refused: number,
  run: (gateway: ReferenceGateway, id: string, by: Sending) => Promise<Response>,
][] = [
  ['lookup', 404, (gateway, id, by) => send(gateway, 'GET', `${path}/${id}`, undefined, by)],
  [
    'input-items',
    404,
    (gateway, id, by) => send(gateway, 'GET', `${path}/${id}/input_items`, undefined, by),
  ],
  [
    'recover',
    404,
    (gateway, id, by) => send(gateway, 'GET', `${path}/${id}?stream=true`, undefined, by),
  ],
  [
    'cancel',
    404,
    (gateway, id, by) => send(gateway, 'POST', `${path}/${id}/cancel`, undefined, by),
  ],
  ['delete', 404, (gateway, id, by) => send(gateway, 'DELETE', `${path}/${id}`, undefined, by)],
  ['continue', 400, (gateway, id, by) => send(gateway, 'POST', path, continuing(id, by), by)],
  [
    'compact',
    400,
    (gateway, id, by) => send(gateway, 'POST', `${path}/compact`, continuing(id, by), by),
  ],
  [
    'input-tokens',
    400,
    (gateway, id, by) => send(gateway, 'POST', `${path}/input_tokens`, continuing(id, by), by),
  ],
];

/** The restricted key continues on the one model that it may use. */
function continuing(id: string, by: Sending): JsonObject {
  const model = by.key === 'restricted' ? 'ts-shared' : 'ts-omni';
  return { ...body, model, input: 'Go on.', previous_response_id: id };
}

async function stored(gateway: ReferenceGateway, more: JsonObject = {}): Promise<string> {
  const created = await ask(gateway, 'POST', path, { ...body, ...more });
  expect(created.status).toBe(200);
  return String(created.body.id);
}

test.each(operations)(
  '%s: denied to everyone else, exactly like an unknown id',
  async (_name, status, run) => {
    await using gateway = await reference();
    const id = await stored(gateway, {
      background: true,
      input: `${secret} Write 400 words.`,
      max_output_tokens: 500,
    });
    const gone = await stored(gateway);
    await send(gateway, 'DELETE', `${path}/${gone}`);
    const old = await stored(gateway);
    await ask(gateway, 'POST', '/_touchstone/clock', {
      response_id: old,
      age_seconds: 30 * 86_400 + 1,
    });
    const unstored = await stored(gateway, { store: false });
    const unknown = `resp_${'0'.repeat(32)}`;
    const denials: readonly [string, Sending][] = [
      [id, { key: 'otherUser' }],
      [id, { key: 'restricted' }],
      [id, { region: 1 }],
      [gone, {}],
      [old, {}],
      [unstored, {}],
      [unknown, {}],
      ['x'.repeat(8000), {}],
    ];
    for (const [denied, by] of denials) {
      const answer = await run(gateway, denied, by);
      const text = await answer.text();
      expect([by, answer.status]).toEqual([by, status]);
      expect(text).not.toContain(secret);
      const expected = await (await run(gateway, unknown, by)).text();
      expect(text.replace(denied, unknown)).toBe(denied.length > 80 ? text : expected);
    }
    const state = await ask(gateway, 'GET', `${path}/${id}`);
    expect(state.body.status).toMatch(/queued|in_progress/);
  },
);

test.each(operations.filter(([name]) => name !== 'cancel'))(
  '%s: served to the user, by any key of the same user with the model',
  async (_name, _refused, run) => {
    await using gateway = await reference();
    for (const key of ['owner', 'sameUser'] satisfies KeyRole[]) {
      const answer = await run(gateway, await stored(gateway), { key });
      await answer.text();
      expect(answer.status).toBe(200);
    }
  },
);

test('a response is kept for as long as it says, and no longer', async () => {
  await using gateway = await reference({ retentionDays: 2 });
  const id = await stored(gateway);
  const look = async (age: number) => {
    const moved = { response_id: id, age_seconds: age };
    expect(await ask(gateway, 'POST', '/_touchstone/clock', moved)).toEqual({
      status: 200,
      body: moved,
    });
    return (await ask(gateway, 'GET', `${path}/${id}`)).status;
  };
  expect(await look(86_400)).toBe(200);
  expect(await look(2 * 86_400 + 1)).toBe(404);
});

test('lists the input in pages, newest first', async () => {
  await using gateway = await reference();
  const texts = ['one', 'two', 'three'];
  const input = texts.map((content) => ({ role: 'user', content }));
  const id = await stored(gateway, { input });
  const items = `${path}/${id}/input_items`;

  const whole = await ask(gateway, 'GET', `${items}?order=asc`);
  expect(whole.body).toMatchObject({ object: 'list', has_more: false });
  const ids = [0, 1, 2].map((index) => at(whole.body, `data.${index}.id`));
  expect([0, 1, 2].map((index) => at(whole.body, `data.${index}.content.0.text`))).toEqual(texts);
  expect(whole.body).toMatchObject({ first_id: ids[0], last_id: ids[2] });

  const pages: unknown[] = [];
  let after = '';
  for (let more = true; more; ) {
    const page = await ask(gateway, 'GET', `${items}?limit=1${after}`);
    expect(at(page.body, 'data')).toHaveLength(1);
    pages.push(at(page.body, 'data.0.id'));
    after = `&after=${page.body.last_id}`;
    more = page.body.has_more === true;
  }
  expect(pages).toEqual([...ids].reverse());

  for (const query of ['limit=0', 'limit=101', 'limit=x', 'order=up', 'after=nothing']) {
    expect((await ask(gateway, 'GET', `${items}?${query}`)).status).toBe(400);
  }
});

test('delete answers, denies, leaves others alone, and keeps the financial record', async () => {
  await using gateway = await reference();
  const headers = { 'x-client-request-id': 'to-delete' };
  const created = await ask(gateway, 'POST', path, body, { headers });
  const other = await stored(gateway);
  const ledger = () => ask(gateway, 'GET', '/_touchstone/ledger?client_request_id=to-delete');
  const before = await ledger();
  const id = created.body.id;
  expect(await ask(gateway, 'DELETE', `${path}/${id}`)).toEqual({
    status: 200,
    body: { id, object: 'response', deleted: true },
  });
  expect((await ask(gateway, 'GET', `${path}/${id}`)).status).toBe(404);
  expect((await ask(gateway, 'GET', `${path}/${other}`)).status).toBe(200);
  expect(await ledger()).toEqual(before);
  expect(at(before.body, 'records.0')).toMatchObject({
    operation: 'generation',
    protocol: 'responses',
    model: 'ts-omni',
    response_id: id,
    status: 'completed',
    usage: { input_tokens: at(created.body, 'usage.input_tokens') },
  });
});

test('delete stops a run, and its open stream ends without being completed', async () => {
  await using gateway = await reference();
  const headers = { 'x-client-request-id': 'running' };
  const running = {
    ...body,
    background: true,
    stream: true,
    input: 'Write 4000 words.',
    max_output_tokens: 5000,
  };
  const types: unknown[] = [];
  for await (const { data } of eventsOf(await send(gateway, 'POST', path, running, { headers }))) {
    types.push(data.type);
    if (types.length === 8) {
      const id = at(
        (await ask(gateway, 'GET', '/_touchstone/ledger?client_request_id=running')).body,
        'records.0.response_id',
      );
      expect((await ask(gateway, 'DELETE', `${path}/${id}`)).status).toBe(200);
    }
  }
  expect(types.at(-1)).toBe('response.failed');
  expect(types).not.toContain('response.completed');
  const { body: found } = await ask(
    gateway,
    'GET',
    '/_touchstone/ledger?client_request_id=running',
  );
  expect(at(found, 'records.0.status')).toBe('cancelled');
  expect(at(found, 'records.0.charge')).toBeGreaterThan(0);
});

test('recovers a foreground response too', async () => {
  await using gateway = await reference();
  const id = await stored(gateway);
  const events = await allEvents(await send(gateway, 'GET', `${path}/${id}?stream=true`));
  expect(events.at(-1)?.name).toBe('response.completed');
});
