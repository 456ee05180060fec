import { type Exchange, idOf, scenario } from '../../harness/index.ts';

// What shows that a key works at all: without it, a refusal of that key says nothing.

/** Another user creates a stored response of its own, and finds it. */
export const otherUserAtHome = scenario(
  'rules/keys/other-user',
  {
    needs: { model: { speaks: 'responses', permittedFor: 'otherUser' }, keys: ['otherUser'] },
    cost: { requests: 2, generations: 1 },
  },
  async ({ responses }): Promise<readonly Exchange[]> => {
    const created = await responses.create({ store: true }, { key: 'otherUser' });
    return [created, await responses.lookup(idOf(created), { key: 'otherUser' })];
  },
);

/** The restricted key gets its list of models. */
export const restrictedListed = listedFor('restricted');

/** The second key of the same user gets its list of models. */
export const sameUserListed = listedFor('sameUser');

function listedFor(key: 'restricted' | 'sameUser') {
  return scenario(
    `rules/keys/${key}`,
    { needs: { keys: [key] }, cost: { requests: 1, generations: 0 } },
    async ({ lists }): Promise<readonly Exchange[]> => [await lists.list({ key })],
  );
}
