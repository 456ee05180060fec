import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { isSentinel } from '../engine/guard.ts';
import type { Plan } from '../engine/plan.ts';
import { readRecording } from '../engine/recordings/recording.ts';
import { generationsIn } from '../protocols/generations.ts';
import { type ReferenceGateway, startReference } from '../reference/index.ts';
import { inProcess as call, type Ended } from './testing.ts';

/** A whole run at a deployment as there are: the publishers' own names in its headers, and below a path. */

const folder = mkdtempSync(join(tmpdir(), 'touchstone-plan-'));
const file = join(folder, 'target.yaml');
const record = join(folder, 'run.jsonl');
const names = { vendorA: 'anthropic', vendorB: 'goog' };

let gateway: ReferenceGateway;
let ended: Omit<Ended, 'memory'>;
beforeAll(async () => {
  gateway = await startReference({ names, pathPrefix: '/gateway/eu' });
  writeFileSync(file, targetFile({ names }));
  ended = await call(`run --target ${file} --record ${record}`);
}, 120_000);
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

/** JSON is YAML, too. */
function targetFile(more: object): string {
  const { regions, keys, models, probes, retentionDays } = gateway;
  // As quickly as it answers.
  const limits = { concurrency: 16, requestsPerSecond: 1_000 };
  return JSON.stringify({
    ...{ name: 'named', regions, keys, models, probes, retentionDays, limits },
    ...more,
  });
}

test('a gateway with the real names of the publishers, below a path, is judged the same', async () => {
  expect(gateway.regions[0]?.baseUrl).toMatch(/\/gateway\/eu$/);
  const { code, out } = ended;
  expect(out).toContain('CONFORMANT');
  expect(out).not.toMatch(/\d+ (failed|warned|inconclusive|untestable)/);
  expect(code).toBe(0);

  // The same gateway under the neutral names refuses the keys: the names do matter.
  const neutral = join(folder, 'neutral.yaml');
  writeFileSync(neutral, targetFile({}));
  const line = `run --target ${neutral} access/credentials.own-header-served:messages`;
  expect((await call(line)).code).toBe(1);
});

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

test('a run asks for no more than the plan says: requests, generations, output', async () => {
  const plan: Plan = JSON.parse((await call(`plan --target ${file} --json`)).out);
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
