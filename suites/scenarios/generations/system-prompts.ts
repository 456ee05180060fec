import {
  type Exchange,
  each,
  type Fields,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { saidFirst, toldBefore } from './counted-input.ts';
import { generation } from './generation-calls.ts';

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

/** A request with a system prompt, and one that says the same in other words of its protocol. */
export interface OtherForm {
  readonly told: Exchange;
  readonly other: Exchange;
}

/**
 * The system prompt as a message of the role `developer`, or in parts; the turn in two parts, the
 * second of them long, and without the role that goes without saying.
 */
const inOtherWords: Readonly<Record<StreamingProtocol, (input: string) => Fields>> = {
  // Stored, so that its input can be looked up, too.
  responses: (input) => ({ input: developed(input, 'input_text'), store: true }),
  'chat-completions': (input) => ({ messages: developed(input, 'text') }),
  messages: (input) => ({
    system: [{ type: 'text', text: toldBefore }],
    messages: [{ role: 'user', content: inParts(input, 'text') }],
  }),
  generative: (input) => ({
    systemInstruction: { parts: [{ text: toldBefore }] },
    contents: [{ parts: [{ text: input }, { text: saidFirst }] }],
  }),
};

function developed(input: string, type: string): readonly Fields[] {
  return [
    { role: 'developer', content: toldBefore },
    { role: 'user', content: inParts(input, type) },
  ];
}

function inParts(input: string, type: string): readonly Fields[] {
  return [input, saidFirst].map((text) => ({ type, text }));
}

export const otherForm = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/other-form/${protocol}`,
    {
      after: { system: systemPrompt[protocol], baseline: baseline[mainEndpoint[protocol]] },
      cost: { requests: 1, generations: 1 },
    },
    async (io, { system: { told }, baseline: { input } }) => {
      const { asking, create } = generation[protocol];
      const body = asking(input, io.target.limits.maxOutputTokens);
      const other = await create(io, { ...body, ...inOtherWords[protocol](input) });
      return { told, other, texts: [toldBefore, input, saidFirst] };
    },
  ),
);
