import { each, protocolModules, scenario } from '../../../harness/index.ts';
import { baseline, baselineOf } from '../baselines.ts';
import { clientForms, costOf, sendInForms } from '../requests/client-forms.ts';
import { askingBeyond, earlierTurns, generation } from './generation-calls.ts';

/** Protocols whose requests carry the whole conversation in one member. */
export const conversing = ['chat-completions', 'messages', 'generative'] as const;

export type Conversing = (typeof conversing)[number];

/** A conversation whose answer its limit truncates; the control is the baseline. */
export const conversations = each(conversing, (protocol: Conversing) =>
  scenario(
    `generation/conversations/${protocol}`,
    {
      after: { baseline: baselineOf[protocol] },
      cost: {
        ...costOf(clientForms.first, { requests: 1, generations: 1 }),
        refused: 1 + clientForms.first.length,
      },
    },
    async (io, { baseline: { baseline: control } }) => {
      const limit = io.target.limits.maxOutputTokens;
      const { create } = generation[protocol];
      const { conversation } = protocolModules[protocol].request;
      const last = { by: 'user', texts: [askingBeyond(limit, io)] } as const;
      const body = conversation([...earlierTurns(io.longTexts), last]);
      const { answer: severalTurns, clients } = await sendInForms(io, clientForms.first, (as) =>
        create(io, body, as),
      );
      return { control, severalTurns, clients, limit };
    },
  ),
);

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
