import { checkEach, expect } from '../../harness/index.ts';
import { type Reach, reachedMessage } from './stored-messages.ts';

checkEach('storage/messages.not-offered', (way: Reach) => ({
  on: reachedMessage[way],
  judge: ({ attempt, control, secret }) =>
    expect(attempt).toBeDenied({ secret: [secret], control }),
}));
