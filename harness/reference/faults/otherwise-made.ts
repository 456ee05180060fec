import type { Call } from '../call.ts';
import type { Policy } from '../policy.ts';
import type { Defect } from '../seams.ts';
import type { StoredResponse } from '../store.ts';
import type { Fault } from './fault.ts';

// Checks that were forgotten on one of the ways on which a response comes to be.

const ways: Readonly<Record<string, (created: Call) => boolean>> = {
  stream: ({ body }) => body.stream === true && body.background !== true,
  background: ({ body }) => body.background === true && body.stream !== true,
  websocket: ({ operation }) => operation === 'responses.websocket',
  continuation: ({ body, operation }) =>
    typeof body.previous_response_id === 'string' && operation === 'responses.create',
};

/** Changes the policy for responses that one kind of call has created. */
function madeBy(
  fits: (created: Call) => boolean,
  change: (policy: Policy, isOne: (record: StoredResponse) => boolean) => Partial<Policy>,
): Defect['override'] {
  return ({ encode, policy }) => {
    const ids = new Set<string>();
    return {
      encode: {
        id: (prefix, call) => {
          const id = encode.id(prefix, call);
          if (fits(call)) ids.add(id);
          return id;
        },
      },
      policy: change(policy, ({ id }) => ids.has(id)),
    };
  };
}

export const otherwiseMadeFaults: readonly Fault[] = Object.entries(ways).flatMap(
  ([way, fits]): Fault[] => [
    {
      id: `owners.any-user-made-by-${way}`,
      what: `A response that was made by ${way} can be looked up by every user.`,
      breaks: [`rules/owners.otherwise-made-denied:${way}`],
      ...(way === 'background' ? { mayAlso: ['rules/owners.running-denied:lookup'] } : {}),
      override: madeBy(fits, (policy, isOne) => ({
        isSameUser: (access) =>
          (access.operation === 'lookup' && isOne(access.record)) || policy.isSameUser(access),
      })),
    },
    {
      id: `regions.anywhere-made-by-${way}`,
      what: `A response that was made by ${way} can be looked up in every region.`,
      breaks: [`rules/regions.otherwise-made-denied:${way}`],
      ...(way === 'background' ? { mayAlso: ['rules/regions.running-denied:lookup'] } : {}),
      override: madeBy(fits, (policy, isOne) => ({
        isOriginalRegion: (access) =>
          (access.operation === 'lookup' && isOne(access.record)) ||
          policy.isOriginalRegion(access),
      })),
    },
  ],
);
