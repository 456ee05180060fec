import { expect, test } from 'vitest';
import { run } from '../../kernel/engine/run.ts';
import { referenceTarget } from '../../kernel/targets/reference.ts';
import { Observation } from './observation.ts';
import { startProxy } from './proxy.ts';

// Our own client does what no ordinary one does: it leaves in the middle of requests and answers, and looks at
// every byte of what comes.

test('a run through the proxy comes to what it comes to without', {
  timeout: 120_000,
}, async () => {
  const { target, close } = await referenceTarget();
  const observation = await Observation.of({ target, source: 'proxy' });
  const proxy = await startProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    seen: (exchange) => exchange !== null && observation.add(exchange),
    say: expect.unreachable,
  });
  const regions = proxy.addresses.map(({ region, url }) => ({ name: region, baseUrl: url }));
  const filters = ['websocket/', 'interruption/'];
  const result = await run({ target: { ...target, regions }, seed: 1, filters });
  await proxy.close();
  const observed = await observation.end();
  await close();
  const red = ['fail', 'warn', 'error', 'inconclusive'];
  for (const { checks } of [result, { checks: observed.checks.filter(isOfGateway) }]) {
    const found = checks.filter(({ verdict }) => red.includes(verdict.state));
    expect(found.map(({ id, verdict }) => [id, verdict])).toEqual([]);
  }
  // An answer that the client leaves early is not blamed on the gateway, nor is anything else of its requests.
  expect(observed.counts.pass).toBeGreaterThan(80);
});

/** Rows about clients do not apply, because the run itself sends malformed requests. */
function isOfGateway({ suite }: { readonly suite: string }): boolean {
  return suite !== 'client';
}
