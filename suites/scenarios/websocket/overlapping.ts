import { endsTurn, scenario, textAt } from '../../../harness/index.ts';
import { saying, spoken } from '../generations/whole-conversations.ts';

/** A second `response.create` sent right behind a first one, and how both ended. It says all that can be said. */
export const overlapping = scenario(
  'websocket/connection/overlapping',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    after: { spoken: spoken.responses },
    cost: { requests: 1, generations: 2, outputTokens: 64 },
  },
  async ({ longTexts, model, responses, text, word }, { spoken }) => {
    const session = await responses.connect();
    const ends: string[] = [];
    const inputs = [text(40, word()), text(40, word())] as const;
    const second = saying(longTexts, 'responses', spoken, inputs[1]);
    for (const said of [{ input: inputs[0] }, second]) {
      session.send(responses.frame({ ...said, max_output_tokens: 64 }));
    }
    await session.receive(({ json }) => {
      const type = textAt(json, 'type');
      if (type !== null && endsTurn(type)) ends.push(type);
      return ends.length === 2;
    });
    return { talk: await session.exchange(), ends, spoken, model: model.id };
  },
);
