import { protocolModules, scenario } from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { earlierTurns } from './counted-input.ts';

/** Stored response whose input is a list of messages with long earlier ones. */
export const conversationInput = scenario(
  'generations/conversation-input',
  { after: { control: baseline.responses }, cost: { requests: 1, generations: 1 } },
  async ({ longTexts, responses, sentence }, { control }) => {
    const said = [...earlierTurns(longTexts), { by: 'user', texts: [sentence()] } as const];
    const body = protocolModules.responses.request.conversation(said);
    const created = await responses.create({ ...body, store: true });
    return { control: control.baseline, created, texts: said.flatMap(({ texts }) => texts) };
  },
);
