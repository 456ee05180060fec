import type { Call } from '../../reference/call.ts';
import type { Policy } from '../../reference/policy.ts';
import type { Defect } from '../../reference/seams.ts';
import type { Access, StoredResponse } from '../../reference/store.ts';
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
export function madeBy(
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

const conditions = [
  ['owners', 'isSameUser', 'any-user', 'by every user'],
  ['regions', 'isOriginalRegion', 'anywhere', 'in every region'],
] as const;

/** What can be done with such a response where it should not be found, by the ids of the faults. */
const reached = [
  ['lookup', '', 'looked up'],
  ['continue', 'continues-', 'continued'],
] as const;

export const creationModeFaults: readonly Fault[] = Object.entries(ways).flatMap(([way, fits]) =>
  conditions.flatMap(([area, condition, short, where]) =>
    reached.map(
      ([operation, named, done]): Fault => ({
        id: `${area}.${short}-${named}made-by-${way}`,
        what: `A response that was made by ${way} can be ${done} ${where}.`,
        breaks: [`access/${area}.denied-by-creation-mode:${way}`],
        ...(way === 'background' && operation === 'lookup'
          ? { mayAlso: [`access/${area}.running-denied:lookup`] }
          : {}),
        override: madeBy(fits, (policy, isOne) => ({
          [condition]: (access: Access) =>
            (access.operation === operation && isOne(access.record)) || policy[condition](access),
        })),
      }),
    ),
  ),
);
