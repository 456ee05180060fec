import { protocolModules, scenario } from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { earlierTurns, firstAnswer, firstTurn } from './counted-input.ts';

/** What the messages of a conversation say, in their order. */
export const turnTexts = [firstTurn, firstAnswer, 'Write one short sentence about it.'];

/** A stored response whose input is a list of messages, the earlier ones long. */
export const conversationInput = scenario(
  'generations/conversation-input',
  { after: { control: baseline.responses }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { control }) => {
    const last = { by: 'user', texts: turnTexts.slice(2) } as const;
    const body = protocolModules.responses.request.conversation([...earlierTurns, last]);
    return { control: control.baseline, created: await responses.create({ ...body, store: true }) };
  },
);
