import { Inconclusive, jsonBody, listAt, scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';

/** The output of a compact call, with a new message behind it, as the input of a generation. */
export const goneOnFromCompaction = scenario(
  'generation/compact/gone-on',
  { after: { compacted: baseline.compact }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { compacted: { baseline: compacted } }) => {
    const output = listAt(jsonBody(compacted), 'output');
    if (output.length === 0) throw new Inconclusive('the compact call has no output', compacted);
    const message = { type: 'message', role: 'user', content: 'Write one short sentence.' };
    return { compacted, next: await responses.create({ input: [...output, message] }) };
  },
);

/** The counted input once more, ten times over. */
export const countedTenfold = scenario(
  'counting/responses/tenfold',
  { after: { once: baseline['input-tokens'] }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { once: { baseline: once, input } }) => ({
    once,
    tenfold: await responses.inputTokens({ input: Array(10).fill(input).join(' ') }),
  }),
);

/** A generation from the input that was counted, with the same model. */
export const countedAndCreated = scenario(
  'counting/responses/created',
  { after: { counted: baseline['input-tokens'] }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { counted: { baseline: counted, input } }) => ({
    counted,
    created: await responses.create({ input }),
  }),
);
