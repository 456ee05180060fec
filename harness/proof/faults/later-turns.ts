import type { Call } from '../../reference/call.ts';
import type { Policy } from '../../reference/policy.ts';
import type { Defect } from '../../reference/seams.ts';
import type { Access } from '../../reference/store.ts';
import type { Fault } from './fault.ts';

// What is checked in the first turn, of a connection or of a conversation, and not in a later one.

/** Changes the policy for turns on a connection that has served one before. */
function laterOnConnection(
  change: (policy: Policy, isLater: (call: Call) => boolean) => Partial<Policy>,
): Defect['override'] {
  return ({ encode, policy }) => {
    const used = new Set<string>();
    return {
      encode: {
        id: (prefix, call) => {
          // Items of the input have ids before anything is looked for.
          const isResponse = call.operation === 'responses.websocket' && prefix === 'resp_';
          if (isResponse) used.add(call.requestId);
          return encode.id(prefix, call);
        },
      },
      policy: change(policy, ({ requestId }) => used.has(requestId)),
    };
  };
}

const conditions = [
  ['owners', 'isSameUser', 'access/owners.later-turn-denied', "another user's response"],
  ['regions', 'isOriginalRegion', 'access/regions.later-turn-denied', "another region's response"],
  [
    'permissions',
    'isModelPermitted',
    'access/permissions.later-turn-refused:continue-websocket',
    'a response of a model that the key may not use',
  ],
] as const;

export const laterTurnFaults: readonly Fault[] = [
  ...conditions.map(
    ([area, condition, row, whose]): Fault => ({
      id: `${area}.first-turn-only`,
      what: `A connection that has served a turn continues ${whose}.`,
      breaks: [row],
      override: laterOnConnection((policy, isLater) => ({
        [condition]: (access: Access) => isLater(access.call) || policy[condition](access),
        // The continuation names the same model.
        ...(condition === 'isModelPermitted'
          ? {
              mayUseModel: (key, model, call) =>
                (isLater(call) && call.body.previous_response_id !== undefined) ||
                policy.mayUseModel(key, model, call),
            }
          : {}),
      })),
    }),
  ),
  {
    id: 'permissions.any-model-in-later-turn',
    what: 'A connection that has served a turn serves every model.',
    breaks: ['access/permissions.later-turn-refused:continue-websocket'],
    override: laterOnConnection(({ mayUseModel }, isLater) => ({
      mayUseModel: (key, model, call) => isLater(call) || mayUseModel(key, model, call),
    })),
  },
  {
    id: 'permissions.any-model-to-continue',
    what: 'A continuation may name every model.',
    breaks: ['access/permissions.later-turn-refused:continue'],
    override: ({ policy }) => ({
      policy: {
        mayUseModel: (key, model, call) =>
          (call.operation === 'responses.create' && call.body.previous_response_id !== undefined) ||
          policy.mayUseModel(key, model, call),
      },
    }),
  },
];
