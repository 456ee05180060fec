import { expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import { idFrom } from '../../core/testing.ts';
import { answered, targetAt } from '../testing.ts';
import { lossOfService } from './loss-of-service.ts';

const target = targetAt('http://gateway');

let clock = 0;

function exchange(key: string, status: number, message = 'no JSON'): Exchange {
  clock++;
  const own = answered(status < 400 ? '{}' : JSON.stringify({ error: { message } }));
  return {
    ...own,
    id: idFrom(`${key}#main/${clock}`),
    about: { ...own.about, region: target.regions[0]?.name ?? '' },
    response: own.response === null ? null : { ...own.response, status },
    times: { started: clock, headers: clock, ended: clock },
  };
}

/** Refusals in these words; after those that lock out, a sentinel is refused, and then served. */
function run(refusals: readonly (readonly [words: string, locks: boolean])[]) {
  clock = 0;
  const exchanges: Exchange[] = [];
  const sentinels: Exchange[] = [];
  for (const [words, locks] of refusals) {
    exchanges.push(exchange('a', 400, words));
    if (locks) sentinels.push(exchange('sentinel/eu/owner', 503, 'in cooldown'));
    sentinels.push(exchange('sentinel/eu/owner', 200));
  }
  return { target, exchanges, sentinels };
}

const locks = ['no JSON', true] as const;
const passes = ['no JSON', false] as const;
const another = ['no model', false] as const;

test('a lockout after each request of a kind takes the service', () => {
  expect(lossOfService(run([another, locks, another, locks, another, locks]))).toMatchObject({
    actual: expect.stringMatching(/^after 3 of 3 such requests everybody was locked out at once: /),
  });
});

test('a lockout after many requests of a kind is a defence', () => {
  expect(lossOfService(run([passes, passes, locks, passes, locks, passes, locks]))).toBeNull();
});

test('two lockouts may have come by chance', () => {
  expect(lossOfService(run([locks, another, locks]))).toBeNull();
});

test('a gateway that ends once more at the only request under way takes the service', () => {
  const before = exchange('before', 200);
  const failure = { kind: 'ended', message: 'it ended' } as const;
  const once = { ...exchange('end', 400), response: null, failure };
  // A restart may meet any request.
  expect(lossOfService({ target, exchanges: [before, once] })).toBeNull();
  const again = { ...exchange('asked-again/free-alone', 400), response: null, failure };
  expect(lossOfService({ target, exchanges: [before, once, again] })?.exchange).toEqual(again);
});
