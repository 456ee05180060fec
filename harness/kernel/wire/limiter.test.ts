import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Hostility, Limiter } from './limiter.ts';
import { Pace } from './pace.ts';

function pacing(perSecond: number): Pace {
  const [by, learnedBy] = ['requests-per-second', 'rate-limit'] as const;
  return new Pace({ perSecond, by, learnedBy, patienceMs: 1_000 });
}

test('no more run at once than there are slots', async () => {
  const limiter = new Limiter({ concurrency: 3 });
  let now = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 12 }, () =>
      limiter.run(0, async () => {
        most = Math.max(most, ++now);
        await delay(2);
        now--;
      }),
    ),
  );
  expect(most).toBe(3);
});

test('the highest priority goes first, then who came first', async () => {
  const limiter = new Limiter({ concurrency: 1 });
  const order: string[] = [];
  const task = (name: string) => async () => void order.push(name);
  const first = limiter.run(0, () => delay(5));
  await Promise.all([
    first,
    limiter.run(1, task('low')),
    limiter.run(3, task('high')),
    limiter.run(3, task('high too')),
    limiter.run(2, task('middle')),
  ]);
  expect(order).toEqual(['high', 'high too', 'middle', 'low']);
});

test('a slot given back early is free for others while its task goes on', async () => {
  const limiter = new Limiter({ concurrency: 1 });
  let finish: () => void = () => undefined;
  const long = limiter.run(0, (release) => {
    release();
    return new Promise<string>((resolve) => {
      finish = () => resolve('long');
    });
  });
  expect(await limiter.run(0, async () => 'short')).toBe('short');
  finish();
  expect(await long).toBe('long');
});

test('a task that fails gives its slot back', async () => {
  const limiter = new Limiter({ concurrency: 1 });
  const failed = limiter.run(0, async () => {
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await limiter.run(0, async () => 1)).toBe(1);
});

test('so many start in a second, evenly', async () => {
  const limiter = new Limiter({ concurrency: 100, pacing: pacing(100) });
  const starts: number[] = [];
  await Promise.all(
    Array.from({ length: 8 }, () =>
      limiter.run(0, async () => void starts.push(performance.now())),
    ),
  );
  const span = (starts.at(-1) ?? 0) - (starts[0] ?? 0);
  expect(span).toBeGreaterThanOrEqual(65);
});

test('when the run is stopped, nobody waits for a slot or for the rate', async () => {
  const stop = new AbortController();
  const limiter = new Limiter({ concurrency: 1, pacing: pacing(1), stop: stop.signal });
  const begun: number[] = [];
  let finish: () => void = () => undefined;
  const held = limiter.run(0, () => new Promise<void>((resolve) => (finish = resolve)));
  const waiting = Array.from({ length: 20 }, (_, index) =>
    limiter.run(0, async () => void begun.push(index)),
  );
  await delay(2);
  expect(begun).toEqual([]);
  stop.abort();
  await Promise.all(waiting);
  expect(begun).toHaveLength(20);
  await limiter.run(0, async () => void begun.push(20));
  expect(new Set(begun).size).toBe(21);
  finish();
  await held;
});

describe('a hostile task', () => {
  /** Runs tasks that end when they are told, and lists those that run. */
  function told(concurrency = 100) {
    const limiter = new Limiter({ concurrency });
    const running = new Map<string, () => void>();
    return {
      begin: (name: string, hostility: Hostility | null = null, priority = 0) => {
        const task = () => new Promise<void>((resolve) => running.set(name, resolve));
        void limiter.run(priority, task, hostility).finally(() => running.delete(name));
      },
      end: async (name: string) => {
        running.get(name)?.();
        await delay(1);
        // The limiter begins the next task in an immediate of its own.
        await new Promise(setImmediate);
      },
      running: () => [...running.keys()].join(' '),
    };
  }

  test('runs alone', async () => {
    const { begin, end, running } = told();
    begin('ordinary');
    begin('bad', { width: 0 });
    begin('bad too', { width: 0 });
    begin('behind');
    expect(running()).toBe('ordinary');
    await end('ordinary');
    expect(running()).toBe('bad');
    await end('bad');
    expect(running()).toBe('bad too');
    await end('bad too');
    expect(running()).toBe('behind');
  });

  test('runs beside others of its kind, as many as its width allows, and beside ordinary ones', async () => {
    const { begin, end, running } = told();
    const kind = { width: 2 };
    for (const name of ['a', 'b', 'c']) begin(name, kind);
    begin('other', { width: 1 });
    begin('ordinary');
    expect(running()).toBe('a b other ordinary');
    await end('a');
    expect(running()).toBe('b other ordinary c');
  });

  test('takes no more slots than there are', () => {
    const { begin, running } = told(2);
    for (const name of ['a', 'b', 'c']) begin(name, { width: 64 });
    expect(running()).toBe('a b');
  });

  test('that is next is overtaken by no task of a higher priority', async () => {
    const { begin, end, running } = told();
    begin('ordinary');
    begin('next', { width: 0, isNext: true });
    begin('higher', null, 1);
    expect(running()).toBe('ordinary');
    await end('ordinary');
    expect(running()).toBe('next');
    await end('next');
    expect(running()).toBe('higher');
  });
});
