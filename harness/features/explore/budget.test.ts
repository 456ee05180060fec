import { expect, test } from 'vitest';
import { Budget } from './budget.ts';

test('what is set aside is not there for others, and what was not needed is again', () => {
  const spent = { generations: 0, requests: 0 };
  const budget = new Budget({ generations: 10, requests: 100 }, () => spent);
  const one = budget.reserve({ generations: 6, requests: 20 });
  const share = budget.reserve({ generations: 4, requests: 50 });
  expect(budget.left).toEqual({ generations: 0, requests: 30 });
  expect(budget.reserve({ generations: 1, requests: 1 })).toBeNull();
  spent.generations += 2;
  if (one === null || share === null) throw new Error('there was enough');
  budget.release(one);
  expect(budget.left).toEqual({ generations: 4, requests: 50 });
  // Out of a share no more can be taken than is in it.
  const part = budget.reserve({ generations: 3, requests: 10 }, share);
  expect(budget.reserve({ generations: 2, requests: 1 }, share)).toBeNull();
  expect(budget.left).toEqual({ generations: 4, requests: 50 });
  if (part !== null) budget.release(part);
  budget.release(share);
  expect(budget.left).toEqual({ generations: 8, requests: 100 });
});
