import {
  type CallOptions,
  type Exchange,
  each,
  type Io,
  type Scenario,
  scenario,
  storedOperations,
} from '../../harness/index.ts';
import { attempts } from '../stored-operations.ts';
import { otherUserAtHome, sameUserListed } from './key-controls.ts';
import { subjectsOn } from './stored-subjects.ts';

const asOtherUser = { key: 'otherUser' } as const;

const ownersSubjects = subjectsOn('rules/owners/stored', { permittedFor: 'otherUser' });

/** Each operation on the owner's stored response, by another user. */
export const byOtherUser = attempts({
  name: 'rules/owners/other-user',
  subject: ownersSubjects,
  as: () => asOtherUser,
  needs: { keys: ['otherUser'] },
  ownerFindsIt: true,
  controls: otherUserAtHome,
});

/** Each operation on the owner's stored response, by a second key of the same user. */
export const bySecondKey = attempts({
  name: 'rules/owners/same-user',
  subject: subjectsOn('rules/owners/shared', { permittedFor: 'sameUser' }),
  as: () => ({ key: 'sameUser' }),
  needs: { keys: ['sameUser'] },
  ownerFindsIt: true,
  controls: sameUserListed,
});

/** A call that takes a conversation without being a generation in it. */
export interface SideDoor {
  readonly secret: string;
  /** By another user, with the owner's response as the one before. */
  readonly through: Exchange;
  /** The same call without it. */
  readonly without: Exchange;
}

const sideDoors: Readonly<
  Record<
    'compact' | 'input-tokens',
    (io: Io, body: object, options: CallOptions) => Promise<Exchange>
  >
> = {
  compact: ({ responses }, body, options) => responses.compact({ ...body }, options),
  'input-tokens': ({ responses }, body, options) => responses.inputTokens({ ...body }, options),
};

export const throughSideDoor = each(
  ['compact', 'input-tokens'],
  (door): Scenario<SideDoor> =>
    scenario(
      `rules/owners/side-door/${door}`,
      {
        needs: {
          model: {
            speaks: 'responses',
            supports: [door === 'compact' ? 'compact' : 'input_tokens'],
            permittedFor: 'otherUser',
          },
          keys: ['otherUser'],
        },
        after: { stored: ownersSubjects(storedOperations.lookup) },
        cost: { requests: 2, generations: door === 'compact' ? 2 : 0, chain: 1 },
      },
      async (io, { stored: { id, secret } }) => {
        const input = 'Write one short sentence.';
        const [through, without] = await Promise.all([
          sideDoors[door](io, { input, previous_response_id: id }, asOtherUser),
          sideDoors[door](io.lane('without'), { input }, asOtherUser),
        ]);
        return { secret, through, without };
      },
    ),
);

/** Another user asks for the owner's response, and for one that does not exist. */
export const askedByOtherUser = scenario(
  'rules/owners/asked',
  {
    needs: { keys: ['otherUser'] },
    after: { lookup: byOtherUser.lookup, continued: byOtherUser.continue },
    cost: { requests: 2, generations: 1, chain: 1 },
  },
  async (io, { lookup, continued }) => {
    const { responses } = io;
    const id = idLike(lookup.id, io);
    const [noLookup, noContinuation] = await Promise.all([
      responses.lookup(id, asOtherUser),
      io.lane('continue').responses.create({ previous_response_id: id }, asOtherUser),
    ]);
    return [
      { operation: 'lookup', owners: lookup.attempt, unknown: noLookup },
      { operation: 'continuation', owners: continued.attempt, unknown: noContinuation },
    ];
  },
);

/** An id of the form of another, that no response has: letters for letters, digits for digits. */
function idLike(id: string, { random }: Io): string {
  const prefix = /^[a-z]+_/i.exec(id)?.[0] ?? '';
  return (
    prefix +
    id
      .slice(prefix.length)
      .replace(/[0-9]/g, () => random.string.numeric())
      .replace(/[a-f]/g, () => random.string.fromCharacters('abcdef'))
      .replace(/[g-z]/g, () => random.string.fromCharacters('ghijklmnopqrstuvwxyz'))
  );
}
