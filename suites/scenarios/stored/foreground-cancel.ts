import { scenario } from '../../../harness/index.ts';
import { identified, witness } from './stored-responses.ts';

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
