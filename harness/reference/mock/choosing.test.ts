import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { ask, at, base, reference, send } from '../responses/testing.ts';
import type { Defect } from '../seams.ts';
import type { Shelf } from './choosing.ts';

const marked: Defect = {
  id: 'area.marked',
  what: 'Every answer is marked.',
  override: ({ encode }) => {
    let count = 0;
    return {
      encode: {
        headers: (kind, headers, context) => ({
          ...encode.headers(kind, headers, context),
          'x-marked': String(++count),
        }),
      },
    };
  },
};
const elsewhere: Defect = { ...marked, id: 'area.in-us', regions: ['us'] };
const shelf: Shelf = {
  find: async ({ kind, id }) =>
    kind === 'fault' ? [marked, elsewhere].find((one) => one.id === id) : undefined,
  hint: async () => ' Did you mean something?',
  list: async () => [{ kind: 'fault', id: marked.id, what: marked.what }],
};
const faults = { shelf };
const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Write 20 words.', max_output_tokens: 64 };
const asking = (id: string) => ({ headers: { 'x-touchstone-fault': id } });

test('a request gets the fault that it asks for, by a header or below a path, and no other does', async () => {
  await using gateway = await reference({ faults });
  const mark = async (at = path, headers = {}): Promise<string | null> =>
    (await send(gateway, 'POST', at, good, { headers })).headers.get('x-marked');
  expect(await mark()).toBeNull();
  expect(await mark(path, { 'x-touchstone-fault': 'area.marked' })).toBe('1');
  // The state of a fault is kept between requests.
  expect(await mark(`/_touchstone/fault/area.marked${path}`)).toBe('2');
  expect(await mark(path, { 'x-touchstone-fault': 'area.in-us' })).toBeNull();
  expect(await mark()).toBeNull();
});

test('an unknown one is refused in the words of the protocol, with what may have been meant', async () => {
  await using gateway = await reference({ faults });
  const { status, body } = await ask(gateway, 'POST', path, good, asking('area.marcked'));
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: { message: 'There is no fault `area.marcked`. Did you mean something?' },
  });
});

test('without faults, nothing can be asked for', async () => {
  await using gateway = await reference();
  expect((await ask(gateway, 'POST', path, good, asking('reset'))).status).toBe(200);
  const below = `/_touchstone/fault/reset${path}`;
  expect((await ask(gateway, 'POST', below, good)).status).toBe(404);
  expect((await ask(gateway, 'GET', '/_touchstone/faults')).status).toBe(404);
});

test('they are listed with what they do', async () => {
  await using gateway = await reference({ faults });
  const { body } = await ask(gateway, 'GET', '/_touchstone/faults');
  expect(body.faults).toContainEqual({ kind: 'fault', id: marked.id, what: marked.what });
  expect(body.faults).toContainEqual(expect.objectContaining({ id: 'cut:<n>' }));
  const variants = await ask(gateway, 'GET', '/_touchstone/faults?kind=variant');
  expect(JSON.stringify(variants.body)).not.toContain('cut:<n>');
  expect((await ask(gateway, 'GET', '/_touchstone/faults?kind=other')).status).toBe(400);
});

test.for([
  ['status:999', '`status:<n>[:<s>]`: Refuses with this status, 400 to 599'],
  ['cut', '`cut:<n>b`: Closes'],
  ['reset@0.5', 'a rate belongs to all requests'],
] as const)('%s is told how it is written', async ([id, told]) => {
  await using gateway = await reference({ faults });
  const { status, body } = await ask(gateway, 'POST', path, good, asking(id));
  expect([status, at(body, 'error.message')]).toEqual([400, expect.stringContaining(told)]);
});

test.for([
  ['/v1/responses', good, { error: { type: 'requests', code: 'rate_limit_exceeded' } }],
  [
    '/v1/messages',
    { model: 'ts-omni', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
    { type: 'error', error: { type: 'rate_limit_error' } },
  ],
] as const)('a status, with Retry-After, on %s', async ([at, request, body]) => {
  await using gateway = await reference({ faults });
  const response = await send(gateway, 'POST', at, request, {
    headers: {
      ...asking('status:429:7').headers,
      'x-api-key': gateway.keys.owner,
      'vendorA-version': '2023-06-01',
    },
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await response.json()).toMatchObject(body);
});

test('a stream is cut after so many events or bytes, a body in its middle', async () => {
  await using gateway = await reference({ faults });
  const cutOff = async (id: string, body: object): Promise<string> => {
    const response = await send(gateway, 'POST', path, { ...good, ...body }, asking(id));
    expect(response.status).toBe(200);
    let text = '';
    const read = async (): Promise<void> => {
      for await (const piece of response.body ?? []) text += Buffer.from(piece).toString();
    };
    await expect(read()).rejects.toThrow('terminated');
    return text;
  };
  expect((await cutOff('cut:3', { stream: true })).match(/^event: /gm)).toHaveLength(3);
  expect(await cutOff('cut:100b', { stream: true })).toHaveLength(100);
  expect(await cutOff('cut:100b', {})).toHaveLength(100);
  expect((await cutOff('cut:3', {})).startsWith('{"id":"resp_')).toBe(true);
  expect(await cutOff('slow:1,cut:2', { stream: true })).toMatch(/^event: response.created/);
});

test('a stream ends with an error after so many events, a body is refused with it', async () => {
  await using gateway = await reference({ faults });
  const streamed = await send(
    gateway,
    'POST',
    path,
    { ...good, stream: true },
    asking('error:3:503'),
  );
  const events = (await streamed.text()).trimEnd().split('\n\n');
  expect([streamed.status, events.length]).toEqual([200, 4]);
  expect(events[3]).toMatch(/^event: error\ndata: .*"sequence_number":3.*"server_error"/);
  expect((await ask(gateway, 'POST', path, good, asking('error:3'))).status).toBe(500);
});

test('a stall sends no more and keeps the connection; a reset breaks it at once', async () => {
  await using gateway = await reference({ faults });
  const streamed = { ...good, stream: true };
  const response = await send(gateway, 'POST', path, streamed, asking('stall:2'));
  const reader = response.body?.getReader();
  let text = '';
  while (text.split('\n\n').length < 3) {
    text += Buffer.from((await reader?.read())?.value ?? []).toString();
  }
  const further = reader?.read();
  const probe = fetch(`${base(gateway)}/_touchstone/faults`).then(() => 'nothing');
  expect(await Promise.race([further?.then(() => 'more'), probe])).toBe('nothing');
  await reader?.cancel();
  await expect(send(gateway, 'POST', path, good, asking('reset'))).rejects.toThrow('fetch failed');
});

test('a rate is kept, by a seed', async () => {
  const pattern = async (seed: number): Promise<string> => {
    const always = [{ kind: 'fault', id: 'status:500', rate: 0.3 }] as const;
    await using gateway = await reference({ faults: { shelf, always, seed } });
    let text = '';
    for (let n = 0; n < 40; n++) {
      const { status } = await ask(gateway, 'GET', '/v1/models');
      text += status === 500 ? 'x' : '.';
    }
    return text;
  };
  const first = await pattern(1);
  expect(first.replaceAll('.', '').length).toBeGreaterThan(4);
  expect(first.replaceAll('.', '').length).toBeLessThan(25);
  expect(await pattern(1)).toBe(first);
  expect(await pattern(2)).not.toBe(first);
});

test('behind TLS a connection ends, too, over HTTP/1.1 and HTTP/2', async () => {
  await using gateway = await reference({ faults, isSecure: true });
  const agent = (allowH2: boolean) =>
    new Agent({ allowH2, connect: { ca: gateway.certificate ?? '' } });
  for (const dispatcher of [agent(false), agent(true)]) {
    for (const id of ['reset', 'cut:2', 'cut:20b']) {
      const cut = request(base(gateway) + path, {
        dispatcher,
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.keys.owner}`, ...asking(id).headers },
        body: JSON.stringify({ ...good, stream: true }),
      }).then(({ body }) => body.text());
      await expect(cut).rejects.toThrow();
    }
    await dispatcher.destroy();
  }
});
