import type { Access, Key } from '../../../reference/index.ts';
import { decide, relax, tighten } from '../../decisions.ts';
import { type Override, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each } from '../planted.ts';

// Responses that are denied for each of two reasons, and served where both meet.

/** Sender of requests without a key, as a forwarder with a credential of its own would show it. */
const nobody: Key = { role: 'owner', user: 'nobody', secret: '' };

const keylessNamed: Override = decide(
  'keyFor',
  (native) => (secret, call) =>
    native(secret, call) ?? (call.params.id === undefined ? undefined : nobody),
);

const ends: readonly string[] = ['cancel', 'delete'];

type Condition =
  | 'isSameUser'
  | 'isModelPermitted'
  | 'isOriginalRegion'
  | 'isNotDeleted'
  | 'isWithinRetention'
  | 'isStored';

/** Serves accesses that break both conditions, but those that would end the response for all others. */
function bothBroken(one: Condition, other: Condition, fits: (access: Access) => boolean): Override {
  return (seams) => {
    const breaks = (condition: Condition) => (access: Access) =>
      fits(access) && !ends.includes(access.operation) && !seams.policy[condition](access);
    return together(relax(one, breaks(other)), relax(other, breaks(one)))(seams);
  };
}

const keeping = {
  isNotDeleted: tighten('deleteRemovesContent', () => true),
  isStored: relax('keepsContent', () => true),
};

const byKey = [
  { one: 'no-key', condition: 'isSameUser', fits: ({ key }: Access) => key === nobody },
  { one: 'other-user', condition: 'isSameUser', fits: ({ key }: Access) => key !== nobody },
  { one: 'restricted', condition: 'isModelPermitted', fits: () => true },
] as const;
const byRegion = { one: 'region', condition: 'isOriginalRegion', fits: () => true } as const;

const byState = [
  { state: 'deleted', broken: 'isNotDeleted', further: [keeping.isNotDeleted] },
  { state: 'expired', broken: 'isWithinRetention', further: [] },
  { state: 'unstored', broken: 'isStored', further: [keeping.isStored] },
] as const;

const inTwos = [
  ...byState.flatMap(({ state, broken, further }) => [
    ...byKey.map((key) => ({ ...key, other: state, sides: `${state}-key`, broken, further })),
    { ...byRegion, other: state, sides: `${state}-region`, broken, further },
  ]),
  ...byKey.map((key) => ({
    ...{ ...key, other: 'region', sides: 'key-region' },
    ...{ broken: byRegion.condition, further: [] },
  })),
];

export const accessTwoReasonsFaults: readonly Fault[] = each(
  inTwos,
  ({ one, condition, broken, fits, further }) => ({
    'owners.two-reasons-{one}-{other}': together(
      ...(one === 'no-key' ? [keylessNamed] : []),
      ...further,
      bothBroken(condition, broken, fits),
    ),
  }),
);
