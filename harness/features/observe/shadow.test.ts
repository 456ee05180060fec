import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../kernel/engine/run.ts';
import { referenceTarget } from '../../kernel/targets/reference.ts';
import { bodies, handlingAll } from '../../proof/planting.ts';
import type { Call } from '../../reference/call.ts';
import { Refusal } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';
import { shadowed, shadowGenerations } from './shadow.ts';

const declared = 'access/protocols.declared-served:responses';
const shape = 'generation/responses.shape';

/** Official clients do not send this header, so requests with it are ours. */
const isOurs = ({ headers }: Call): boolean => headers['x-client-request-id'] !== undefined;

async function judgedAt(override: Defect['override'], folder = process.cwd()) {
  const defect = { id: 'cheat', what: 'Only a test is served.', override };
  const { target, close } = await referenceTarget({ defect });
  onTestFinished(close);
  const filters = [declared, shape, 'access/capabilities.offered-served'];
  const result = await run({ target, seed: 1, filters });
  expect(result.verdict).toBe('partial');
  const { signal } = new AbortController();
  const judged = await shadowed(result, { target, signal, folder });
  return { target, result, judged, shadow: judged.traffic.shadow };
}

test('official clients get what a run gets from a sound gateway', async () => {
  const { target, result, judged, shadow } = await judgedAt(() => ({}));
  const generations = shadowGenerations(target, result.traffic.generations);
  expect(shadow).toMatchObject({
    clients: ['@anthropic-ai/sdk', '@google/genai', 'openai'],
    requests: generations,
    generations,
    differing: [],
  });
  expect(shadow?.judged).toBeGreaterThan(0);
  expect(judged.verdict).toBe(result.verdict);
});

test('a gateway that is sound for us alone fails by the same check', async () => {
  const { judged, shadow } = await judgedAt(
    bodies('responses.response', (body, { call }) =>
      isOurs(call) ? body : { ...body, object: 'nonsense' },
    ),
  );
  expect(shadow?.differing).toEqual([shape]);
  expect(judged.verdict).toBe('nonconformant');
  const verdict = judged.checks.find(({ id }) => id === shape)?.verdict;
  expect(verdict).toMatchObject({
    state: 'fail',
    actual: expect.stringMatching(/^to an official client, and not to the run: /),
  });
});

test('one that refuses everybody else fails, because the same is served to us', async () => {
  const { shadow } = await judgedAt(
    handlingAll((handle) => (call, key) => {
      if (isOurs(call)) return handle(call, key);
      throw new Refusal('invalid-value', 'No.');
    }),
  );
  expect(shadow?.differing).toContain(declared);
});

test('without an official client nothing is compared', async () => {
  const { judged, result, shadow } = await judgedAt(() => ({}), '/');
  expect(shadow).toMatchObject({ clients: [], requests: 0, differing: [] });
  expect(judged.verdict).toBe(result.verdict);
});
