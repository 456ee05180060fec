import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import { idFrom } from '../../core/testing.ts';
import { answered, targetAt } from '../testing.ts';
import { lossOfService } from './loss-of-service.ts';
import { neverServed } from './never-served.ts';

const target = targetAt('http://gateway', { timeoutMs: 1_000 });
const row = 'storage/responses.lookup-served';

function get(key: string, operation: string, fields: Partial<Exchange> = {}): Exchange {
  const own = answered('{}', fields);
  const url = `http://gateway/v1/${operation === 'responses.lookup' ? 'responses/r' : 'models'}`;
  return {
    ...own,
    id: idFrom(`${key}#main/0`),
    about: { ...own.about, operation },
    request: { ...own.request, method: 'GET', url, body: null },
  };
}

function late(key: string): Exchange {
  const failure = { kind: 'timeout', message: 'nothing came' } as const;
  const times = { started: 0, headers: null, ended: 1_000 };
  return get(key, 'responses.lookup', { response: null, failure, times });
}

function judged(
  check: string,
  exchanges: readonly Exchange[],
  { isExpected = true, isHostile = false } = {},
): unknown {
  const [first] = exchanges;
  if (first === undefined) throw new Error('There is nothing to judge');
  return neverServed(first, { check, isExpected, isHostile, target }, exchanges);
}

const other = get('other', 'models.list');
const three = [late('a'), late('b'), late('c')];

test('what is not answered in three of three tries fails the check of its operation', () => {
  expect(judged(row, [...three, other])).toMatchObject({
    expected: 'an answer to GET /v1/responses/r in one of 3 tries',
  });
});

test('once is a time-out, and so is twice', () => {
  expect(judged(row, [...three.slice(1), other])).toBeNull();
});

test('another check is not about the operation', () => {
  expect(judged('storage/deletion.served', [...three, other])).toBeNull();
});

test('what one check alone asks for fails that check', () => {
  const again = [0, 1].map((n) => {
    const one = late('again');
    return { ...one, id: idFrom(`asked-again/free#a#main/0/${n}`) };
  });
  const refusal = 'access/capabilities.unsupported-refused:websocket';
  expect(judged(refusal, [late('a'), ...again, other])).toMatchObject({
    actual: expect.stringContaining('none of them came to one'),
  });
});

test('nothing is blamed where a try was served, or held back by load', () => {
  const served = get('d', 'responses.lookup');
  expect(judged(row, [...three, served, other])).toBeNull();
  const busy = answered('{"error":{"message":"Try again later."}}').response;
  const held = get('d', 'responses.lookup', {
    response: busy === null ? null : { ...busy, status: 503 },
  });
  expect(judged(row, [...three, held, other])).toBeNull();
});

test('a gateway that answers nobody meanwhile was out', () => {
  expect(judged(row, three)).toBeNull();
});

test('a gateway that takes about as long for others is slow', () => {
  const slow = get('slow', 'models.list', { times: { started: 0, headers: 800, ended: 800 } });
  expect(judged(row, [...three, other, slow])).toBeNull();
});

describe('a gateway that ended at a request that was under way alone, once', () => {
  const before = get('before', 'models.list', { times: { started: 0, headers: 5, ended: 5 } });
  const times = { started: 10, headers: null, ended: 20 };
  const failure = { kind: 'ended', message: 'nobody listens' } as const;
  const end = get('end', 'models.get', { response: null, failure, times });

  test('is blamed where that was hostile', () => {
    expect(judged(row, [end, before], { isHostile: true })).toMatchObject({
      actual: expect.stringContaining('the gateway ended at it, when nothing else was under way'),
    });
  });

  test('is not blamed where that was ordinary: it was alone by chance', () => {
    expect(judged(row, [end, before])).toBeNull();
  });

  test('is not blamed where it had begun to answer', () => {
    const { response } = before;
    const begun = { ...end, response };
    expect(judged(row, [begun, before], { isHostile: true })).toBeNull();
  });

  test('is blamed where it ended once more, whatever it was', () => {
    const again = { ...end, id: idFrom('asked-again/free-alone#end#main/0/0') };
    expect(judged(row, [again, before])).not.toBeNull();
  });
});

describe('a gateway that ended several times', () => {
  const failure = { kind: 'ended', message: 'nobody listens' } as const;
  const at = (key: string, operation: string, started: number): Exchange =>
    get(key, operation, {
      response: null,
      failure,
      times: { started, headers: null, ended: started + 10 },
    });
  const ends = [0, 100, 200].flatMap((started, n) => [
    at(`${n}`, 'responses.lookup', started),
    at(`beside ${n}`, n === 1 ? 'responses.input-items' : 'models.catalog', started + 5),
  ]);

  test('fails the operation that was under way each time, and was never answered', () => {
    expect(judged(row, [...ends, other])).toMatchObject({
      actual: expect.stringContaining('ended 3 times, each time with such a request under way'),
    });
  });

  test('fails no operation that was not under way each time', () => {
    expect(judged('models/catalog.served', [...ends, other])).toBeNull();
  });

  test('fails none that was served at another time, or that it ended at only twice', () => {
    expect(judged(row, [...ends, get('d', 'responses.lookup'), other])).toBeNull();
    expect(judged(row, [...ends.slice(2), other])).toBeNull();
  });

  test('takes for one end what is broken by one', () => {
    const once = [0, 2, 4].map((started, n) => at(`${n}`, 'responses.lookup', started));
    expect(judged(row, [...once, other])).toBeNull();
  });
});

describe('a connection that breaks at each attempt of one request', () => {
  const failure = { kind: 'reset', message: 'it broke' } as const;
  const broken = (key: string, n: number): Exchange => ({
    ...get(key, 'models.catalog', { response: null, failure }),
    id: { ...idFrom(`${key}#main/0`), attempt: n },
  });
  const twice = [broken('a', 1), broken('a', 2)];
  const check = 'input/requests.malformed-json:models';

  test('fails where others are answered, and no other connection breaks', () => {
    expect(judged(check, [...twice, other])).toMatchObject({
      actual: expect.stringMatching(
        /^the gateway broke the connection at each of 2 attempts, while 1 /,
      ),
    });
  });

  test('says nothing where it broke once, or nobody was answered', () => {
    expect(judged(check, [broken('a', 1), other])).toBeNull();
    expect(judged(check, twice)).toBeNull();
  });

  test('says nothing where as many break by chance', () => {
    // Every second connection breaks, and the next attempt is answered.
    const recovered = Array.from({ length: 20 }, (_, n) => [
      broken(`b${n}`, 1),
      { ...get(`b${n}`, 'models.list'), id: idFrom(`b${n}#main/0+connection.2`) },
    ]).flat();
    expect(judged(check, [...twice, ...recovered])).toBeNull();
  });
});

let clock = 0;

function timed(key: string, status: number, message = 'no JSON'): Exchange {
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
    exchanges.push(timed('a', 400, words));
    if (locks) sentinels.push(timed('sentinel/eu/owner', 503, 'in cooldown'));
    sentinels.push(timed('sentinel/eu/owner', 200));
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
  const before = timed('before', 200);
  const failure = { kind: 'ended', message: 'it ended' } as const;
  const once = { ...timed('end', 400), response: null, failure };
  // A restart may meet any request.
  expect(lossOfService({ target, exchanges: [before, once] })).toBeNull();
  const again = { ...timed('asked-again/free-alone', 400), response: null, failure };
  expect(lossOfService({ target, exchanges: [before, once, again] })?.exchange).toEqual(again);
});
