import type { Call } from '../../reference/call.ts';
import type { Refusal } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';

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
