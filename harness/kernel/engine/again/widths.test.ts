import { expect, test } from 'vitest';
import { Widths } from './widths.ts';

const later = Number.POSITIVE_INFINITY;

/** Counts so many harmless answers of a wrong key, and then a served request. */
function proven(widths: Widths, answers: number): number {
  const key = widths.for('key', 'eu');
  for (let n = 0; n < answers; n++) widths.answered(key);
  widths.served('eu', later);
  return key.width;
}

test('a kind widens after four answers and a served request, then after each round, up to the slots', () => {
  const widths = new Widths({ concurrency: 12 });
  expect(widths.for('key', 'eu')).toMatchObject({ width: 0, isNext: true });
  expect([3, 1, 1, 1, 4, 8, 12].map((answers) => proven(widths, answers))).toEqual([
    0, 2, 2, 4, 8, 12, 12,
  ]);
});

test('a request that was served before the last answer, or in another region, shows nothing', () => {
  const widths = new Widths({ concurrency: 64 });
  const before = performance.now() - 1;
  const key = widths.for('key', 'eu');
  expect([1, 2, 3, 4, 5].map(() => widths.answered(key))).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
  expect([widths.served('eu', before), widths.served('us', later), key.width]).toEqual([
    false,
    false,
    0,
  ]);
  expect(widths.served('eu', later)).toBe(true);
});

test('another region and a similar kind begin with one, beside ordinary requests', () => {
  const widths = new Widths({ concurrency: 64 });
  const place = widths.for('place', 'eu');
  proven(widths, 4);
  expect([place.width, widths.for('key', 'us').width, widths.for('body', 'eu').width]).toEqual([
    1, 1, 0,
  ]);
});

test('after harm, each kind that was sent runs alone for the rest of the run', () => {
  const widths = new Widths({ concurrency: 64 });
  proven(widths, 4);
  widths.harmed();
  expect([proven(widths, 64), widths.for('place', 'us').width]).toEqual([0, 0]);
  expect(widths.for('key', 'us').isNext).toBe(false);
  expect(widths.for('body', 'eu').isNext).toBe(true);
});

test('a body that may end the gateway always runs alone, and counts among the bad bodies', () => {
  const widths = new Widths({ concurrency: 64 });
  const alone = widths.for('alone', 'eu');
  for (let n = 0; n < 4; n++) widths.answered(alone);
  widths.served('eu', later);
  expect([alone.width, widths.for('body', 'eu').width]).toEqual([0, 2]);
});

test('a flight knows whether a hostile request was in flight at the same time', () => {
  const widths = new Widths({ concurrency: 64 });
  const first = widths.begin(null);
  const second = widths.begin(null);
  widths.end(first);
  const hostile = widths.begin(widths.for('key', 'eu'));
  widths.end(hostile);
  const third = widths.begin(null);
  expect([first, second, hostile, third].map((one) => one.isBesideHostile)).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
