import { idOf, scenario } from '../../harness/index.ts';

/** A stored response in one JSON body: the generation that most checks of Responses share. */
export const created = scenario(
  'responses/created',
  { needs: { model: { speaks: 'responses' } }, cost: { requests: 1, generations: 1 } },
  async ({ responses, word }) => {
    // The word tells this input from any other: what is denied must not show it.
    const secret = word();
    const input = `Write one short sentence about the name ${secret}.`;
    return { secret, input, created: await responses.create({ input, store: true }) };
  },
);

/** The stored response, looked up and its input listed. */
export const lookedUp = scenario(
  'responses/looked-up',
  { after: { created }, cost: { requests: 2, generations: 0, chain: 1 } },
  async ({ responses }, { created: { created: answer, input } }) => {
    const id = idOf(answer);
    const [lookup, inputItems] = await Promise.all([
      responses.lookup(id),
      responses.inputItems(id),
    ]);
    return { input, created: answer, lookup, inputItems };
  },
);
