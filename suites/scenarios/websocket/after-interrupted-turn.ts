import { scenario } from '../../../harness/index.ts';
import { costOf, sendInForms } from '../requests/client-forms.ts';
import { interruptedTurn } from '../running/interrupted-streams.ts';

/** A turn on a new connection, after one was cut in the middle of a turn. */
export const afterInterruptedTurn = scenario(
  'websocket/connection/after-interrupted-turn',
  {
    after: { interrupted: interruptedTurn },
    cost: costOf(['lower-case'], { requests: 1, generations: 1 }),
  },
  async (io, { interrupted: { control, seen } }) => {
    const { clients, answer } = await sendInForms(io, ['lower-case'], (as) =>
      io.ask('websocket', {}, as),
    );
    return { control, seen, next: answer, clients };
  },
);
