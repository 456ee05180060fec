import { scenario } from '../../../harness/index.ts';
import { identified, witness } from './stored-responses.ts';

/** A stored response that is there to be deleted, and no other check reads. */
const disposable = identified(witness);

/** A foreground response cannot be cancelled: tried on one that is deleted next. */
export const foregroundCancelled = scenario(
  'stored/foreground-cancelled',
  { after: { subject: disposable }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { subject }) => ({
    subject,
    attempt: await responses.cancel(subject.id),
  }),
);
