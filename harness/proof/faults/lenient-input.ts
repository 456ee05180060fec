import type { Call } from '../../reference/call.ts';
import type { Refusal } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';

/**
 * Goes on where a request should be refused for this reason, and answers it, whatever else is then
 * missing in it. Other bad requests are refused as ever.
 */
export function forgiving(fits: (refusal: Refusal, call: Call) => boolean): Defect['override'] {
  return ({ policy }) => {
    const forgiven = new WeakSet<object>();
    return {
      policy: {
        insists: (refusal, call) => {
          // What stays the same object while a request is read further.
          const request = call.operation === 'responses.websocket' ? call.body : call.headers;
          if (fits(refusal, call)) forgiven.add(request);
          return !forgiven.has(request) && policy.insists(refusal, call);
        },
      },
    };
  };
}
