import {
  assumeServed,
  check,
  type Exchange,
  errorBody,
  expect,
  expectValue,
  Inconclusive,
  idOf,
  isRefused,
  outcome,
  type StoredOperationName,
  scenario,
} from '../../harness/index.ts';
import { lookupControl } from '../scenarios/baselines.ts';
import { judgeLooks, lastLook } from '../scenarios/last-look.ts';
import {
  belongsTo,
  checkDenied,
  checkNotRead,
  checkTwiceDenied,
  judgePoints,
  pointsFor,
  servedOf,
} from '../scenarios/points/judged.ts';
import { assumeCancelledInTime } from '../scenarios/running/background-runs.ts';
import { expectNoneBefore, namedBefore } from '../scenarios/stored/named-before.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import { unknownLike } from '../scenarios/stored/stored-responses.ts';
import { identicalByOtherUser, otherUserAtHome, sameUserWorks } from './key-controls.ts';

checkDenied('access/owners.other-user-denied', ['other-user'], otherUserAtHome);

checkDenied('access/owners.running-denied', ['other-user'], otherUserAtHome);

/** A request without a valid key has no user. */
checkDenied('access/owners.key-required', ['no-key', 'unknown-key']);

checkTwiceDenied('access/owners.two-reasons-denied');

check('access/owners.identical-requests-separate', identicalByOtherUser, ({ owners, created }) => {
  assumeServed([owners.created, created]);
  const ownersId = idOf(owners.created);
  expectValue(idOf(created), { as: "the id of the other user's response", of: created }).toBe(
    `not ${ownersId}, which is the owner's`,
    (id) => id !== ownersId,
  );
});

/** A second key of the same user performs each operation on the owner's stored response. */
check.each('access/owners.same-user-served', (operation: StoredOperationName) => ({
  on: { tried: pointsFor['second-key'], able: sameUserWorks, control: served[operation] },
  judge: ({ tried, able }) =>
    judgePoints(
      tried,
      belongsTo(`access/owners.same-user-served:${operation}`),
      ({ cell, attempt, made }) => {
        assumeServed([...able, made.seen]);
        if (operation === 'cancel') {
          assumeCancelledInTime({ cancel: attempt, lookups: [made.seen] });
        }
        expect(attempt).toBeServed(servedOf(cell));
      },
    ),
}));

checkNotRead('access/owners.indirect-access-denied', 'other-user', otherUserAtHome);

const asOtherUser = { key: 'otherUser' } as const;

/** Another user names the owner's response in the body of a protocol that continues no response. */
const inOtherBodies = namedBefore({
  name: 'access/owners/other-body',
  as: asOtherUser,
  keys: ['otherUser'],
  permittedFor: 'otherUser',
});

check.each('access/owners.other-bodies-denied', (protocol: 'chat-completions' | 'generative') => ({
  on: inOtherBodies[protocol],
  judge: expectNoneBefore,
}));

/** Another user requests the owner's response, and one that does not exist. */
const askedByOtherUser = scenario(
  'access/owners/asked',
  {
    needs: { keys: ['otherUser'] },
    after: { own: identicalByOtherUser, lookupControl },
    cost: { requests: 4, generations: 0, refused: 2, chain: 1 },
  },
  async (io, { own: { owners } }) => {
    const real = idOf(owners.created);
    const id = unknownLike(real);
    const look = (lane: string, of: string) => io.lane(lane).responses.lookup(of, asOtherUser);
    const goOn = (lane: string, previous_response_id: string) =>
      io.lane(lane).responses.create({ previous_response_id }, asOtherUser);
    const [ownersLookup, noLookup, ownersNext, noNext] = await Promise.all([
      look('lookup', real),
      look('no-lookup', id),
      goOn('continue', real),
      goOn('no-continue', id),
    ]);
    return [
      { operation: 'lookup', owners: ownersLookup, unknown: noLookup },
      { operation: 'continuation', owners: ownersNext, unknown: noNext },
    ];
  },
);

check('access/owners.denial-matches-unknown-id', askedByOtherUser, (asked) => {
  for (const { operation, owners, unknown } of asked) {
    assumeRefused(owners);
    assumeRefused(unknown);
    const as = `the denial of a ${operation}`;
    expectValue(denialOf(owners), { as, of: owners }).toEqual(denialOf(unknown));
  }
});

/** Leaves a check undecided if the request is not denied, because another check judges that. */
function assumeRefused(exchange: Exchange): void {
  if (isRefused(exchange)) return;
  throw new Inconclusive(`not denied, but ${outcome(exchange)}`, exchange);
}

function denialOf(exchange: Exchange): object {
  return { status: exchange.response?.status, code: errorBody(exchange)?.code ?? null };
}

check(
  'access/owners.denied-at-the-end',
  { lastLook, tried: pointsFor['other-user'], control: lookupControl },
  ({ lastLook, control: { baseline: control } }) =>
    judgeLooks(lastLook, 'denied', ({ now }) => {
      expect(now).toBeRefused({ control });
    }),
);
