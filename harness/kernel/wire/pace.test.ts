import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

const reasons = { by: 'requests-per-second', learnedBy: 'rate-limit', patienceMs: 5_000 } as const;

function pace(perSecond: number | null): Pace {
  return new Pace({ perSecond, ...reasons });
}

test('no faster than it was told', () => {
  const told = pace(20);
  expect(told.heldUntil(0)).toBeNull();
  told.started(0);
  expect(told.heldUntil(10)).toEqual({ until: 50, by: 'requests-per-second' });
  expect(told.heldUntil(50)).toBeNull();
});

test('who is put off waits, and then asks for a little less than was taken on average', () => {
  const learning = pace(null);
  for (let at = 0; at < 10; at++) {
    learning.started(at);
    learning.took();
  }
  learning.started(10);
  learning.putOff(10, 9.5, 990);
  // The gateway had put off nothing when this request was sent.
  learning.putOff(20, 9.7, 4_000);
  expect(learning.heldUntil(900)).toEqual({ until: 1_000, by: 'rate-limit' });
  expect(learning.heldUntil(1_000)).toBeNull();
  learning.started(1_000);
  expect(learning.heldUntil(1_050)?.until).toBeCloseTo(1_000 + 100 / 0.9);
});

test('a pace that was learned grows while nothing is put off, unless it is to stay', () => {
  const spacings = [false, true].map((stays) => {
    const learning = pace(null);
    learning.started(0);
    learning.took();
    learning.putOff(0, 0, 1_000);
    if (stays) learning.stopGrowing();
    for (const at of [12_000, 24_000]) learning.started(at);
    return (learning.heldUntil(24_001)?.until ?? 0) - 24_000;
  });
  expect(spacings[0]).toBeLessThan((spacings[1] ?? 0) * 0.95);
});

test('nobody is waited for any longer than the patience lasts', () => {
  const patient = pace(null);
  patient.started(0);
  patient.took();
  patient.putOff(0, 0, 60_000);
  expect(patient.heldUntil(1)?.until).toBe(5_000);
  patient.putOff(5_001, 5_000, 60_000);
  expect(patient.heldUntil(6_000)?.until ?? 0).toBeLessThan(7_000);
});

test('who says nothing and has never taken anything is not waited for', () => {
  const never = pace(null);
  never.started(0);
  never.putOff(1, 0, null);
  expect(never.heldUntil(2)).toBeNull();
});

test('a rate that may grow doubles with each step of quiet answers, up to its bound', () => {
  const growing = new Pace({ perSecond: 20, mostPerSecond: 70, step: 3, ...reasons });
  const spacing = (): number => {
    growing.started(0);
    return growing.heldUntil(0)?.until ?? 0;
  };
  const seen = [];
  for (let n = 0; n < 10; n++) {
    seen.push(Math.round(1_000 / spacing()));
    growing.took();
  }
  expect(seen).toEqual([20, 20, 20, 40, 40, 40, 70, 70, 70, 70]);
  growing.strained();
  for (let n = 0; n < 10; n++) growing.took();
  expect(spacing()).toBe(50);
});
