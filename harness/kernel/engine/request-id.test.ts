import { expect, test } from 'vitest';
import { idFrom } from '../core/testing.ts';
import { clientRequestId, sentRequestId } from '../drawn/request-id.ts';
import { serveHttp } from '../wire/testing-server.ts';
import { outcomeOf } from './capture.ts';
import { exchangesOf } from './outcome.ts';
import { scenario } from './scenario.ts';
import { liveRun, targetAt } from './testing.ts';

test('an id is the same for the same exchange of the same run, and for no other', () => {
  const id = clientRequestId('run', idFrom('a#main/0'));
  expect(clientRequestId('run', idFrom('a#main/0'))).toBe(id);
  expect(clientRequestId('another run', idFrom('a#main/0'))).not.toBe(id);
  expect(clientRequestId('run', idFrom('a#main/1'))).not.toBe(id);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('every request of a run has its own, and with the same seed the data are those of the last run', async () => {
  const server = await serveHttp((_, answer) => answer.end('{}'));
  const target = targetAt(server.url);
  const speaks = { model: { speaks: 'responses' } } as const;
  const twice = scenario(
    't/twice',
    { needs: speaks, cost: { requests: 2, generations: 2 } },
    async (io) => {
      await io.responses.create({ input: io.word() });
      await io.responses.create();
    },
  );
  const sent = async (seed: number, runId: string) => {
    const { run } = liveRun(target, { seed, runId });
    const exchanges = exchangesOf(await outcomeOf(run, twice));
    return {
      ids: exchanges.map(sentRequestId),
      bodies: exchanges.map(({ request }) => Buffer.from(request.body ?? []).toString()),
    };
  };
  const first = await sent(1, 'first');
  const again = await sent(1, 'again');
  const other = await sent(2, 'other');
  const replayed = await sent(1, 'first');
  expect(new Set([...first.ids, ...again.ids, ...other.ids]).size).toBe(6);
  expect(again.bodies).toEqual(first.bodies);
  expect(replayed).toEqual(first);
  expect(other.bodies[0]).not.toBe(first.bodies[0]);
});
