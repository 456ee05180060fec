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
  const difference = { kind: 'unserved', actual: '404' };
  const of = { expected: 'served', actual: '404', evidence, difference };
  const failed = { state: 'fail', ...of } as CheckVerdict;
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

/** Returns a generation, and what the ledger shows of it. */
function charged(n: number, isStream: boolean, isRecorded: boolean): readonly Exchange[] {
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'yes' }] }];
  const made = answered(JSON.stringify({ id: `resp_${n}`, object: 'response', output }), {
    id: idFrom(`made#${n}/0`),
    request: {
      ...{ method: 'POST', url: 'http://here/v1/responses' },
      headers: [['X-Client-Request-Id', `r${n}`]],
      body: Buffer.from(JSON.stringify({ stream: isStream })),
    },
  });
  const records = isRecorded ? [{ client_request_id: `r${n}`, charge: 1 }] : [];
  const asked = answered(JSON.stringify({ records }), {
    about: { operation: 'probes.ledger', protocol: 'probe', region: 'here', key: 'none' },
    request: { ...made.request, url: `http://here/ledger?client_request_id=r${n}`, body: null },
  });
  return [made, asked];
}

/** Returns what a check says that is broken at an exchange. */
function saidBy(
  check: string,
  place: string,
  kind: 'part' | 'unrefused',
  exchanges: readonly Exchange[],
): string {
  const evidence = { exchange: place, request: '', outcome: '', received: '', curl: '' };
  const difference = { kind, actual: 'wrong' };
  const failed: CheckVerdict = {
    state: 'fail',
    ...{ expected: 'good', actual: 'wrong', evidence, difference },
  };
  const told = withDivision(new Map([[check, failed]]), exchanges, 0).get(check);
  return told?.state === 'fail' ? told.actual : '';
}

test('generations without a record are named, to the checks of the ledger alone', () => {
  const all = [0, 1, 2, 3, 4, 5].flatMap((n) => charged(n, n < 3, n >= 3));
  const said = saidBy('metering/ledger.kept-after-deletion:ended', 'made#1/0', 'part', all);
  expect(said).toContain('the generations that came as streams have no record in the ledger');
  expect(saidBy('generation/responses.shape', 'made#1/0', 'part', all)).toBe('');
});

test('a cache that answers by the URL alone is called that', () => {
  const read = (n: number, key: 'owner' | 'otherUser', at: number, isServed: boolean): Exchange => {
    const body = isServed
      ? { id: `resp_${n}`, object: 'response', status: 'completed', output: [] }
      : { error: { message: 'not found', type: 'x' } };
    const { response, ...rest } = answered(JSON.stringify(body), {
      id: idFrom(`read#${n}/${at}`),
      about: { operation: 'responses.lookup', protocol: 'responses', region: 'here', key },
      request: {
        ...{ method: 'GET', url: `http://here/v1/responses/resp_${n}`, headers: [], body: null },
      },
      times: { started: at, headers: at, ended: at },
    });
    return { ...rest, response: response && { ...response, status: isServed ? 200 : 404 } };
  };
  const all = [0, 1, 2, 3, 4, 5].flatMap((n) =>
    n < 3
      ? [read(n, 'owner', 1, true), read(n, 'otherUser', 2, true)]
      : [read(n, 'otherUser', 2, false)],
  );
  const points = [0, 1, 2].map((n) => `read#${n}/2`);
  const evidence = { request: '', outcome: '', received: '', curl: '' };
  const verdicts = new Map(
    points.map((exchange): [string, CheckVerdict] => [
      `access/owners.other-user-denied:${exchange}`,
      {
        ...{ state: 'fail', expected: 'denied', actual: '200' },
        evidence: { ...evidence, exchange },
        difference: { kind: 'unrefused', actual: '200' },
      },
    ]),
  );
  const told = [...withDivision(verdicts, all, 0).values()];
  expect(told).toHaveLength(3);
  expect(JSON.stringify(told)).toContain('whose URL was served to the first who asked');
});

test('nothing is told where nothing divides them, or of a few', () => {
  const mixed = [served(0, 500), refused(10, 400), served(20, 900), refused(30, 300)];
  expect(saidOf([...mixed, served(40, 450), refused(50, 800)])).toBe('');
  expect(saidOf([served(0, 1), refused(2, 3)])).toBe('');
});
