import { each, type Fields, protocolModules, scenario } from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { earlierTurns } from './counted-input.ts';
import { generation } from './generation-calls.ts';

/** Protocols whose requests carry the whole conversation in one member. */
export const conversing = ['chat-completions', 'messages', 'generative'] as const;

export type Conversing = (typeof conversing)[number];

/** A conversation of several turns, and a request with no turns; the control is the baseline. */
export const conversations = each(conversing, (protocol: Conversing) =>
  scenario(
    `generation/conversations/${protocol}`,
    {
      after: { baseline: baseline[mainEndpoint[protocol]] },
      cost: { requests: 2, generations: 1, refused: 1, chain: 1 },
    },
    async (io, { baseline: { baseline: control } }) => {
      const { create } = generation[protocol];
      const { conversation, text } = protocolModules[protocol].request;
      const last = { by: 'user', texts: ['What is my name? Answer in one word.'] } as const;
      const noTurn: Fields = { [text]: undefined };
      const [severalTurns, without] = await Promise.all([
        create(io, conversation([...earlierTurns(io.longTexts), last])),
        create(io, noTurn),
      ]);
      return { control, severalTurns, noTurn: without };
    },
  ),
);
