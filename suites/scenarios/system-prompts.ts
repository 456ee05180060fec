import {
  each,
  type Fields,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../harness/index.ts';
import { baseline } from './baselines.ts';
import { generation } from './generation-calls.ts';
import { toldBefore } from './long-turns.ts';
import { mainEndpoint } from './main-endpoint.ts';

/** The baseline request with what a model is told before it, in the words of each protocol. */
const told: Readonly<Record<StreamingProtocol, (input: string) => Fields>> = {
  responses: () => ({ instructions: toldBefore }),
  'chat-completions': (input) => ({
    messages: [
      { role: 'system', content: toldBefore },
      { role: 'user', content: input },
    ],
  }),
  messages: () => ({ system: toldBefore }),
  generative: () => ({ systemInstruction: { parts: [{ text: toldBefore }] } }),
};

export const systemPrompt = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/system-prompt/${protocol}`,
    {
      after: { baseline: baseline[mainEndpoint[protocol]] },
      cost: { requests: 1, generations: 1 },
    },
    async (io, { baseline: { baseline: without, input } }) => {
      const { asking, create } = generation[protocol];
      const body = asking(input, io.target.limits.maxOutputTokens);
      return { without, told: await create(io, { ...body, ...told[protocol](input) }) };
    },
  ),
);
