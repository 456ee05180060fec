import { describe, expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { idFrom } from '../core/testing.ts';
import type { CheckVerdict, Evidence } from '../core/verdict.ts';
import { joined, unlessMissing, unlessServed } from './regions.ts';
import { answered } from './testing.ts';

const evidence = (outcome: string): Evidence => ({
  exchange: 't/one@us#main/0',
  request: 'GET /v1/models',
  outcome,
  received: outcome,
  curl: 'curl',
});
const pass: CheckVerdict = { state: 'pass' };
const failed = (actual: string, outcome = '200'): CheckVerdict => ({
  state: 'fail',
  expected: 'a refusal',
  actual,
  evidence: evidence(outcome),
});
const open: CheckVerdict = {
  state: 'inconclusive',
  cause: 'control',
  reason: 'the control was refused',
  evidence: null,
};
const lacking: CheckVerdict = { state: 'not-applicable', reason: 'no model' };

function of(eu: CheckVerdict, us: CheckVerdict, ap?: CheckVerdict): CheckVerdict {
  const regions = Object.entries({ eu, us, ...(ap === undefined ? {} : { ap }) });
  return joined(regions.map(([region, verdict]) => ({ region, verdict })));
}

describe('what regions come to together', () => {
  test('is the worst, and names where it is so', () => {
    expect(of(pass, pass)).toEqual({ ...pass, points: { judged: 2, broken: 0 } });
    expect(of(pass, failed('200'))).toMatchObject({ actual: 'in region us: 200' });
    expect(of(failed('200'), pass)).toMatchObject({ actual: 'in region eu: 200' });
    expect(of(open, failed('200'), failed('201'))).toMatchObject({
      state: 'fail',
      actual: 'in regions us, ap: 200',
    });
    expect(of(pass, open)).toMatchObject({ reason: 'in region us: the control was refused' });
  });

  test('names no region of an error, which is our own', () => {
    const error = { state: 'error', reason: 'the recording is stale' } as const;
    expect(of(error, pass)).toEqual(error);
  });

  test('names no region where all are alike', () => {
    expect(of(failed('200'), failed('201'))).toEqual({
      ...failed('200'),
      points: { judged: 2, broken: 2 },
    });
  });

  test('is what holds where it applies', () => {
    const once = { ...pass, points: { judged: 1, broken: 0 } };
    expect(of(pass, lacking)).toEqual(once);
    expect(of(lacking, pass)).toEqual(once);
    expect(of(lacking, lacking)).toEqual(lacking);
  });
});

test('of a region without the models only what it serves against the rules counts', () => {
  const states = [pass, failed('404', '404'), open].map((one) => unlessServed(one).state);
  expect(states).toEqual(['not-applicable', 'not-applicable', 'not-applicable']);
  const busy: CheckVerdict = { ...open, cause: 'rate-limit' };
  for (const kept of [failed('200'), busy, { state: 'error', reason: 'broken' } as const]) {
    expect(unlessServed(kept)).toEqual(kept);
  }
});

describe('of a good request that found nothing in a further region', () => {
  const asked = (
    url: string,
    status: number,
    { region = 'us', operation = 'generative.count-tokens' } = {},
  ): Exchange => {
    const one = answered('{"totalTokens":1}', { id: idFrom(`t/${url}#main/0`) });
    return {
      ...one,
      about: { ...one.about, operation, protocol: 'generative', region },
      request: { ...one.request, url },
      response: one.response && { ...one.response, status },
    };
  };
  const to = (model: string, path = 'v1beta') =>
    `http://us.test/${path}/models/${model}:countTokens`;
  const missing = (outcome: string): CheckVerdict => ({
    ...open,
    evidence: { ...evidence(outcome), exchange: `t/${to('one')}#main/0` },
  });
  const lets = async (verdict: CheckVerdict, ...others: Exchange[]): Promise<boolean> => {
    const exchanges = [asked(to('one'), 404), ...others];
    return (await unlessMissing(verdict, async () => ({ exchanges }))).state === 'not-applicable';
  };

  test('nothing is left that depends on it where the region serves nothing at its path', async () => {
    expect(await lets(missing('404'))).toBe(true);
    const elsewhere = [asked(to('two'), 404), asked(to('two', 'v1'), 200)];
    expect(await lets(missing('404'), ...elsewhere, asked(to('two'), 200, { region: 'eu' }))).toBe(
      true,
    );
  });

  test('it stays open where the region serves something there', async () => {
    expect(await lets(missing('404'), asked(to('two'), 200))).toBe(false);
  });

  test('it stays open where it may have another reason', async () => {
    const lookup = asked(to('one'), 404, { operation: 'responses.lookup' });
    const ofStored = await unlessMissing(missing('404'), async () => ({ exchanges: [lookup] }));
    expect(ofStored).toEqual(missing('404'));
    const busy: CheckVerdict = { ...open, cause: 'rate-limit', evidence: evidence('404') };
    for (const kept of [missing('400'), busy, open, failed('404', '404')]) {
      expect(await lets(kept)).toBe(false);
    }
  });
});
