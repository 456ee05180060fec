import { scenario } from '../../../harness/index.ts';
import { sendWith } from '../requests/common-headers.ts';
import { interruptedTurn } from '../running/interrupted-streams.ts';

/** A turn on a new connection, after one was cut in the middle of a turn. */
export const afterInterruptedTurn = scenario(
  'websocket/connection/after-interrupted-turn',
  {
    after: { interrupted: interruptedTurn },
    cost: { requests: 2, generations: 1, refused: 1 },
  },
  async (io, { interrupted: { control, seen } }) => {
    const { headers, answer } = await sendWith('lower-case', (as) => io.ask('websocket', {}, as));
    return { control, seen, next: answer, headers };
  },
);
