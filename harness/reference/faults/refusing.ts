import type { Call } from '../call.ts';
import type { Refusal } from '../refusal.ts';
import type { Defect } from '../seams.ts';

/** Members that carry the input of a request. */
export const inputMembers = ['input', 'messages', 'contents', 'questions'];

/** Refuses with another status. */
export function statusOf(
  given: number,
  fits: (refusal: Refusal, call: Call) => boolean,
): Defect['override'] {
  return ({ encode }) => ({
    encode: {
      status: (kind, native, context) =>
        context.refusal !== null && fits(context.refusal, context.call)
          ? given
          : encode.status(kind, native, context),
    },
  });
}
