import { Inconclusive, jsonBody, listAt, scenario } from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';

/** The output of a compact call, with a new message behind it, as the input of a generation. */
export const goneOnFromCompaction = scenario(
  'responses/compact/gone-on',
  { after: { compacted: ordinary.compact }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { compacted: { ordinary: compacted } }) => {
    const output = listAt(jsonBody(compacted), 'output');
    if (output.length === 0) throw new Inconclusive('the compact call has no output', compacted);
    const message = { type: 'message', role: 'user', content: 'Write one short sentence.' };
    return { compacted, next: await responses.create({ input: [...output, message] }) };
  },
);

/** The counted input once more, ten times over. */
export const countedTenfold = scenario(
  'responses/input-tokens/tenfold',
  { after: { once: ordinary['input-tokens'] }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { once: { ordinary: once, input } }) => ({
    once,
    tenfold: await responses.inputTokens({ input: Array(10).fill(input).join(' ') }),
  }),
);

/** A generation from the input that was counted, with the same model. */
export const countedAndCreated = scenario(
  'responses/input-tokens/created',
  { after: { counted: ordinary['input-tokens'] }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { counted: { ordinary: counted, input } }) => ({
    counted,
    created: await responses.create({ input }),
  }),
);
