import {
  check,
  checkEach,
  type Exchange,
  expect,
  Inconclusive,
  idOf,
  lostBecause,
  type Scenario,
  type StoredOperation,
  type StoredOperationName,
  scenario,
  storedOperations,
  view,
} from '../../harness/index.ts';
import { baseline, ownInput, readable } from '../scenarios/baselines.ts';
import { attempts, expectDenied } from '../scenarios/stored/attempts.ts';
import {
  expectNotReadable,
  type IndirectOperation,
  throughIndirectAccess,
} from '../scenarios/stored/indirect-access.ts';
import { continued, served } from '../scenarios/stored/served-operations.ts';
import type { Subject } from '../scenarios/stored/stored-responses.ts';
import { unknownLike } from '../scenarios/stored/unknown-ids.ts';
import { conversation, turnOf } from '../scenarios/websocket/conversation.ts';

const unstoredOverWebsocket = notStored('storage/unstored-over-websocket', ['websocket']);

function notStored(name: string, supports: StoredOperation['needs']): Scenario<Subject> {
  return scenario(
    name,
    { needs: { model: { speaks: 'responses', supports } }, cost: { requests: 1, generations: 1 } },
    async (io) => {
      const { input, secret } = ownInput(io);
      return { secret, id: idOf(await io.responses.create({ input, store: false })) };
    },
  );
}

const unstoredResponse = notStored('storage/unstored-response', []);

const onUnstored = attempts({ name: 'storage/unstored', subject: unstored });

/** A response that was not stored; of the model that serves the operation, where that matters. */
function unstored({ name }: StoredOperation): Scenario<Subject> {
  return name === 'continue-websocket' ? unstoredOverWebsocket : unstoredResponse;
}

checkEach('storage/responses.false-denies', (operation: StoredOperationName) => ({
  on: onUnstored[operation],
  judge: expectDenied,
}));

/** A streamed response that was not stored, looked up and continued. */
const streamedUnstored = scenario(
  'storage/unstored-stream',
  {
    needs: { model: { speaks: 'responses', supports: ['stream:responses'] } },
    after: { control: baseline.lookup, continued },
    cost: { requests: 3, generations: 1, refused: 1, chain: 2 },
  },
  async (io, { control, continued: { served } }) => {
    const { input, secret } = ownInput(io);
    const id = idOf(await io.responses.stream({ input, store: false }));
    const [lookup, continuation] = await Promise.all([
      io.responses.lookup(id),
      io.lane('continued').responses.create({ previous_response_id: id }),
    ]);
    return { attempts: [lookup, continuation], secret, controls: [control.baseline, served] };
  },
);

check('storage/responses.false-streamed-denies', streamedUnstored, (unstored) => {
  const { attempts, controls: control, secret } = unstored;
  for (const attempt of attempts) expect(attempt).toBeDenied({ secret: [secret], control });
});

/** How a response with `store: false` was made: not by a first request over HTTP. */
type UnstoredTurn = 'websocket' | 'continuation';

interface Denied {
  readonly attempts: readonly Exchange[];
  readonly controls: readonly Exchange[];
}

/** Such responses of the conversation over WebSocket, asked for over HTTP. */
const unstoredTurns: Readonly<Record<UnstoredTurn, Scenario<Denied>>> = {
  // That it cannot be continued over HTTP is a row of its own.
  websocket: scenario(
    'storage/unstored-turn',
    { after: { conversation, control: baseline.lookup }, cost: { requests: 1, generations: 0 } },
    async ({ responses }, { conversation: { talk }, control }) => ({
      attempts: [await responses.lookup(idOf(turnOf(talk, 3)))],
      controls: [control.baseline],
    }),
  ),
  continuation: scenario(
    'storage/unstored-continuation',
    {
      after: { conversation, control: baseline.lookup, continued: served.continue },
      cost: { requests: 2, generations: 0, refused: 1, chain: 1 },
    },
    async ({ responses, lane }, { conversation: { talk, elsewhere }, control, continued }) => {
      const made = elsewhere?.storedOverHttp ?? null;
      if (made === null) {
        throw new Inconclusive(`no stored turn was continued over HTTP${lostBecause(talk)}`, talk);
      }
      const id = idOf(made);
      const attempts = await Promise.all([
        responses.lookup(id),
        lane('continued').responses.create({ previous_response_id: id }),
      ]);
      return { attempts, controls: [control.baseline, continued.served] };
    },
  ),
};

checkEach('storage/responses.false-denied-by-creation-mode', (made: UnstoredTurn) => ({
  on: unstoredTurns[made],
  judge: ({ attempts, controls: control }) => {
    for (const attempt of attempts) expect(attempt).toBeDenied({ secret: [], control });
  },
}));

/** The id of no response, in the form of one: letters and digits of a real one, moved on. */
const unknown = view({ readable }, ({ readable: { id, secret } }) => ({
  id: unknownLike(id),
  secret,
}));

const onUnknown = attempts({ name: 'storage/unknown-id', subject: () => unknown });

checkEach('storage/responses.unknown-id-denied', (operation: StoredOperationName) => ({
  on: onUnknown[operation],
  judge: expectDenied,
}));

const unstoredIndirectly = throughIndirectAccess({
  name: 'storage/unstored/indirect',
  subject: unstored(storedOperations.lookup),
});

checkEach('storage/responses.false-indirect-access-denied', (operation: IndirectOperation) => ({
  on: unstoredIndirectly[operation],
  judge: expectNotReadable,
}));
