import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { isSentinel } from '../engine/guard.ts';
import type { Plan } from '../engine/plan.ts';
import { readRecording } from '../engine/recordings/recording.ts';
import { generationsIn } from '../protocols/generations.ts';
import { call } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const limits = ['max_output_tokens', 'max_completion_tokens', 'max_tokens', 'maxOutputTokens'];

/** The output limits that a request, or the turns of a WebSocket, set; null for one without. */
function limitsIn({ request, socket }: Exchange): (number | null)[] {
  const turns = socket?.frames.filter(({ from, kind }) => from === 'us' && kind === 'text');
  const bodies = turns?.map(({ data }) => data) ?? [request.body ?? new Uint8Array()];
  return bodies.flatMap((bytes) => {
    const body = objectIn(bytes);
    if (body === null || (turns !== undefined && body.type !== 'response.create')) return [];
    const config = body.generationConfig ?? body.generation_config;
    const members: object = { ...body, ...Object(config) };
    const [limit] = limits.map((name) => Reflect.get(members, name)).filter(Number.isFinite);
    return [limit ?? null];
  });
}

function objectIn(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return Object(value) === value ? { ...Object(value) } : null;
  } catch {
    return null;
  }
}

test('a run asks for no more than the plan says: requests, generations, output', {
  timeout: 120_000,
}, async () => {
  const record = join(folder, 'run.jsonl');
  expect(await call(`run --quiet --record ${record}`)).toMatchObject({ code: 0 });
  const plan: Plan = JSON.parse((await call('plan --json')).out);
  const planned = new Map(
    plan.checks.flatMap(({ scenarios }) => scenarios.map((one) => [one.name, one] as const)),
  );
  const asked = new Map<string, (number | null)[]>();
  const sent = new Map<string, { requests: number; generations: number }>();
  const { exchanges } = readRecording(record);
  // What waits until something shows is announced for the run, and what finds a lockout is free.
  const waiting = exchanges.filter(({ key }) => key.includes('~/'));
  expect(waiting.length).toBeLessThanOrEqual(plan.waitingRequests);
  expect(exchanges.length).toBeLessThanOrEqual(plan.requests + plan.waitingRequests);
  for (const exchange of exchanges) {
    if (waiting.includes(exchange) || isSentinel(exchange)) continue;
    const [name = ''] = exchange.key.split('#');
    const { requests, generations } = sent.get(name) ?? { requests: 0, generations: 0 };
    const generated = generationsIn(exchange);
    sent.set(name, { requests: requests + 1, generations: generations + generated });
    if (generated === 0) continue;
    asked.set(name, [...(asked.get(name) ?? []), ...limitsIn(exchange)]);
  }
  expect(asked.size).toBeGreaterThan(50);
  const over = [...asked].filter(([name, all]) => {
    const most = planned.get(name)?.outputTokens ?? null;
    if (most === null) return false;
    return all.includes(null) || all.reduce((sum: number, one) => sum + (one ?? 0), 0) > most;
  });
  expect(over).toEqual([]);
  expect(
    [...sent].filter(([name, { requests, generations }]) => {
      const most = planned.get(name);
      return !most || requests > most.requests || generations > most.generations;
    }),
  ).toEqual([]);
  expect(plan.outputTokens).toBeGreaterThan(1_000);
  expect(plan.unlimitedGenerations).toBeGreaterThan(0);
});
