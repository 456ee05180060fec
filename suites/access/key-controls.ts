import {
  type CallOptions,
  type Exchange,
  idOf,
  isUnserved,
  permittedKeys,
  scenario,
  streamingProtocols,
  type Target,
} from '../../harness/index.ts';
import { asBaseline, readable } from '../scenarios/baselines.ts';
import { namesModel } from '../scenarios/exchanges.ts';

// Controls that show that a key works at all. Without them a refusal of that key proves nothing.

/**
 * Another user sends the owner's baseline request verbatim, with storage. The owner repeats it, if the model of the
 * baseline is not open to both.
 */
export const identicalByOtherUser = scenario(
  'access/keys/other-user-created',
  {
    needs: { model: { speaks: 'responses', permittedFor: 'otherUser' }, keys: ['otherUser'] },
    after: { first: readable },
    cost: { requests: 2, generations: 1, fallback: 1 },
  },
  async ({ ask, model }, { first: { created: first, input } }) => {
    const send = (as?: CallOptions) =>
      ask('responses', { input, change: asBaseline('responses') }, as);
    const owners = { created: namesModel(first, model.id) ? first : await send() };
    return { owners, created: await send({ key: 'otherUser' }) };
  },
);

/** Another user creates a stored response and looks it up. */
export const otherUserAtHome = scenario(
  'access/keys/other-user',
  { after: { own: identicalByOtherUser }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { own: { created } }): Promise<readonly Exchange[]> => [
    created,
    await responses.lookup(idOf(created), { key: 'otherUser' }),
  ],
);

/** The restricted key gets its list of models or, if that fails, a permitted generation. */
export const restrictedWorks = worksFor('restricted');

/** A second key of the same user gets its list of models or, if that fails, a permitted generation. */
export const sameUserWorks = worksFor('sameUser');

type OtherKey = 'restricted' | 'sameUser';

/**
 * Reads the list of models, which is free of charge. If the list fails for everybody, a generation of a permitted
 * model proves the key as well.
 */
function worksFor(key: OtherKey) {
  return scenario(
    `access/keys/${key}`,
    {
      needs: { keys: [key] },
      cost: (target) => {
        const fallback = permitted(target, key) === undefined ? 0 : 1;
        return { requests: 1 + fallback, generations: 0, fallback };
      },
    },
    async ({ lists, generate, target }): Promise<readonly Exchange[]> => {
      const list = await lists.list({ key });
      const may = permitted(target, key);
      if (may === undefined || !isUnserved(list)) return [list];
      const { protocol, model } = may;
      return [await generate(protocol, {}, { key, model: model.id })];
    },
  );
}

/** Returns a model that the target file permits for this key, and a protocol that it declares. */
function permitted(target: Target, key: OtherKey) {
  return target.models
    .filter((model) => permittedKeys(model).includes(key))
    .flatMap((model) =>
      streamingProtocols
        .filter((protocol) => model.protocols.includes(protocol))
        .map((protocol) => ({ protocol, model })),
    )[0];
}
