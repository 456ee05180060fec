import { expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import { type Scenario, scenario } from '../scenario.ts';
import { answered } from '../testing.ts';
import { OpenRuns } from './open-runs.ts';

const cost = { requests: 1, generations: 0 };
const named = (name: string, after: Record<string, Scenario> = {}): Scenario =>
  scenario(name, { after, cost }, async () => undefined);

const begins = named('begins');
const acts = named('acts', { begins });
const other = named('other');

const asked = { method: 'POST', url: 'http://here/v1/responses', headers: [] } as const;

/** The events of a stream that was asked for with this body. */
function streamed(body: object, ...events: readonly object[]): Exchange {
  const data = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const exchange = answered(data, {
    request: { ...asked, body: Buffer.from(JSON.stringify(body)) },
  });
  const headers = [['Content-Type', 'text/event-stream']] as const;
  return { ...exchange, response: exchange.response && { ...exchange.response, headers } };
}

const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } };
const completed = { type: 'response.completed', response: { id: 'resp_1', status: 'completed' } };

test.each<[string, Exchange]>([
  ['a body', answered('{"id":"resp_1","status":"queued"}')],
  ['a stream that was cut', streamed({ background: true }, created)],
])('a run that %s begins concerns who began it, and who comes after', (_, exchange) => {
  const runs = new OpenRuns();
  runs.saw(begins, exchange);
  expect([begins, acts, other].map((one) => runs.concern(one))).toEqual([true, true, false]);
});

test.each<[string, Exchange]>([
  ['an answer with another status', answered('{"id":"resp_1","status":"cancelled"}')],
  ['its deletion', answered('{"id":"resp_1","deleted":true}')],
  ['the end of its events', streamed({}, created, completed)],
])('it is over with %s', (_, exchange) => {
  const runs = new OpenRuns();
  runs.saw(begins, answered('{"id":"resp_1","status":"in_progress"}'));
  runs.saw(other, answered('{"id":"resp_2","status":"completed"}'));
  runs.saw(other, answered('{"error":{"message":"No."}}'));
  expect(runs.concern(acts)).toBe(true);
  runs.saw(other, exchange);
  expect(runs.concern(acts)).toBe(false);
});

test('a stream in the foreground ends with its connection, and no run goes on behind it', () => {
  const runs = new OpenRuns();
  runs.saw(begins, streamed({}, created));
  expect(runs.concern(begins)).toBe(false);
});
