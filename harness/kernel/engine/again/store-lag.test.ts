import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Access } from '../../../reference/call.ts';
import type { Defect } from '../../../reference/seams.ts';
import type { Exchange } from '../../core/exchange.ts';
import { outcomeOf } from '../capture.ts';
import { type Io, idOf } from '../io.ts';
import { exchangesOf } from '../outcome.ts';
import { ReplayRun } from '../recordings/replay-run.ts';
import { type Cost, type Scenario, scenario } from '../scenario.ts';
import { liveRun, reference } from '../testing.ts';

/** More than anything takes here. */
const limitMs = 20_000;

/** A gateway that has not heard of what was done, as often as this says of one way to reach a response. */
function deaf(to: 'stored' | 'deleted', times: Readonly<Partial<Record<string, number>>>): Defect {
  const seen = new Map<string, number>();
  const isDeaf = ({ operation, record }: Access): boolean => {
    const key = `${operation} ${record.id}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count < (times[operation] ?? 0);
  };
  return {
    id: 'test/deaf',
    what: 'Some requests are answered as if nothing had been done.',
    override: ({ policy }) => ({
      policy:
        to === 'stored'
          ? { isStored: (access) => policy.isStored(access) && !isDeaf(access) }
          : {
              deleteRemovesContent: () => false,
              isNotDeleted: (access) => policy.isNotDeleted(access) || isDeaf(access),
            },
    }),
  };
}

async function tried<Captured>(
  defect: Defect,
  flow: (io: Io, id: string) => Promise<Captured>,
  {
    cost = {},
    consistencyMs = limitMs,
    withoutLookup = false,
  }: { cost?: Partial<Cost>; consistencyMs?: number; withoutLookup?: boolean } = {},
) {
  const { target } = await reference({ defect });
  const { run } = liveRun({ ...target, limits: { ...target.limits, consistencyMs } });
  const made = scenario(
    't/made',
    {
      needs: { model: { speaks: 'responses', supports: ['websocket'] } },
      cost: { requests: 1, generations: 1 },
    },
    async ({ responses }) => idOf(await responses.create({ store: true })),
  );
  const acts: Scenario<Captured> = scenario(
    't/acts',
    { after: { id: made }, cost: { requests: 1, generations: 0, ...cost }, withoutLookup },
    async (io, { id }) => flow(io, id),
  );
  const outcome = await outcomeOf(run, acts);
  const all = [...exchangesOf(await outcomeOf(run, made)), ...exchangesOf(outcome)];
  const again = ReplayRun.forgiving(run, all);
  expect(await outcomeOf(again, acts)).toMatchObject({ kind: outcome.kind });
  expect({ strays: again.strays, unasked: again.unasked }).toEqual({ strays: 0, unasked: [] });
  return {
    captured: outcome.kind === 'captured' ? outcome.captured : null,
    sent: exchangesOf(outcome).map(inShort),
    lags: run.lags.get(acts) ?? [],
    undeclared: run.undeclared,
  };
}

function inShort({ id, about, response }: Exchange): string {
  const { lane, number, again } = id;
  return `${[`${lane}/${number}`, ...again].join('+')} ${about.operation.slice('responses.'.length)} ${response?.status}`;
}

const continues = { generations: 1, continues: 1 };
const lookup = (io: Io, id: string) => io.responses.lookup(id);
const continuation = (io: Io, id: string) => io.responses.create({ previous_response_id: id });

describe('what was just stored', () => {
  test('is asked for until it shows, and the last answer counts', async () => {
    const { captured, sent, lags } = await tried(deaf('stored', { lookup: 2 }), lookup);
    expect(captured?.response?.status).toBe(200);
    expect(sent).toEqual(['main/0 lookup 404', 'main/0+lag lookup 404', 'main/1+lag lookup 200']);
    expect(lags).toMatchObject([{ what: 'stored', exchange: 't/acts#main/1+lag' }]);
  });

  test('is asked for once where nothing may lag', async () => {
    const { sent, lags } = await tried(deaf('stored', { lookup: 2 }), lookup, { consistencyMs: 0 });
    expect(sent).toEqual(['main/0 lookup 404']);
    expect(lags).toEqual([]);
  });

  test('is asked for no longer than the limit', async () => {
    const { captured, lags } = await tried(deaf('stored', { lookup: 1_000 }), lookup, {
      consistencyMs: 400,
    });
    expect(captured?.response?.status).toBe(404);
    expect(lags).toEqual([]);
  });

  test('is continued once, when a lookup has shown it', async () => {
    const { sent } = await tried(deaf('stored', { lookup: 1 }), continuation, { cost: continues });
    expect(sent).toEqual(['main/0+lag lookup 404', 'main/1+lag lookup 200', 'main/0 create 200']);
  });

  test.each(['continue', 'continue-websocket'])(
    'is continued once more where another node has not heard of it: %s',
    async (operation) => {
      const { captured, sent } = await tried(
        deaf('stored', { [operation]: 1 }),
        async ({ responses }, id) => {
          if (operation === 'continue') return responses.create({ previous_response_id: id });
          const session = await responses.connect();
          const { ended } = await responses.turn(session, { previous_response_id: id });
          expect(ended).toMatch(/^response\.(in)?completed?$/);
          return session.exchange();
        },
        // The continuation is retried when the limit is over.
        { cost: continues, consistencyMs: 2_000 },
      );
      expect(captured?.response?.status).toBe(operation === 'continue' ? 200 : 101);
      expect(sent.map((one) => one.split(' ')[0])).toEqual(
        operation === 'continue'
          ? ['main/0+lag', 'main/0', 'main/1+lag']
          : ['main/0', 'main/0+lag', 'main/1+lag'],
      );
    },
  );

  test('is continued once more where the refusal came when the limit was over, and not the request', async () => {
    const consistencyMs = 400;
    const { override } = deaf('stored', { continue: 1 });
    const slow: Defect['override'] = (seams) => ({
      ...override(seams),
      endpoints: {
        routes: (dialect) =>
          seams.endpoints.routes(dialect).map((route) => ({
            ...route,
            handle: async (call, key) => {
              try {
                return await route.handle(call, key);
              } catch (error) {
                await sleep(consistencyMs);
                throw error;
              }
            },
          })),
      },
    });
    const { captured } = await tried(
      { id: 'test/slow', what: 'Refusals come late.', override: slow },
      continuation,
      { cost: continues, consistencyMs },
    );
    expect(captured?.response?.status).toBe(200);
  });

  test('is denied to others when its maker has seen it', async () => {
    const { sent } = await tried(deaf('stored', { lookup: 1 }), (io, id) =>
      io.responses.inputItems(id, {}, { key: 'otherUser' }),
    );
    expect(sent).toEqual([
      'main/0+lag lookup 404',
      'main/1+lag lookup 200',
      'main/0 input-items 404',
    ]);
  });

  test('is asked for by others at once where a history wants it so', async () => {
    const { sent } = await tried(
      deaf('stored', {}),
      (io, id) => io.responses.inputItems(id, {}, { key: 'otherUser' }),
      { withoutLookup: true },
    );
    expect(sent).toEqual(['main/0 input-items 404']);
  });

  test('is not asked for again where something else is refused', async () => {
    const { sent } = await tried(deaf('stored', {}), (io, id) => io.responses.cancel(id));
    expect(sent).toEqual(['main/0 cancel 400']);
  });
});

describe('what was just deleted', () => {
  test('is asked for until it is denied', async () => {
    const { captured, sent, lags } = await tried(
      deaf('deleted', { lookup: 1 }),
      async ({ responses }, id) => {
        await responses.delete(id);
        return responses.lookup(id);
      },
    );
    expect(captured?.response?.status).toBe(404);
    expect(sent.slice(1)).toEqual(['main/1 lookup 200', 'main/0+lag lookup 404']);
    expect(lags).toMatchObject([{ what: 'deleted' }]);
  });

  test('is continued when a lookup was denied', async () => {
    const { sent } = await tried(
      deaf('deleted', { lookup: 1 }),
      async ({ responses }, id) => {
        await responses.delete(id);
        return responses.create({ previous_response_id: id });
      },
      { cost: { refused: 1, continues: 1 } },
    );
    expect(sent.slice(1)).toEqual([
      'main/0+lag lookup 200',
      'main/1+lag lookup 404',
      'main/1 create 400',
    ]);
  });
});

test('a scenario says how many of its requests may be asked for once more', async () => {
  const { captured, undeclared } = await tried(deaf('stored', { continue: 1 }), continuation, {
    cost: { generations: 1 },
  });
  expect(captured?.response?.status).toBe(400);
  expect([...undeclared]).toEqual(['t/acts']);
});
