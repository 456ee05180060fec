import { each, type Fields, scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { firstAnswer, firstTurn } from '../scenarios/generations/counted-input.ts';
import { generation } from '../scenarios/generations/generation-calls.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';

/** The protocols whose request carries the whole conversation, in a member of its own. */
export const conversing = ['chat-completions', 'messages', 'generative'] as const;

export type Conversing = (typeof conversing)[number];

const turns = [
  ['user', firstTurn],
  ['assistant', firstAnswer],
  ['user', 'What is my name? Answer in one word.'],
] as const;

const roleAndContent = turns.map(([role, content]) => ({ role, content }));

const roleAndParts = turns.map(([role, text]) => ({
  role: role === 'assistant' ? 'model' : role,
  parts: [{ text }],
}));

const ofSeveralTurns: Readonly<Record<Conversing, Fields>> = {
  'chat-completions': { messages: roleAndContent },
  messages: { messages: roleAndContent },
  generative: { contents: roleAndParts },
};

const ofNoTurn: Readonly<Record<Conversing, Fields>> = {
  'chat-completions': { messages: undefined },
  messages: { messages: undefined },
  generative: { contents: undefined },
};

/** A conversation of several turns, and a request without any; its control is the baseline. */
export const conversations = each(conversing, (protocol: Conversing) =>
  scenario(
    `generation/conversations/${protocol}`,
    {
      after: { baseline: baseline[mainEndpoint[protocol]] },
      cost: { requests: 2, generations: 1, chain: 1 },
    },
    async (io, { baseline: { baseline: control } }) => {
      const { create } = generation[protocol];
      const [severalTurns, noTurn] = await Promise.all([
        create(io, ofSeveralTurns[protocol]),
        create(io, ofNoTurn[protocol]),
      ]);
      return { control, severalTurns, noTurn };
    },
  ),
);
