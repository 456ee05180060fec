import OpenAI, { APIError } from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { expect, test } from 'vitest';
import type { KeyRole } from '../keys.ts';
import type { ReferenceGateway } from '../start.ts';
import { base, reference } from './testing.ts';

// The official client is the judge here: whatever it does not accept, the gateway does wrong.

function client(gateway: ReferenceGateway, key: KeyRole = 'owner'): OpenAI {
  return new OpenAI({ apiKey: gateway.keys[key], baseURL: `${base(gateway)}/v1`, maxRetries: 0 });
}

const request = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64, store: true };
const long = { ...request, input: 'Write 60 words.', max_output_tokens: 100 };
const tools = [
  {
    type: 'function' as const,
    name: 'look',
    strict: false,
    parameters: { type: 'object', properties: { where: { type: 'string' } }, required: ['where'] },
  },
];

test('stream, with its accumulator', async () => {
  await using gateway = await reference();
  const { responses } = client(gateway);
  const stream = responses.stream(request);
  let text = '';
  stream.on('response.output_text.delta', ({ delta, snapshot }) => {
    text += delta;
    expect(snapshot).toBe(text);
  });
  const final = await stream.finalResponse();
  expect(final.output_text).toBe(text);
  const stored = await responses.retrieve(final.id);
  expect(final).toMatchObject({ status: stored.status, usage: stored.usage });
});

test('a function call, streamed, and its result', async () => {
  await using gateway = await reference();
  const { responses } = client(gateway);
  const stream = responses.stream({ ...request, tools, tool_choice: 'required' });
  const final = await stream.finalResponse();
  const call = final.output.find((item) => item.type === 'function_call');
  expect(JSON.parse(call?.arguments ?? '')).toEqual({ where: expect.any(String) });
  const after = await responses.create({
    ...request,
    tools,
    previous_response_id: final.id,
    input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'Nothing.' }],
  });
  expect(after.output_text).not.toBe('');
});

test('a cancelled stream, through the accumulator', async () => {
  await using gateway = await reference();
  const { responses } = client(gateway);
  const stream = responses.stream({ ...long, background: true, store: true });
  stream.on('response.output_text.delta', ({ sequence_number }) => {
    if (sequence_number === 10) void responses.cancel(id);
  });
  let id = '';
  stream.on('response.created', ({ response }) => {
    id = response.id;
  });
  expect((await stream.finalResponse()).status).toBe('cancelled');
});

test('compact, and the output as the next input', async () => {
  await using gateway = await reference();
  const { responses } = client(gateway);
  const first = await responses.create(request);
  const compacted = await responses.compact({ model: 'ts-omni', previous_response_id: first.id });
  expect(compacted.output.at(-1)?.type).toBe('compaction');
  const items = compacted.output.flatMap((item) => {
    if (item.type === 'compaction') return [item];
    return [];
  });
  const next = await responses.create({
    ...request,
    input: [...items, { role: 'user', content: 'Go on.' }],
  });
  expect(next.status).toBe('completed');
});

test('errors, in their classes', async () => {
  await using gateway = await reference();
  const { responses } = client(gateway);
  await expect(responses.create({ ...request, model: 'nothing' })).rejects.toMatchObject({
    status: 400,
    code: 'model_not_found',
    param: 'model',
    type: 'invalid_request_error',
    requestID: expect.stringMatching(/^req_/),
  });
  await expect(responses.create({ ...request, model: 'nothing' })).rejects.toThrow(
    OpenAI.BadRequestError,
  );
  await expect(client(gateway, 'otherUser').responses.retrieve('resp_0')).rejects.toThrow(
    OpenAI.NotFoundError,
  );
  await expect(client(gateway, 'restricted').responses.create(request)).rejects.toThrow(
    OpenAI.PermissionDeniedError,
  );
  const nobody = new OpenAI({ apiKey: 'nobody', baseURL: `${base(gateway)}/v1`, maxRetries: 0 });
  await expect(nobody.responses.create(request)).rejects.toThrow(OpenAI.AuthenticationError);
  const streamed = responses.create({ ...request, model: 'ts-plain', stream: true });
  await expect(streamed).rejects.toThrow(APIError);
});

test('over WebSocket', async () => {
  await using gateway = await reference();
  const socket = new ResponsesWS(client(gateway));
  const problems: unknown[] = [];
  socket.on('error', ({ error }) => problems.push(error));
  const ids: string[] = [];
  for await (const { type, ...rest } of socket.stream()) {
    if (type === 'open') socket.send({ ...request, type: 'response.create', store: false });
    if (type !== 'message' || !('message' in rest)) continue;
    const { message } = rest;
    if (message.type !== 'response.completed') continue;
    ids.push(message.response.id);
    if (ids.length === 2) break;
    socket.send({
      ...request,
      type: 'response.create',
      store: false,
      previous_response_id: message.response.id,
    });
  }
  socket.close();
  expect(new Set(ids).size).toBe(2);
  expect(problems).toEqual([]);
});
