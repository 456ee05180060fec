import { expect, test } from 'vitest';
import type { CheckVerdict, Exchange, HeaderLines } from '../core/index.ts';
import { idFrom } from '../core/testing.ts';
import { withDivision } from './dividing.ts';
import { answered } from './testing.ts';

interface Planned {
  /** Milliseconds since the start of the run. */
  readonly made: number;
  readonly lookedUp: number;
  readonly region?: string;
  readonly isServed: boolean;
  readonly headers?: HeaderLines;
}

/** Returns the creation and the lookup of each response. */
function exchangesOf(plans: readonly Planned[]): readonly Exchange[] {
  return plans.flatMap(({ made, lookedUp, region = 'eu', isServed, headers = [] }, n) => {
    const id = `resp_${n}`;
    const body = JSON.stringify({ id, object: 'response', status: 'completed', output: [] });
    const about = { protocol: 'responses', region, key: 'owner' } as const;
    const created = answered(body, {
      id: idFrom(`made#${n}/0`),
      about: { ...about, operation: 'responses.create' },
      request: {
        ...{ method: 'POST', url: 'http://here/v1/responses', headers: [] },
        body: Buffer.from(JSON.stringify({ model: 'm', store: true })),
      },
      times: { started: made, headers: made, ended: made },
    });
    const answer = isServed
      ? answered(body)
      : answered(JSON.stringify({ error: { message: 'not found', type: 'x' } }));
    const lookup: Exchange = {
      ...answer,
      id: idFrom(`looked-up#${n}/0`),
      about: { ...about, operation: 'responses.lookup' },
      request: { method: 'GET', url: `http://here/v1/responses/${id}`, headers: [], body: null },
      response: answer.response && {
        ...answer.response,
        status: isServed ? 200 : 404,
        headers: [...answer.response.headers, ...headers],
      },
      times: { started: lookedUp, headers: lookedUp, ended: lookedUp },
    };
    return [created, lookup];
  });
}

/** Returns what a check that fails at the last refused lookup says. */
function saidOf(plans: readonly Planned[]): string {
  const place = plans.findLastIndex(({ isServed }) => !isServed);
  const evidence = {
    exchange: `looked-up#${place}/0`,
    ...{ request: '', outcome: '404', received: '', curl: '' },
  };
  const failed = { state: 'fail', expected: 'served', actual: '404', evidence } as CheckVerdict;
  const told = withDivision(new Map([['a/b.c', failed]]), exchangesOf(plans), 0).get('a/b.c');
  return told?.state === 'fail' ? told.actual : '';
}

const served = (made: number, lookedUp: number): Planned => ({ made, lookedUp, isServed: true });
const refused = (made: number, lookedUp: number): Planned => ({ made, lookedUp, isServed: false });

test('a store that forgets after a time is called that', () => {
  const plans = [
    ...[served(0, 1_000), served(100, 7_000), served(200, 5_000)],
    ...[refused(300, 8_500), refused(400, 9_000), refused(500, 9_600)],
  ];
  expect(saidOf(plans)).toContain('the lookups of responses after 8.2 s or more are refused');
});

test('a store that keeps some alone is called that', () => {
  const plans = [
    ...[refused(0, 900), refused(100, 901), refused(200, 902)],
    ...[served(300, 2_000), served(400, 2_001), served(500, 2_002)],
  ];
  expect(saidOf(plans)).toContain('of responses behind which 3 or more were stored');
});

test('a region, and a node that its header names, are told', () => {
  const plans = [served(0, 500), refused(1, 400), served(2, 300), refused(3, 600)];
  const all = [...plans, ...plans].map((plan, n) => ({ ...plan, made: n, lookedUp: 900 - n }));
  const inRegions = all.map((plan) => ({ ...plan, region: plan.isServed ? 'eu' : 'us' }));
  expect(saidOf(inRegions)).toContain('of responses of region us are refused');
  const onNodes = all.map((plan): Planned => {
    return { ...plan, headers: [['X-Node', plan.isServed ? 'a' : 'b']] };
  });
  expect(saidOf(onNodes)).toContain('answered with x-node: b are refused');
});

test('nothing is told where nothing divides them, or of a few', () => {
  const mixed = [served(0, 500), refused(10, 400), served(20, 900), refused(30, 300)];
  expect(saidOf([...mixed, served(40, 450), refused(50, 800)])).toBe('');
  expect(saidOf([served(0, 1), refused(2, 3)])).toBe('');
});
