import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../../reference/index.ts';
import type { Call, CallOptions } from '../../protocols/call.ts';
import { describeReference } from '../../targets/reference.ts';
import { outcomeOf } from '../capture.ts';
import type { Io } from '../io.ts';
import { type Scenario, scenario } from '../scenario.ts';
import { record, reference, replay, slowTarget } from '../testing.ts';

const cost = { requests: 1, generations: 9 };

describe('a recording that is not of this suite makes an error', () => {
  const call: Call = {
    operation: 'test',
    protocol: 'responses',
    method: 'POST',
    path: '/v1/responses',
    query: { page: '1' },
    headers: { 'X-Test': 'yes' },
    body: { input: 'Hello.' },
    expects: 'json',
  };
  const asking = (change: (io: Io) => Promise<unknown>): Scenario =>
    scenario('t/asking', { hostile: 'input', cost }, change);
  const recorded = asking(({ raw }) => raw.send(call));

  test.each<[string, (io: Io) => Promise<unknown>, RegExp]>([
    [
      'another method',
      ({ raw }) => raw.send({ ...call, method: 'PUT' }),
      /exchange t\/asking#main\/0: the suite sends the method PUT, recorded is POST\. It was/,
    ],
    [
      'another path',
      ({ raw }) => raw.send({ ...call, path: '/v1/other' }),
      /sends the address \/v1\/other\?page=1, recorded is \/v1\/responses\?page=1/,
    ],
    [
      'another query',
      ({ raw }) => raw.send({ ...call, query: { page: '2' } }),
      /sends the address \/v1\/responses\?page=2, recorded is \/v1\/responses\?page=1/,
    ],
    [
      'another body',
      ({ raw }) => raw.send({ ...call, body: { input: 'Bye.' } }),
      /sends the body \{"input":"Bye\."\}, recorded is \{"input":"Hello\."\}/,
    ],
    [
      'no body',
      ({ raw }) =>
        raw.send({
          ...call,
          body: undefined,
          headers: { 'X-Test': 'yes', 'Content-Type': 'application/json' },
        }),
      /does not send the body that is recorded: \{"input"/,
    ],
    [
      'another header',
      ({ raw }) => raw.send({ ...call, headers: { 'X-Test': 'no' } }),
      /sends the headers .*x-test: no, recorded is .*x-test: yes/,
    ],
    [
      "another user's key",
      ({ raw }) => raw.send(call, { key: 'otherUser' }),
      /sends with the key otherUser, recorded is owner/,
    ],
    [
      'another place of the key',
      ({ raw }) => raw.send(call, { placement: 'x-api-key' }),
      /sends the headers .*x-api-key: \*, .*recorded is .*authorization: Bearer \*/,
    ],
    [
      'a further request',
      async ({ raw }) => [await raw.send(call), await raw.send(call)],
      /exchange t\/asking#main\/1: the suite sends POST \/v1\/responses, which was not recorded/,
    ],
  ])('%s', async (_, change, message) => {
    const { target, requests } = await slowTarget([0]);
    const { path } = await record(target, [recorded]);
    const outcome = await outcomeOf(replay(path), asking(change));
    expect(outcome).toMatchObject({ kind: 'error' });
    expect(outcome.kind === 'error' && String(outcome.error)).toMatch(message);
    expect(requests()).toBe(1);
  });

  test('waiting for the end of what was cut', async () => {
    const { target } = await reference();
    const needs = { model: { speaks: 'responses', supports: ['stream:responses'] } } as const;
    const stream = (options: CallOptions): Scenario =>
      scenario('t/stream', { needs, cost }, ({ responses }) => responses.stream({}, options));
    const { path } = await record(target, [stream({ cut: { events: 1 } })]);
    const outcome = await outcomeOf(replay(path), stream({}));
    expect(outcome.kind === 'error' && String(outcome.error)).toMatch(
      /waits for its end, recorded is that it was cut/,
    );
    expect(await outcomeOf(replay(path), stream({ cut: { events: 1 } }))).toMatchObject({
      kind: 'captured',
    });
  });

  test('while the key itself may be any, wherever it stands', async () => {
    const { target } = await slowTarget([0]);
    const everywhere = asking(({ raw }) =>
      Promise.all([
        ...(['own', 'query-key', 'basic', 'bare'] as const).map((placement) =>
          raw.send(call, { placement }),
        ),
        raw.send(call, { key: 'unknown', placement: 'query-api_key' }),
      ]),
    );
    for (const owner of [
      'canary-key-1',
      'canary-key-22',
      'canary-key-333',
      'sk-a/?%+0123456789=',
    ]) {
      const { path, outcomes } = await record({ ...target, keys: { owner } }, [everywhere]);
      expect(readFileSync(path, 'utf8')).not.toContain(owner);
      expect(await outcomeOf(replay(path), everywhere)).toEqual(outcomes[0]);
    }
  });

  test('what comes after it is in error, too, and what is not asked for is named', async () => {
    const { target } = await slowTarget([0]);
    const { path } = await record(target, [recorded]);
    const again = replay(path);
    const before = scenario('t/other', { cost }, ({ lists }) => lists.list());
    const later = scenario('t/later', { after: { before }, cost }, ({ lists }) => lists.list());
    expect(await outcomeOf(again, later)).toMatchObject({ kind: 'error' });
    expect(again.unasked).toEqual(['t/asking#main/0']);
  });

  test.each<[string, (frame: object) => (object | string)[], RegExp]>([
    [
      'another frame',
      () => [{ type: 'other' }],
      /sends the frame \{"type":"other"\}, recorded is \{"type/,
    ],
    ['a frame more', (frame) => [frame, frame], /sends the frame .*, recorded is none/],
    ['a frame fewer', () => [], /the suite sends 0 frames, recorded are 1/],
  ])('%s', async (_, frames, message) => {
    const gateway = await startReference();
    onTestFinished(() => gateway.close());
    const needs = { model: { speaks: 'responses', supports: ['websocket'] } } as const;
    const talk = (sent: (frame: object) => (object | string)[]): Scenario =>
      scenario('t/talk', { needs, cost }, async ({ responses }) => {
        const session = await responses.connect();
        const frame = responses.frame({ input: 'Hello.' });
        for (const one of sent(frame)) session.send(one);
        await session.receive(({ text }) => text.includes('response.completed'));
        return session.exchange();
      });
    const { path } = await record(describeReference(gateway, undefined), [talk((one) => [one])]);
    const outcome = await outcomeOf(replay(path), talk(frames));
    expect(outcome.kind === 'error' && String(outcome.error)).toMatch(message);
  });
});
