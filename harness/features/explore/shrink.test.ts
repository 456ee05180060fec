import { expect, test } from 'vitest';
import { type ActsOn, actsOf, generationsOf, type History, pauseBefore } from './history.ts';
import { type Shown, shrunk } from './shrink.ts';
import { actOn, create } from './testing.ts';

const made = (n: number) => ({ ...create, n });
const act = (n: number, of: number, operation: ActsOn['operation']) => actOn(n, operation, { of });

/** Twelve acts, of which a lookup after two deletions of the same response matters. */
const long: History = {
  steps: [
    [made(0)],
    [made(1), made(2)],
    [{ ...made(3), previous: 1 }],
    [act(4, 3, 'delete'), act(5, 0, 'lookup')],
    [made(6)],
    [act(7, 1, 'lookup')],
    [act(8, 3, 'delete')],
    [act(9, 2, 'cancel')],
    [act(10, 3, 'lookup'), act(11, 6, 'lookup')],
  ],
};

/** The lookup of what was deleted twice. */
function resurrected(history: History): number | null {
  const acts = actsOf(history).filter((one) => one.kind === 'act');
  const deleted = acts.filter(({ operation }) => operation === 'delete');
  const isTwice = ({ n, of, operation }: ActsOn): boolean =>
    operation === 'lookup' && deleted.filter((one) => one.of === of && one.n < n).length === 2;
  return acts.findLast(isTwice)?.n ?? null;
}

test('what does not matter goes, and what is needed stays', async () => {
  const bounds = { tries: 50, generations: 100 };
  const { history, n } = await shrunk(long, 10, async (one) => resurrected(one), bounds);
  expect(n).toBe(10);
  const ends = [act(4, 3, 'delete'), act(8, 3, 'delete'), act(10, 3, 'lookup')];
  expect(actsOf(history)).toEqual([made(3), ...ends]);
});

test('what shows only when time has passed is made short with a pause, which is made short, too', async () => {
  // Each act takes 100 ms; the last one shows it 300 ms after its response was made.
  const slow = { steps: [[made(0)], [made(1)], [made(2)], [made(3)], [act(4, 0, 'lookup')]] };
  const times = new Map([0, 1, 2, 3, 4].map((n) => [n, { started: 100 * n, ended: 100 * n + 99 }]));
  const shows = async ({ steps }: History): Promise<Shown> => {
    const first = steps.findIndex((step) => step.some(({ n }) => n === 0));
    const looked = steps.findIndex((step) => step.some(({ n }) => n === 4));
    if (first < 0 || looked < 0) return null;
    const pauses = steps.slice(first + 1, looked + 1).map(pauseBefore);
    const took = 100 * (looked - first) + pauses.reduce((sum, ms) => sum + ms, 0);
    return took >= 300 ? 4 : null;
  };
  const { history } = await shrunk(slow, 4, shows, { tries: 100, generations: 100 }, times);
  expect(actsOf(history).map(({ n }) => n)).toEqual([0, 4]);
  const [, looked = []] = history.steps;
  // The pause has to be at least 200 ms, and shortening stops when half of it is too short.
  expect(pauseBefore(looked)).toBeGreaterThanOrEqual(200);
  expect(pauseBefore(looked)).toBeLessThan(400);
  // Without times, the duration of the acts is unknown.
  const { history: fast } = await shrunk(slow, 4, shows, { tries: 100, generations: 100 });
  expect(actsOf(fast)).toHaveLength(4);
});

test('it asks for no more than its bounds say, and not again for what shows each time', async () => {
  const asked: number[] = [];
  const shows = async (one: History) => {
    asked.push(generationsOf(one));
    return resurrected(one);
  };
  await shrunk(long, 10, shows, { tries: 3, generations: 7 });
  expect(asked.length).toBeLessThanOrEqual(3);
  expect(asked.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(7);
  asked.length = 0;
  await shrunk(long, 10, shows, { tries: 400, generations: 1_000 });
  expect(asked.length).toBeLessThan(20);
});

test('what shows once in many times is made short, too', async () => {
  let count = 0;
  const shows = async (one: History) => (++count % 5 === 0 ? resurrected(one) : null);
  const { history } = await shrunk(long, 10, shows, { tries: 400, generations: 1_000 });
  expect(actsOf(history)).toHaveLength(4);
});

test('how often the shortest shows it is known at last, and what nobody can say does not count', async () => {
  const tries: [History, Shown][] = [];
  const shows = async (one: History): Promise<Shown> => {
    const shown =
      tries.length % 3 === 1 ? 'unknown' : tries.length % 2 === 0 ? resurrected(one) : null;
    tries.push([one, shown]);
    return shown;
  };
  const { history } = await shrunk(long, 10, shows, { tries: 400, generations: 1_000 });
  expect(actsOf(history)).toHaveLength(4);
  const last = tries.filter(([one]) => JSON.stringify(one) === JSON.stringify(history));
  expect(last.filter(([, shown]) => shown !== 'unknown').length).toBeGreaterThanOrEqual(20);
});

test('what shows only after the history before it is made short together with that one', async () => {
  const before: History = { steps: [[made(0)], [act(1, 0, 'lookup')], [act(2, 0, 'cancel')]] };
  const after: History = { steps: [[made(0)], [made(1)], [act(2, 1, 'lookup')]] };
  const shows = async (one: History) =>
    /"cancel".*"lookup"/.test(JSON.stringify(one)) ? (actsOf(one).at(-1)?.n ?? null) : null;
  const { history } = await shrunk(after, 2, shows, { tries: 50, generations: 100, before });
  expect(actsOf(history)).toEqual([made(0), act(2, 0, 'cancel'), made(4), act(5, 4, 'lookup')]);
});
