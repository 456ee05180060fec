import { type Exchange, idOf, scenario } from '../../harness/index.ts';
import { storedCreation } from '../scenarios/stored/stored-responses.ts';

// What shows that a key works at all: without it, a refusal of that key says nothing.

const forBoth = { permittedFor: 'otherUser' } as const;
const ownersCreation = storedCreation('access/owners/stored', forBoth);

/** What the owner has asked for, asked for by another user, word by word, and stored. */
export const identicalByOtherUser = scenario(
  'access/keys/other-user-created',
  {
    needs: { keys: ['otherUser'] },
    after: { owners: ownersCreation },
    cost: { requests: 1, generations: 1 },
  },
  async ({ responses }, { owners }) => ({
    owners,
    created: await responses.create({ input: owners.input, store: true }, { key: 'otherUser' }),
  }),
);

/** Another user creates a stored response of its own, and finds it. */
export const otherUserAtHome = scenario(
  'access/keys/other-user',
  { after: { own: identicalByOtherUser }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { own: { created } }): Promise<readonly Exchange[]> => [
    created,
    await responses.lookup(idOf(created), { key: 'otherUser' }),
  ],
);

/** The restricted key gets its list of models. */
export const restrictedListed = listedFor('restricted');

/** The second key of the same user gets its list of models. */
export const sameUserListed = listedFor('sameUser');

function listedFor(key: 'restricted' | 'sameUser') {
  return scenario(
    `access/keys/${key}`,
    { needs: { keys: [key] }, cost: { requests: 1, generations: 0 } },
    async ({ lists }): Promise<readonly Exchange[]> => [await lists.list({ key })],
  );
}
