import { expect, test } from 'vitest';
import { allEvents, ask, at, reference, send } from './responses/testing.ts';
import type { Defect } from './seams.ts';

const path = '/v1/responses';
const good = { model: 'ts-omni', input: 'Say something.', max_output_tokens: 64, store: true };

test('a defect of the policy breaks one rule on one operation', async () => {
  const defect: Defect = {
    id: 'owners.lookup-open',
    what: 'Any user can look up a stored response.',
    override: ({ policy }) => ({
      policy: {
        isSameUser: (access) => access.operation === 'lookup' || policy.isSameUser(access),
      },
    }),
  };
  await using gateway = await reference({ defect });
  const { body } = await ask(gateway, 'POST', path, good);
  const other = { key: 'otherUser' } as const;
  expect((await ask(gateway, 'GET', `${path}/${body.id}`, undefined, other)).status).toBe(200);
  expect(
    (await ask(gateway, 'GET', `${path}/${body.id}/input_items`, undefined, other)).status,
  ).toBe(404);
  expect((await ask(gateway, 'DELETE', `${path}/${body.id}`, undefined, other)).status).toBe(404);
});

test('a defect of one region leaves the others as they are', async () => {
  const defect: Defect = {
    id: 'auth.keyless-in-ap',
    what: 'The third region asks for no key.',
    regions: ['ap'],
    override: () => ({ policy: { keyFor: (_secret, call) => call.gateway.keys[0] } }),
  };
  await using gateway = await reference({ defect });
  const lists = await Promise.all(
    gateway.regions.map(async ({ name, baseUrl }) => [
      name,
      (await fetch(`${baseUrl}/v1/models`)).status,
    ]),
  );
  expect(lists).toEqual([
    ['eu', 401],
    ['us', 401],
    ['ap', 200],
  ]);
});

test('a defect of an encoder changes one kind of answer', async () => {
  const defect: Defect = {
    id: 'native.enveloped',
    what: 'Counts are wrapped.',
    override: ({ encode }) => ({
      encode: {
        body: (kind, body, context) =>
          kind === 'responses.input-tokens'
            ? { data: body, requestId: context.call.requestId }
            : encode.body(kind, body, context),
      },
    }),
  };
  await using gateway = await reference({ defect });
  const counted = await ask(gateway, 'POST', `${path}/input_tokens`, {
    model: 'ts-omni',
    input: 'x',
  });
  expect(Object.keys(counted.body)).toEqual(['data', 'requestId']);
  expect((await ask(gateway, 'POST', path, good)).body.object).toBe('response');
});

test('a defect of the frames changes what a stream has, and not what is stored', async () => {
  const defect: Defect = {
    id: 'stream.no-terminal',
    what: 'A stream ends without its terminal event.',
    override: () => ({
      frames: {
        async *responses(events) {
          for await (const event of events) {
            if (event.name !== 'response.completed') yield event;
          }
        },
      },
    }),
  };
  await using gateway = await reference({ defect });
  const events = await allEvents(await send(gateway, 'POST', path, { ...good, stream: true }));
  expect(events.at(-1)?.name).toBe('response.output_item.done');
  const stored = await ask(gateway, 'GET', `${path}/${at(events[0]?.data, 'response.id')}`);
  expect(stored.body.status).toBe('completed');
});

test('a variant writes the same events in other bytes', async () => {
  const defect: Defect = {
    id: 'framing.crlf',
    what: 'Lines of a stream end in CRLF.',
    override: ({ frames }) => ({
      frames: {
        serialize: (event, context) => frames.serialize(event, context).replaceAll('\n', '\r\n'),
      },
    }),
  };
  await using gateway = await reference({ defect });
  const text = await (await send(gateway, 'POST', path, { ...good, stream: true })).text();
  expect(text).toMatch(/^event: response\.created\r\ndata: /);
  expect(text).toMatch(/\r\n\r\n$/);
});

test('a defect of the transport resets a stream in its middle', async () => {
  const defect: Defect = {
    id: 'stream.reset',
    what: 'A stream is reset after its first event.',
    override: () => ({
      transport: {
        async stream(out, head, pieces) {
          out.writeHead(head.status, head.headers);
          for await (const piece of pieces) {
            await new Promise((resolve) => out.write(piece, resolve));
            break;
          }
          out.destroy();
        },
      },
    }),
  };
  await using gateway = await reference({ defect });
  await expect(
    allEvents(await send(gateway, 'POST', path, { ...good, stream: true })),
  ).rejects.toThrow();
});

test('a rule that is not insisted on lets the request through', async () => {
  const defect: Defect = {
    id: 'input.malformed-served',
    what: 'Malformed JSON is read as an empty object, and nothing is missed in it.',
    override: () => ({ policy: { insists: () => false } }),
  };
  await using gateway = await reference({ defect });
  const answer = await fetch(`${gateway.regions[0]?.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.keys.owner}` },
    body: '{"model":',
  });
  expect(answer.status).toBe(200);
});
