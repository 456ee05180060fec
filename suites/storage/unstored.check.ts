import {
  actRequest,
  check,
  designs,
  expect,
  type StoredOperationName,
  scenario,
  view,
} from '../../harness/index.ts';
import { baseline, readable } from '../scenarios/baselines.ts';
import { present } from '../scenarios/exchanges.ts';
import { callLimitAt } from '../scenarios/generations/generation-calls.ts';
import { judgeLooks, lastLook } from '../scenarios/last-look.ts';
import { checkDenied, checkNotRead } from '../scenarios/points/judged.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import { expectNotServed, finalAnswer, unknownLike } from '../scenarios/stored/stored-responses.ts';

checkDenied('storage/responses.false-denies', ['unstored']);

checkNotRead('storage/responses.false-indirect-access-denied', 'unstored');

/** An unused response id in the form of a real one, with shifted letters and digits. */
const unknown = view({ readable }, ({ readable: { id, secret } }) => ({
  id: unknownLike(id),
  secret,
}));

/** Tries an operation on the unused id, a continuation in each of its forms, with its control. */
function onUnknown(operation: StoredOperationName) {
  const [plain, ...others] = designs.requestModes[operation];
  const forms = [plain, ...(operation === 'continue' ? others : [])];
  const refused = actRequest({ operation }).generates ? forms.length : 0;
  return scenario(
    `storage/unknown-id/${operation}`,
    {
      after: { unknown, control: served[operation] },
      cost: (target) => ({
        ...{ requests: forms.length, generations: 0, refused },
        // One form of a continuation forces a call, whose output limit is higher.
        ...(refused > 0 ? { outputTokens: callLimitAt(target) } : {}),
      }),
    },
    async (io, { unknown: { id, secret }, control }) => {
      const [attempt, ...besides] = await Promise.all(
        forms.map(async (requestMode) => {
          const lane = requestMode === plain ? io : io.lane(requestMode);
          const asked = await actRequest({ operation, requestMode }).send(lane, { id });
          return requestMode === 'background' ? finalAnswer(lane, asked, {}) : asked;
        }),
      );
      return { attempt: present(attempt, 'attempt'), besides, secret, control: [control.served] };
    },
  );
}

check.each('storage/responses.unknown-id-denied', (operation: StoredOperationName) => ({
  on: onUnknown(operation),
  judge: ({ attempt, besides, secret, control }) => {
    expect(attempt).toBeDenied({ secret: [secret], control });
    for (const one of besides) expectNotServed(one, control, [secret]);
  },
}));

check(
  'storage/responses.unstored-at-the-end',
  { lastLook, unstored: baseline.websocket, control: baseline.lookup },
  ({ lastLook, control: { baseline: control } }) =>
    judgeLooks(lastLook, 'unstored', ({ now }) => {
      expect(now).toBeRefused({ control });
    }),
);
