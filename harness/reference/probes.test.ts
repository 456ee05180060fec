import { expect, test } from 'vitest';
import { ask, at, base, reference, send } from './responses/testing.ts';

const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64 };
const ledger = '/_touchstone/ledger';
const clock = '/_touchstone/clock';

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
