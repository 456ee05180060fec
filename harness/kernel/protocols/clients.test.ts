import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReferenceGateway, startReference } from '../../reference/index.ts';
import type { Exchange } from '../core/exchange.ts';
import { exchangeId } from '../core/exchange-id.ts';
import { textAt } from '../core/json-value.ts';
import { streamingProtocols } from '../core/protocol.ts';
import { operations, requestModes } from '../model/access.ts';
import { json, text } from '../wire/body.ts';
import { startClock } from '../wire/clock.ts';
import { openSocket } from '../wire/socket.ts';
import { serverSentEvents } from '../wire/sse.ts';
import { send } from '../wire/transport.ts';
import { actRequest } from './acts.ts';
import type { Caller, CallOptions, Deployment } from './call.ts';
import { chatCompletionsClient } from './chat-completions/client.ts';
import { contentOf } from './content.ts';
import { secretsOf } from './credentials.ts';
import type { Defaults, Fields } from './defaults.ts';
import { type EndpointName, endpoints } from './endpoints.ts';
import { generativeClient } from './generative/client.ts';
import { messagesClient } from './messages/client.ts';
import { modelsClient } from './model-lists.ts';
import { protocolModules } from './modules.ts';
import { rawClient } from './raw.ts';
import { buildRequest } from './request.ts';
import { responsesClient } from './responses/client.ts';
import { systemoneClient, systemoneQuestion } from './systemone/client.ts';

let gateway: ReferenceGateway;
let caller: Caller;
const defaults: Defaults = { model: 'ts-omni', maxOutputTokens: 16, input: 'Say something.' };
const dialect = { dialect: 'public', body: null } as const;

beforeAll(async () => {
  gateway = await startReference({ pathPrefix: '/gateway/eu', tokenMs: 1 });
  caller = callerTo(gateway);
});

afterAll(() => gateway.close());

function callerTo({ regions, keys }: ReferenceGateway): Caller {
  const deployment: Deployment = {
    regions,
    names: { vendorA: 'vendorA', vendorB: 'vendorB' },
    versionDate: '2023-06-01',
    credentials: { chat: 'bearer', systemone: 'bearer', models: 'bearer' },
    keys,
  };
  const wire = { clock: startClock(), timeoutMs: 20_000, secrets: secretsOf(deployment) };
  let ordinal = 0;
  const identity = () => ({
    id: exchangeId({ scenario: 'test', number: ordinal }),
    clientRequestId: `test-${ordinal++}`,
  });
  return {
    send: (call, options) => send(buildRequest(call, options ?? {}, deployment, identity()), wire),
    open: (call, options) =>
      openSocket(buildRequest(call, options ?? {}, deployment, identity()), wire),
  };
}

function served(exchange: Exchange): unknown {
  const body = text(exchange);
  expect([exchange.failure, exchange.response?.status], body.ok ? body.value : body.reason).toEqual(
    [null, 200],
  );
  const value = json(exchange);
  return value.ok ? value.value : undefined;
}

function idOf(body: unknown): string {
  const id = typeof body === 'object' && body !== null ? Reflect.get(body, 'id') : undefined;
  if (typeof id !== 'string') throw new Error(`no id in ${JSON.stringify(body)}`);
  return id;
}

async function stored(background = false, isStreamed = false): Promise<string> {
  const { create, stream } = responsesClient(caller, () => defaults);
  if (isStreamed) {
    const [first] = serverSentEvents(await stream({ store: true, background })).events;
    return idOf(JSON.parse(first?.data ?? '{}').response);
  }
  const input = background ? 'Write 400 words.' : 'Say something.';
  const limit = background ? 500 : 16;
  return idOf(served(await create({ store: true, background, input, max_output_tokens: limit })));
}

test('Responses: every call is served as it stands', async () => {
  const responses = responsesClient(caller, () => defaults);
  const created = served(await responses.create({ store: true }));
  const id = idOf(created);
  expect(created).toMatchObject({ object: 'response', max_output_tokens: 16 });
  expect(served(await responses.lookup(id))).toMatchObject({ id });
  expect(served(await responses.inputItems(id, { limit: '1' }))).toMatchObject({ object: 'list' });
  expect(served(await responses.create({ previous_response_id: id }))).toMatchObject({
    previous_response_id: id,
  });
  served(await responses.compact());
  expect(served(await responses.inputTokens())).toMatchObject({ object: 'response.input_tokens' });
  served(await responses.cancel(await stored(true)));
  expect(served(await responses.delete(id))).toMatchObject({ id });
});

test('Responses: nothing is stored unless asked', async () => {
  const responses = responsesClient(caller, () => defaults);
  const lookup = await responses.lookup(idOf(served(await responses.create())));
  expect(lookup.response?.status).toBe(404);
});

test('Responses: a stream, and the rest of it behind a cut', async () => {
  const responses = responsesClient(caller, () => defaults);
  const cut = await responses.stream({ store: true, background: true }, { cut: { events: 2 } });
  expect(cut.failure?.kind).toBe('cut');
  const [first] = serverSentEvents(cut).events;
  const id = idOf(JSON.parse(first?.data ?? '{}').response);
  const rest = await responses.recover(id, { startingAfter: 1 });
  served(rest);
  const numbers = serverSentEvents(rest).events.map(({ data }) => JSON.parse(data).sequence_number);
  expect(numbers[0]).toBe(2);
  expect(serverSentEvents(rest).events.at(-1)?.event).toBe('response.completed');
});

test('Responses: turns over one WebSocket', async () => {
  const responses = responsesClient(caller, () => defaults);
  const session = await responses.connect();
  expect(session.opened).toBe(true);
  const first = await responses.turn(session);
  expect(first.ended).toBe('response.completed');
  expect(first.events.length).toBeGreaterThan(3);
  const second = await responses.turn(session, { previous_response_id: first.responseId });
  expect(second.ended).toBe('response.completed');
  const failed = await responses.turn(session, { previous_response_id: 'resp_none' });
  expect(failed.ended).toBe('error');
  const exchange = await session.exchange();
  expect(exchange.failure).toBeNull();
  const sent = exchange.socket?.frames.filter(({ from }) => from === 'us') ?? [];
  expect(sent).toHaveLength(3);
  expect(JSON.parse(Buffer.from(sent[0]?.data ?? []).toString())).toEqual({
    type: 'response.create',
    model: 'ts-omni',
    input: 'Say something.',
    max_output_tokens: 16,
    store: false,
  });
});

test('Chat Completions, Messages, System One and the lists', async () => {
  const chat = chatCompletionsClient(caller, () => defaults);
  expect(served(await chat.create())).toMatchObject({ object: 'chat.completion' });
  const chatStream = await chat.stream();
  served(chatStream);
  expect(serverSentEvents(chatStream).events.at(-1)?.data).toBe('[DONE]');

  const messages = messagesClient(caller, () => defaults);
  expect(served(await messages.create())).toMatchObject({ type: 'message' });
  const messageStream = await messages.stream();
  served(messageStream);
  expect(serverSentEvents(messageStream).events.at(-1)?.event).toBe('message_stop');
  expect(served(await messages.countTokens())).toHaveProperty('input_tokens');

  const systemone = systemoneClient(caller, () => defaults, dialect);
  expect(served(await systemone.create())).toHaveProperty('answers.polite');

  const lists = modelsClient(caller);
  expect(served(await lists.list())).toMatchObject({ object: 'list' });
  expect(served(await lists.catalog({ pageSize: 1 }))).toHaveProperty('nextPageToken');
});

test.each(['ts-omni', 'acme/odd: name 1'])(
  'generative-content over both paths: %s',
  async (model) => {
    const generative = generativeClient(caller, () => ({ ...defaults, model: 'ts-omni' }));
    for (const alternatePath of [false, true]) {
      const address = { model, alternatePath };
      expect(served(await generative.generate({}, address))).toHaveProperty('candidates');
      expect(served(await generative.countTokens({}, address))).toHaveProperty('totalTokens');
      const stream = await generative.stream({}, address);
      served(stream);
      expect(serverSentEvents(stream).events.length).toBeGreaterThan(1);
    }
  },
);

test('a member that is undefined takes its default away', async () => {
  const messages = messagesClient(caller, () => defaults);
  const { request, response } = await messages.create({ max_tokens: undefined });
  expect(Buffer.from(request.body ?? []).toString()).not.toContain('max_tokens');
  expect(response?.status).toBe(400);
});

test('System One: the body of the target file, with its model', () => {
  const body = { model: 'placeholder', q: 1 };
  expect(systemoneQuestion(defaults, { dialect: 'custom', body })).toEqual({
    model: 'ts-omni',
    q: 1,
  });
});

test('raw: what no client would send', async () => {
  const raw = rawClient(caller);
  const cut = await raw.send({ body: '{"model":' });
  expect(cut.response?.status).toBe(400);
  const odd = await raw.send({ method: 'PUT', path: '/v1/nowhere', protocol: 'messages' });
  expect(odd.response?.status).toBe(404);
  const session = await raw.open({}, { key: 'none' });
  expect(session.opened).toBe(false);
  expect((await session.exchange()).response?.status).toBe(401);
});

describe('the axis "endpoint"', () => {
  test('has its names right', () => {
    for (const [name, endpoint] of Object.entries(endpoints)) expect(endpoint.name).toBe(name);
    expect(Object.keys(endpoints)).toHaveLength(18);
  });

  test.each(Object.values(endpoints))('$name: a baseline request is served', async (endpoint) => {
    const id = endpoint.actsOn === 'none' ? '' : await stored(endpoint.actsOn === 'background');
    const systemoneBody = systemoneQuestion(defaults, dialect);
    const baseline = { ...defaults, id, systemoneBody };
    const call = endpoint.call(baseline);
    expect(call.protocol).toBe(endpoint.protocol);
    if (endpoint.frame === null) {
      const exchange = await caller.send(call);
      served(exchange);
      expect(serverSentEvents(exchange).events.length > 0).toBe(endpoint.streams);
    } else {
      expect(call.expects).toBe('socket');
      const session = await caller.open(call);
      session.send(endpoint.frame(baseline));
      await session.receive(({ json: value }) =>
        JSON.stringify(value ?? null).includes('"type":"response.completed"'),
      );
      expect((await session.exchange()).failure).toBeNull();
    }
    const sent = endpoint.frame?.(baseline) ?? call.body;
    const where = call.path.includes('ts-omni')
      ? 'path'
      : JSON.stringify(sent ?? null).includes('"model":"ts-omni"')
        ? 'body'
        : 'none';
    expect(where).toBe(endpoint.namesModel);
  });

  test('no request has a sampling parameter, every generation a limit', () => {
    const baseline = { ...defaults, id: 'r', systemoneBody: systemoneQuestion(defaults, dialect) };
    const unlimited: EndpointName[] = [];
    for (const endpoint of Object.values(endpoints)) {
      const body = JSON.stringify(endpoint.frame?.(baseline) ?? endpoint.call(baseline).body ?? {});
      expect(body).not.toMatch(/temperature|top_?[pk]|topP|topK/);
      if (endpoint.generates && !/max\w*tokens"?:16/i.test(body)) unlimited.push(endpoint.name);
    }
    // System One takes no length, and compact is not shown to.
    expect(unlimited).toEqual(['systemone', 'compact']);
  });
});

const everyAct = operations.flatMap((operation) =>
  requestModes[operation].map((requestMode) => ({ operation, requestMode })),
);

describe('an act in each of its forms', () => {
  const perform = async (act: (typeof everyAct)[number], as?: CallOptions) => {
    const { operation } = act;
    const isRead = operation === 'recover' || operation === 'cancel';
    const id = await stored(isRead, operation === 'recover');
    const responses = responsesClient(caller, () => defaults);
    const [item] = contentOf(await responses.lookup(id)).items;
    const on = { id, item: textAt(item, 'id'), input: 'Go on.' };
    return actRequest(act).send({ responses, callQuestion: () => 'Call it.' }, on, as);
  };

  test.each(everyAct)('$operation $requestMode: is served', async (act) => {
    const exchange = await perform(act);
    if (exchange.socket === null) served(exchange);
    else expect(lastFrameOf(exchange)).toMatch(/^\{"type":"response\.completed"/);
  });

  test.each(everyAct)('$operation $requestMode: another key is no way in', async (act) => {
    const exchange = await perform(act, { key: 'otherUser' });
    const seen = exchange.socket === null ? text(exchange) : lastFrameOf(exchange);
    expect(JSON.stringify(seen)).toMatch(/not_found|not found|input_tokens/);
  });
});

function lastFrameOf({ socket }: Exchange): string {
  return Buffer.from(socket?.frames.at(-1)?.data ?? []).toString();
}

describe('a forced function call', () => {
  test.each(streamingProtocols)('%s: is made, and its result is taken', async (protocol) => {
    const { tools, request } = protocolModules[protocol];
    const { forcedCall, withResults } = tools;
    const fields = forcedCall();
    const create = (body: Fields) => {
      const whole = { ...request.generation(defaults, dialect), ...body };
      return caller.send(request.call(whole, defaults.model));
    };
    const answer = served(await create(fields));
    expect(JSON.stringify(answer)).toContain('"get_weather"');
    const next = withResults(fields, answer, 'Sunny, 21 degrees.');
    if (next === null) throw new Error(`no call in ${JSON.stringify(answer)}`);
    const last = served(await create(next));
    expect(withResults(next, last, '')).toBeNull();
  });
});
