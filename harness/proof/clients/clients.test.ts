import { describe, expect, test } from 'vitest';
import { clientDefects, legalClients, nullClients } from './defects.ts';
import { blamedIn, judgeFaultyClient } from './prove-clients.ts';

const states = ({ checks }: Awaited<ReturnType<typeof judgeFaultyClient>>) =>
  [...new Set(checks.map(({ verdict }) => verdict.state))].sort();

/** A start of Node takes a while, and there are some forty of them. */
const patienceMs = 120_000;

describe('a client is judged', () => {
  test.for([{ tasks: true }, { tasks: false }])(
    'a right one is not blamed: %j',
    { timeout: patienceMs },
    async ({ tasks }) => {
      const result = await judgeFaultyClient([], { tasks });
      expect(blamedIn(result)).toEqual([]);
      expect(states(result).filter((state) => state !== 'not-applicable')).toEqual(
        tasks ? ['pass'] : expect.not.arrayContaining(['error', 'inconclusive']),
      );
    },
  );

  test.for(legalClients)(
    'nor one that is allowed to: $id',
    { timeout: patienceMs },
    async ({ id }) => {
      expect(blamedIn(await judgeFaultyClient([id]))).toEqual([]);
    },
  );

  test.for(clientDefects)(
    '$id is found',
    { timeout: patienceMs },
    async ({ id, breaks, speaks = ['responses'] }) => {
      const result = await judgeFaultyClient([id], { speaks });
      const expected = result.checks
        .filter((check) => breaks.includes(check.id) || breaks.includes(check.requirement))
        .map((check) => check.id);
      expect(blamedIn(result)).toEqual(expected);
      expect(expected.length).toBeGreaterThanOrEqual(breaks.length);
    },
  );

  test.for(nullClients)('$id earns nothing', { timeout: patienceMs }, async ({ id }) => {
    const found = states(await judgeFaultyClient([id], { tasks: false }));
    expect(found.filter((state) => state !== 'untestable')).toEqual(['inconclusive']);
  });
});
