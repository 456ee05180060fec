import {
  type Exchange,
  Inconclusive,
  present,
  type Scenario,
  type StoredOperation,
  scenario,
} from '../../harness/index.ts';
import { found } from './baselines.ts';
import { madeOnConnection } from './deleted-creation-modes.ts';
import { deletedWhileStreaming } from './stopped-streams.ts';
import { identified, type Subject, witness } from './stored-responses.ts';

/** A stored response that is there to be deleted, and no other check reads. */
export const disposable = identified('responses/disposable', witness);

/** A foreground response cannot be cancelled: tried on the one that goes next anyway. */
export const foregroundCancelled = scenario(
  'responses/foreground-cancelled',
  { after: { subject: disposable }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { subject }) => ({
    subject,
    attempt: await responses.cancel(subject.id),
  }),
);

export const deleted = scenario(
  'responses/deleted',
  {
    after: { tried: foregroundCancelled, found },
    cost: { requests: 2, generations: 0 },
  },
  async ({ responses }, { tried: { subject }, found: { baseline: before, id } }) => ({
    ...subject,
    before,
    deletion: await responses.delete(subject.id),
    other: await responses.lookup(present(id, 'id')),
  }),
);

/** A deleted response of the kind that an operation would be served for. */
export function deletedFor({ name, background }: StoredOperation): Scenario<Subject> {
  if (background) return deletedInBackground;
  return name === 'continue-websocket' ? deletedOverWebsocket : deletedResponse;
}

const deletedResponse = onceDeleted('responses/deleted-for-good', deleted);
const deletedInBackground = onceDeleted(
  'responses/deleted-in-background',
  scenario(
    'responses/deletion-in-background',
    { after: { stopped: deletedWhileStreaming }, cost: { requests: 0, generations: 0 } },
    async (_, { stopped: { id, secret, stop } }) => ({ id, secret, deletion: stop }),
  ),
);
const deletedOverWebsocket = onceDeleted('responses/deleted-over-websocket', madeOnConnection);

/** For what goes on from a deletion. @throws {Inconclusive} when it was refused */
export function assumeDeleted(deletion: Exchange): void {
  const status = deletion.response?.status ?? 0;
  if (status >= 200 && status < 300) return;
  throw new Inconclusive('the response was not deleted', deletion);
}

/** That a deletion is served is judged elsewhere: without it there is nothing to be denied. */
function onceDeleted(
  name: string,
  by: Scenario<Subject & { readonly deletion: Exchange }>,
): Scenario<Subject> {
  return scenario(
    name,
    { after: { by }, cost: { requests: 0, generations: 0 } },
    async (_, { by: { id, secret, deletion } }) => {
      assumeDeleted(deletion);
      return { id, secret };
    },
  );
}
