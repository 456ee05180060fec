import {
  type Exchange,
  each,
  Inconclusive,
  idOf,
  type Scenario,
  scenario,
  turnsOf,
} from '../../harness/index.ts';
import { found, ownInput } from './baselines.ts';
import { resumedAndDeleted } from './broken-streams.ts';
import { branchDeleted } from './chain.ts';
import { isAnswered } from './frames.ts';
import { served } from './served-operations.ts';
import { deletedWhileStreaming } from './stopped-streams.ts';
import type { Subject } from './stored-responses.ts';

/** A response that was deleted. */
interface Deleted extends Subject {
  readonly deletion: Exchange;
}

/**
 * A turn with `store: true`, deleted while its connection is open, and then continued there: null where
 * the gateway has closed.
 */
export const madeOnConnection: Scenario<Deleted & { readonly there: Exchange | null }> = scenario(
  'responses/deleted-on-its-connection',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    after: { found },
    cost: { requests: 2, generations: 2, chain: 3 },
  },
  async (io) => {
    const { responses, lane } = io;
    const { input, secret } = ownInput(io);
    const session = await responses.connect();
    const { responseId: id } = await responses.turn(session, { input, store: true });
    if (id === null) throw new Inconclusive('no turn was made', await session.exchange());
    const deletion = await lane('delete').responses.delete(id);
    await responses.turn(session, { previous_response_id: id });
    const [, there] = turnsOf(await session.exchange());
    return { id, secret, deletion, there: there && isAnswered(there) ? there : null };
  },
);

const streamed: Scenario<Deleted> = scenario(
  'responses/deleted-stream',
  {
    needs: { model: { speaks: 'responses', supports: ['stream:responses'] } },
    after: { found },
    cost: { requests: 2, generations: 1 },
  },
  async (io) => {
    const { input, secret } = ownInput(io);
    const id = idOf(await io.responses.stream({ input, store: true }));
    return { id, secret, deletion: await io.responses.delete(id) };
  },
);

/** How a response came to be that no plain request has made, or what it did when it was deleted. */
export type DeletedByMode = keyof typeof made;

const made = {
  stream: streamed,
  background: scenario(
    'responses/deleted-background',
    { after: { by: resumedAndDeleted }, cost: { requests: 0, generations: 0 } },
    async (_, { by: { id, deletion } }) => ({ id, secret: '', deletion }),
  ),
  running: scenario(
    'responses/deleted-running',
    { after: { by: deletedWhileStreaming }, cost: { requests: 0, generations: 0 } },
    async (_, { by: { id, secret, stop } }) => ({ id, secret, deletion: stop }),
  ),
  websocket: madeOnConnection,
  continuation: scenario(
    'responses/deleted-continuation',
    { after: { by: branchDeleted }, cost: { requests: 0, generations: 0 } },
    async (_, { by: { id, deletion } }) => ({ id, secret: '', deletion }),
  ),
} satisfies Readonly<Record<string, Scenario<Deleted>>>;

/** Each of them, asked for after it was deleted, beside the same where nothing was. */
export const deletedByMode = each(
  ['stream', 'background', 'running', 'websocket', 'continuation'],
  (way: DeletedByMode) => {
    const by: Scenario<Deleted & { readonly there?: Exchange | null }> = made[way];
    return scenario(
      `responses/deleted-otherwise-made/${way}`,
      {
        after: { by, lookup: served.lookup, continued: served.continue },
        cost: { requests: 2, generations: 0, chain: 1 },
      },
      async ({ responses, lane }, { by: deleted, lookup: found, continued: control }) => {
        const [lookup, continued] = await Promise.all([
          responses.lookup(deleted.id),
          lane('continued').responses.create({ previous_response_id: deleted.id }),
        ]);
        return {
          ...deleted,
          lookup: { attempt: lookup, control: found.served },
          continued: { attempt: continued, control: control.served },
        };
      },
    );
  },
);
