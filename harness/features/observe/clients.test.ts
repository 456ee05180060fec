import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exchange } from '../../kernel/core/exchange.ts';
import { covers } from '../../kernel/core/index.ts';
import type { RunResult } from '../../kernel/core/result.ts';
import { suiteChecks } from '../../kernel/engine/registry.ts';
import { describeReference } from '../../kernel/targets/reference.ts';
import { trust } from '../../kernel/wire/connection.ts';
import type { Fault } from '../../proof/faults/fault.ts';
import { faults } from '../../proof/faults/index.ts';
import { type Defect, startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { judgingOf, Observation } from './observation.ts';
import { lookThrough, observeHar, targetOf } from './observe-har.ts';
import { startProxy } from './proxy.ts';
import { harOf, ordinaryTraffic } from './testing.ts';

interface Observed {
  readonly result: RunResult;
  readonly exchanges: readonly Exchange[];
  /** Requests that the gateway has received. */
  readonly requests: number;
}

/** Ordinary programs use a gateway, and a proxy observes them. */
async function observed(defect?: Defect, isSecure = false): Promise<Observed> {
  const gateway = await startReference({
    regions: ['eu'],
    tokenMs: 1,
    isSecure,
    ...(defect === undefined ? {} : { defect }),
  });
  const target = describeReference(gateway, undefined);
  const baseUrl = gateway.regions[0]?.baseUrl ?? '';
  if (gateway.certificate !== null) trust(baseUrl, gateway.certificate);
  const observation = await Observation.of({ target, source: 'proxy' });
  const exchanges: Exchange[] = [];
  const proxy = await startProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    seen(exchange) {
      if (exchange === null) return;
      exchanges.push(exchange);
      observation.add(exchange);
    },
    say: expect.unreachable,
  });
  await ordinaryTraffic(proxy.addresses[0]?.url ?? '', gateway.keys.owner);
  await observation.look();
  await proxy.close();
  const requests = gateway.requestCount();
  await gateway.close();
  return { result: await observation.end(), exchanges, requests };
}

async function inHar(exchanges: readonly Exchange[]): Promise<RunResult> {
  const path = join(temporaryFolder(), 'seen.har');
  writeFileSync(path, harOf(exchanges));
  const contents = await lookThrough(path);
  const observation = await Observation.of({ target: targetOf(contents), source: 'HAR' });
  const { judged } = await observeHar(contents, targetOf(contents), observation);
  expect([contents.problems, judged]).toEqual([[], exchanges.length]);
  return observation.end();
}

const red = ({ checks }: RunResult): readonly string[] =>
  checks
    .filter(({ verdict }) => ['fail', 'warn', 'error', 'inconclusive'].includes(verdict.state))
    .map(({ id }) => id);

test('official clients and a right gateway: nothing is wrong, seen by a proxy or in a HAR', async () => {
  const { result, exchanges, requests } = await observed();
  expect(red(result)).toEqual([]);
  expect(result.verdict).toBe('partial');
  expect(result.counts.pass).toBeGreaterThan(150);
  // Each request went on once, and none was added.
  expect(exchanges).toHaveLength(requests);
  const offline = await inHar(exchanges);
  expect(red(offline)).toEqual([]);
  // A HAR lacks some facts, so some checks cannot be judged; all others are judged alike.
  const states = new Map(offline.checks.map(({ id, verdict }) => [id, verdict.state]));
  const differing = result.checks.filter(({ id, verdict }) => states.get(id) !== verdict.state);
  const areas = new Set(differing.map(({ requirement }) => requirement));
  expect([...areas].sort()).toEqual([
    // The keys of the HAR were masked by the proxy before.
    'access/credentials.key-not-echoed',
    'client/requests.credential-header',
    'client/requests.credential-on-counts',
    'client/retries.lookup-before-resend',
    'client/retries.none-when-uncertain',
    'everywhere/answers.message-ends',
    'everywhere/answers.utf-8',
    'everywhere/answers.whole-letters',
    'everywhere/content.not-for-shared-caches',
  ]);
});

test('a gateway behind TLS is seen alike', async () => {
  const { result, exchanges, requests } = await observed(undefined, true);
  expect(red(result)).toEqual([]);
  expect(result.counts.pass).toBeGreaterThan(150);
  expect(exchanges).toHaveLength(requests);
});

const planted = [
  'auth.key-in-header',
  'responses-body.no-status',
  'responses-stream.delta-lost',
  'responses-stream.two-terminals',
  'chat-completions-stream.no-done',
  'chat-completions.wrong-object',
  'messages-stream.blocks-overlap',
  'messages.foreign-stop-reason',
  'generative-stream.done',
  'generative.no-role',
  'metering.input-uncounted-on-messages',
  'store.input-items-are-the-output',
  'websocket.done-item-missing',
  'models.bare-ids',
  'native.text-plain-responses',
  'errors.console-style-messages-unknown-model',
];

test.for(planted)('a gateway with %s is seen to be wrong, in the same rows', async (id) => {
  const fault = faults.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  const { result } = await observed(fault);
  const found = red(result);
  expect(found).toEqual(expect.arrayContaining([...(await observableOf(fault))]));
  expect(result.checks.filter(({ verdict }) => verdict.state === 'error')).toEqual([]);
});

test('a fault is seen in a HAR, too', async () => {
  const fault = faults.find((one) => one.id === 'responses-stream.two-terminals');
  const { result, exchanges } = await observed(fault);
  expect(red(await inHar(exchanges))).toEqual(red(result));
});

/** The checks that a fault breaks, of those that can be judged without a run. */
async function observableOf({ breaks }: Fault): Promise<readonly string[]> {
  const checks = (await suiteChecks()).filter((check) => judgingOf(check, 'proxy') !== null);
  const broken = checks.filter(({ id }) => covers(breaks, id));
  expect(broken.length).toBeGreaterThan(0);
  return broken.map(({ id }) => id);
}
