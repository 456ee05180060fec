import type { StreamEvent } from '../../reference/dialect.ts';
import type { Defect, StreamContext } from '../../reference/seams.ts';

/**
 * Other events in the streams of Responses, numbered anew from 0, and the same when a stream is taken
 * up again.
 *
 * @param change is made anew for each stream; it replaces an event by one, several or none
 */
export function renumbered(
  change: (context: StreamContext) => (event: StreamEvent) => readonly StreamEvent[],
): Defect['override'] {
  return ({ frames }) => ({
    policy: { recoversFrom: () => 0 },
    frames: {
      responses: async function* (events, context) {
        // An error alone has no place in any order.
        if (context.refusal !== null) return yield* frames.responses(events, context);
        const next = change(context);
        const after = context.startingAfter ?? -1;
        let number = 0;
        for await (const event of frames.responses(events, context)) {
          for (const { name, data } of next(event)) {
            const numbered = typeof data === 'string' ? data : { ...data, sequence_number: number };
            if (number > after) yield { name, data: numbered };
            number++;
          }
        }
      },
    },
  });
}

/** An event of Responses, its number to be given. */
export function typed(type: string, members: object): StreamEvent {
  return { name: type, data: { type, sequence_number: 0, ...members } };
}
