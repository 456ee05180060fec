import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ReferenceGateway } from '../index.ts';
import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Defect } from '../seams.ts';
import { ask, at, base, eventually, reference, type Sending } from './testing.ts';

const path = '/v1/responses';
const turn = {
  type: 'response.create',
  model: 'ts-omni',
  input: 'Say something.',
  max_output_tokens: 64,
  store: false,
};

/** A connection that keeps its frames, and gives them one by one. */
class Conversation implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #frames: JsonObject[] = [];
  #wake: () => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => {
      expect(isBinary).toBe(false);
      const frame: Json = JSON.parse(String(data));
      this.#frames.push(objectOrEmpty(frame));
      this.#wake();
    });
  }

  say(message: JsonObject | string | Buffer): void {
    const raw = typeof message === 'string' || Buffer.isBuffer(message);
    this.#socket.send(raw ? message : JSON.stringify(message));
  }

  async next(): Promise<JsonObject> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return frame;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The frames of one turn, to its terminal event or its error. */
  async turn(): Promise<JsonObject[]> {
    const frames: JsonObject[] = [];
    for (;;) {
      const frame = await this.next();
      frames.push(frame);
      if (/^(error|response\.(completed|incomplete|failed))$/.test(String(frame.type)))
        return frames;
    }
  }

  async exchange(message: JsonObject | string | Buffer): Promise<JsonObject> {
    this.say(message);
    return (await this.turn()).at(-1) ?? {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#socket.close();
    await closed;
  }
}

async function open(
  gateway: ReferenceGateway,
  { key = 'owner', region = 0, headers = {} }: Sending = {},
): Promise<Conversation> {
  const url = base(gateway, region).replace('http', 'ws') + path;
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${gateway.keys[key]}`, ...headers },
  });
  const conversation = new Conversation(socket);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return conversation;
}

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
  const overHttp = await ask(gateway, 'POST', path, body);
  expect(at(overHttp.body, 'output.0.content.0.text')).toBe(text);
});

test('looks up over HTTP what a turn stored', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const end = await conversation.exchange({ ...turn, store: true });
  const { body } = await ask(gateway, 'GET', `${path}/${at(end, 'response.id')}`);
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
  expect((await ask(gateway, 'POST', path, body)).status).toBe(400);
  expect((await ask(gateway, 'GET', `${path}/${id}`)).status).toBe(404);

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
  const { body } = await ask(gateway, 'POST', path, { model: 'ts-omni', input: 'x', store: true });
  const next = { ...turn, previous_response_id: String(body.id) };
  expect((await conversation.exchange(next)).type).toBe('response.completed');
  await using foreign = await open(gateway, { key: 'otherUser' });
  expect((await foreign.exchange(next)).type).toBe('error');
  await using elsewhere = await open(gateway, { region: 1 });
  expect((await elsewhere.exchange(next)).type).toBe('error');
  await ask(gateway, 'DELETE', `${path}/${body.id}`);
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

test('turns wait for one another', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  for (let i = 0; i < 3; i++)
    conversation.say({ ...turn, input: `Write 40 words, ${i}.`, max_output_tokens: 100 });
  const ids: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const frames = await conversation.turn();
    expect(frames.map(({ sequence_number }) => sequence_number)).toEqual([...frames.keys()]);
    ids.push(at(frames[0], 'response.id'));
    expect(at(frames.at(-1), 'response.id')).toBe(ids[i]);
  }
  expect(new Set(ids).size).toBe(3);
});

test('turns that do not wait are refused, or run into one another, where the policy says so', async () => {
  const long = { ...turn, input: 'Write 40 words.', max_output_tokens: 100 };
  for (const way of ['refuse', 'interleave'] as const) {
    const defect: Defect = {
      id: `websocket.${way}`,
      what: 'A second turn does not wait.',
      override: () => ({ policy: { whileBusy: () => way } }),
    };
    await using gateway = await reference({ defect });
    await using conversation = await open(gateway);
    conversation.say(long);
    expect((await conversation.next()).type).toBe('response.created');
    conversation.say(long);
    const frames = await conversation.turn();
    const begun = frames.filter(({ type }) => type === 'response.created');
    expect(begun.length).toBe(way === 'interleave' ? 1 : 0);
    expect(frames.at(-1)?.type).toBe(way === 'refuse' ? 'error' : 'response.completed');
    expect((await conversation.turn()).at(-1)?.type).toBe('response.completed');
    expect((await conversation.exchange(turn)).type).toBe('response.completed');
  }
});

test('named streams run beside one another, and say which is which', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const long = { ...turn, input: 'Write 300 words.', max_output_tokens: 400 };
  conversation.say({ ...long, stream_id: 'slow' });
  expect(await conversation.next()).toMatchObject({ type: 'response.created', stream_id: 'slow' });
  conversation.say({ ...turn, stream_id: 'fast' });
  const frames = await conversation.turn();
  expect(frames.at(-1)).toMatchObject({ type: 'response.completed', stream_id: 'fast' });
  expect((await conversation.turn()).at(-1)).toMatchObject({ stream_id: 'slow' });
  expect(await conversation.exchange({ ...turn, stream_id: 'not good' })).toMatchObject({
    type: 'error',
  });
});

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

test('warms up without generating', async () => {
  await using gateway = await reference();
  await using conversation = await open(gateway);
  const warm = await conversation.exchange({ ...turn, generate: false });
  expect(warm).toMatchObject({ type: 'response.completed', response: { output: [] } });
  const next = { ...turn, previous_response_id: String(at(warm, 'response.id')) };
  expect((await conversation.exchange(next)).type).toBe('response.completed');
});

test('refuses the upgrade without its own credential', async () => {
  await using gateway = await reference();
  const url = base(gateway).replace('http', 'ws');
  const { owner } = gateway.keys;
  expect(await unauthorised(url + path, {})).toBe(401);
  expect(await unauthorised(url + path, { authorization: 'Bearer nobody' })).toBe(401);
  expect(await unauthorised(url + path, { 'x-api-key': owner })).toBe(401);
  expect(await unauthorised(`${url}${path}?key=${owner}`, {})).toBe(401);
  expect(await unauthorised(`${url}/v1/other`, { authorization: `Bearer ${owner}` })).toBe(404);
});

test('refuses a plain GET', async () => {
  await using gateway = await reference();
  expect((await ask(gateway, 'GET', path)).status).toBe(426);
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
