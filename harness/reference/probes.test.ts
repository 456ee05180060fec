import { expect, test } from 'vitest';
import { ask, at, base, reference, send } from './responses/testing.ts';

const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64 };
const ledger = '/_touchstone/ledger';
const clock = '/_touchstone/clock';

test('the ledger has one record for an accepted request, in its own region', async () => {
  await using gateway = await reference();
  const headers = { 'x-client-request-id': 'one' };
  const { body } = await ask(gateway, 'POST', path, good, { headers });
  const found = await ask(gateway, 'GET', `${ledger}?client_request_id=one`);
  expect(found).toEqual({
    status: 200,
    body: {
      records: [
        {
          id: expect.stringMatching(/^led_/),
          client_request_id: 'one',
          operation: 'generation',
          protocol: 'responses',
          model: 'ts-omni',
          response_id: body.id,
          status: 'completed',
          usage: {
            input_tokens: at(body, 'usage.input_tokens'),
            output_tokens: at(body, 'usage.output_tokens'),
          },
          charge: expect.any(Number),
          created_at: expect.any(Number),
        },
      ],
    },
  });
  expect(at(found.body, 'records.0.charge')).toBeGreaterThan(0);
  const elsewhere = await ask(gateway, 'GET', `${ledger}?client_request_id=one`, undefined, {
    region: 1,
  });
  expect(elsewhere.body).toEqual({ records: [] });
});

test('a script that is sent is played, and taken away again; a wrong one changes nothing', async () => {
  const readScript = (text: string) => {
    if (text === '') throw new Error('It is empty.');
    return { script: { rules: [{ text }] }, warnings: ['Too short.'] };
  };
  await using gateway = await reference({ script: { rules: [{ text: 'Usual.' }] }, readScript });
  const script = '/_touchstone/script';
  const put = (body: string) => fetch(base(gateway) + script, { method: 'PUT', body });
  const said = async () =>
    at((await ask(gateway, 'POST', path, good)).body, 'output.0.content.0.text');
  const sent = await put('Sent.');
  expect([sent.status, await sent.json()]).toEqual([200, { rules: 1, warnings: ['Too short.'] }]);
  expect(await said()).toBe('Sent.');
  const wrong = await put('');
  expect([wrong.status, await wrong.json()]).toEqual([400, { error: { message: 'It is empty.' } }]);
  expect(await said()).toBe('Sent.');
  expect((await ask(gateway, 'DELETE', script)).status).toBe(200);
  expect(await said()).toBe('Usual.');
});

test('a refused request leaves no record', async () => {
  await using gateway = await reference();
  const headers = { 'x-client-request-id': 'refused' };
  for (const part of [{ model: 'nothing' }, { input: 42 }, { background: true, store: false }]) {
    await ask(gateway, 'POST', path, { ...good, ...part }, { headers });
  }
  const found = await ask(gateway, 'GET', `${ledger}?client_request_id=refused`);
  expect(found.body).toEqual({ records: [] });
});

test('the clock of one response moves no other', async () => {
  await using gateway = await reference();
  const ids = await Promise.all(
    [1, 2].map(async () => (await ask(gateway, 'POST', path, good)).body.id),
  );
  const moved = { response_id: String(ids[0]), age_seconds: 31 * 86_400 };
  expect(await ask(gateway, 'POST', clock, moved)).toEqual({ status: 200, body: moved });
  expect((await ask(gateway, 'GET', `${path}/${ids[0]}`)).status).toBe(404);
  expect((await ask(gateway, 'GET', `${path}/${ids[1]}`)).status).toBe(200);
});

test('the probes say what is wrong with a request', async () => {
  await using gateway = await reference();
  expect((await ask(gateway, 'GET', ledger)).status).toBe(400);
  expect(
    (await ask(gateway, 'POST', clock, { response_id: 'resp_0', age_seconds: 1 })).status,
  ).toBe(404);
  expect((await ask(gateway, 'POST', clock, { response_id: 'resp_0' })).status).toBe(400);
  expect((await send(gateway, 'POST', clock)).status).toBe(400);
  expect((await ask(gateway, 'GET', '/_touchstone/nothing')).status).toBe(404);
});
