import { scenario, type View, view } from '../../../harness/index.ts';
import { identified, type Stored, witness } from './stored-responses.ts';

/** A stored response that may be deleted, because no other check reads it. */
const disposable = identified(witness);

/** Cancels a foreground response, which must be refused, before the response is deleted. */
export const foregroundCancelled = scenario(
  'stored/foreground-cancelled',
  { after: { subject: disposable }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { subject }) => ({
    subject,
    attempt: await responses.cancel(subject.id),
  }),
);

/** The cancelled response, and a continuation of it, which is to outlive it. */
export const continuedOnce = scenario(
  'stored/continued-once',
  { after: { tried: foregroundCancelled }, cost: { requests: 1, generations: 1, continues: 1 } },
  async ({ responses }, { tried: { subject } }) => ({
    subject,
    child: await responses.create({ previous_response_id: subject.id, store: true }),
  }),
);

/** A stored response whose other requests are done. */
export const toBeDeleted: View<Stored> = view(
  { continuedOnce },
  ({ continuedOnce: { subject } }) => subject,
);
