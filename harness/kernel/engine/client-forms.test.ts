import { expect, onTestFinished, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { endpointNames, endpointOf } from '../protocols/endpoints.ts';
import { Recorder } from '../recordings/recorder.ts';
import { referenceTarget } from '../targets/reference.ts';
import { LiveRun } from './live-run.ts';
import { exchangesOf } from './outcome.ts';
import { checksWith } from './selection.ts';
import { Traffic } from './traffic.ts';
import { verdictsOf } from './verdicts.ts';

/** Forms in which the requests of clients differ, with the test that recognises each. */
const forms: Readonly<Record<string, (exchange: Exchange) => boolean>> = {
  'any type': (exchange) => headerOf(exchange, 'accept') === '*/*',
  'no Accept': (exchange) => headerOf(exchange, 'accept') === undefined,
  charset: (exchange) => headerOf(exchange, 'content-type')?.endsWith('; charset=utf-8') === true,
  'bearer in lower case': (exchange) =>
    headerOf(exchange, 'authorization')?.startsWith('bearer ') === true,
  'kept connection': ({ response }) => response?.over === 'kept connection',
  'HTTP/2': ({ response }) => response?.over === 'http/2',
};

function headerOf({ request }: Exchange, name: string): string | undefined {
  return request.headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

test('each endpoint is asked in each form of clients, at no further generation', async () => {
  const { target, close } = await referenceTarget({ isSecure: true });
  onTestFinished(close);
  const all = await checksWith(null);
  const traffic = new Traffic();
  const run = new LiveRun({
    target,
    seed: 1,
    runId: 'forms',
    stop: new AbortController().signal,
    traffic,
    recorder: new Recorder(null),
  });
  const verdicts = await verdictsOf(
    run,
    all.filter(({ id }) => id.startsWith('input/headers.')),
  );
  const states = [...new Set([...verdicts].map(([, { state }]) => state))];
  expect(states).toEqual(['pass']);

  const outcomes = await Promise.all(run.outcomes.values());
  const sent = outcomes.flatMap(exchangesOf);
  const seen = new Map<string, Set<string>>(endpointNames.map((name) => [name, new Set()]));
  for (const exchange of sent) {
    const region = target.regions.find(({ name }) => name === exchange.about.region);
    // The alternate path takes every action.
    const endpoint = /\/v1\/models\/[^/]+:/.test(exchange.request.url)
      ? 'alternate-path'
      : endpointOf(exchange, region?.baseUrl ?? '');
    for (const [form, isIt] of Object.entries(forms)) {
      if (endpoint !== null && isIt(exchange)) seen.get(endpoint)?.add(form);
    }
  }
  const missing = [...seen].flatMap(([endpoint, had]) =>
    Object.keys(forms)
      .filter((form) => !had.has(form) && !without[form]?.includes(endpoint))
      .map((form) => `${endpoint}: ${form}`),
  );
  expect(missing).toEqual([]);
});

const bodyless = ['models', 'catalog', 'lookup', 'input-items', 'cancel', 'delete', 'websocket'];

/** Endpoints that a form says nothing of. A WebSocket is opened by a request of its own. */
const without: Readonly<Record<string, readonly string[]>> = {
  'any type': ['websocket'],
  charset: bodyless,
  'bearer in lower case': [
    'messages',
    'messages-count-tokens',
    'generate-content',
    'stream-generate-content',
    'count-tokens',
    'alternate-path',
    'catalog',
  ],
  'kept connection': ['websocket'],
  'HTTP/2': ['websocket'],
};
