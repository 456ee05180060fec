import type { Call } from '../../reference/call.ts';
import type { Defect } from '../../reference/seams.ts';
import { relax } from '../decisions.ts';
import { together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { continues } from './protocols.ts';

// What is checked in the first turn, of a connection or of a conversation, and not in a later one.

/** An override that asks which turns are on a connection that has served one before. */
function laterOnConnection(
  override: (isLater: (call: Call) => boolean) => Defect['override'],
): Defect['override'] {
  return (seams) => {
    const used = new Set<string>();
    const noted: Defect['override'] = ({ encode }) => ({
      encode: {
        id: (prefix, call) => {
          // Items of the input have ids before anything is looked for.
          const isResponse = call.operation === 'responses.websocket' && prefix === 'resp_';
          if (isResponse) used.add(call.requestId);
          return encode.id(prefix, call);
        },
      },
    });
    return together(
      noted,
      override(({ requestId }) => used.has(requestId)),
    )(seams);
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
      override: laterOnConnection((isLater) =>
        together(
          relax(condition, (access) => isLater(access.call)),
          // The continuation names the same model.
          relax(
            'mayUseModel',
            (_key, _model, call) =>
              condition === 'isModelPermitted' && isLater(call) && continues(call),
          ),
        ),
      ),
    }),
  ),
  {
    id: 'permissions.any-model-in-later-turn',
    what: 'A connection that has served a turn serves every model.',
    breaks: ['access/permissions.later-turn-refused:continue-websocket'],
    override: laterOnConnection((isLater) =>
      relax('mayUseModel', (_key, _model, call) => isLater(call)),
    ),
  },
  {
    id: 'permissions.any-model-to-continue',
    what: 'A continuation may name every model.',
    breaks: ['access/permissions.later-turn-refused:continue'],
    override: relax(
      'mayUseModel',
      (_key, _model, call) => call.operation === 'responses.create' && continues(call),
    ),
  },
];
