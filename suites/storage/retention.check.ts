import {
  assumeServed,
  type Captures,
  check,
  checkEach,
  type Exchange,
  each,
  expect,
  Inconclusive,
  type Io,
  type Scenario,
  type StoredOperation,
  scenario,
} from '../../harness/index.ts';
import { baseline, ownInput } from '../scenarios/baselines.ts';
import { attempts, expectDenied } from '../scenarios/stored/attempts.ts';
import {
  expectNotReadable,
  type IndirectOperation,
  throughIndirectAccess,
} from '../scenarios/stored/indirect-access.ts';
import { served } from '../scenarios/stored/served-operations.ts';
import {
  identified,
  type Subject,
  storedResponse,
  streamedInBackground,
} from '../scenarios/stored/stored-responses.ts';

/** A stored response a day before its retention ends: looked up, read and continued. */
const kept = scenario(
  'storage/retention/kept',
  {
    needs: { probes: ['clock'] },
    after: {
      subject: storedResponse('storage/retention/to-be-aged'),
      lookup: baseline.lookup,
      inputItems: baseline['input-items'],
      continued: served.continue,
    },
    cost: { requests: 5, generations: 1 },
  },
  async (io, { subject, lookup, inputItems, continued }) => {
    const { id } = subject;
    await age(io, id, io.target.retentionDays - 1);
    const [found, items, next] = await Promise.all([
      io.responses.lookup(id),
      io.lane('items').responses.inputItems(id),
      io.lane('continued').responses.create({ previous_response_id: id }),
    ]);
    return {
      subject,
      attempts: [
        { attempt: found, control: lookup.baseline },
        { attempt: items, control: inputItems.baseline },
        { attempt: next, control: continued.served },
      ],
    };
  },
);

/** @throws {Inconclusive} when no clock probe knows the response */
async function age(io: Io, id: string, days: number): Promise<void> {
  const answers: readonly Exchange[] = await io.probes.age(id, days * 86_400);
  const done = answers.some(({ response }) => response !== null && response.status < 300);
  const [first = null] = answers;
  if (!done) throw new Inconclusive('no clock probe took the stored response', first);
}

check('storage/responses.kept-30-days', kept, ({ attempts }) => {
  assumeServed(attempts.map(({ control }) => control));
  for (const { attempt } of attempts) expect(attempt).toBeServed();
});

/** How an aged response was made: not by a plain request in one body. */
type AgedCreationMode = 'stream' | 'background' | 'websocket';

const one = { requests: 1, generations: 1 };

const made: Readonly<Record<AgedCreationMode, Captures<Subject>>> = {
  stream: identified(
    scenario(
      'storage/retention/stream',
      { needs: { model: { speaks: 'responses', supports: ['stream:responses'] } }, cost: one },
      async (io) => {
        const { input, secret } = ownInput(io);
        return { created: await io.responses.stream({ input, store: true }), input, secret };
      },
    ),
  ),
  background: identified(streamedInBackground('storage/retention/background')),
  websocket: scenario(
    'storage/retention/turn',
    { needs: { model: { speaks: 'responses', supports: ['websocket'] } }, cost: one },
    async (io) => {
      const { input, secret } = ownInput(io);
      const session = await io.responses.connect();
      const { responseId: id } = await io.responses.turn(session, { input, store: true });
      const turn = await session.exchange();
      if (id === null) throw new Inconclusive('no turn was made', turn);
      return { secret, id };
    },
  ),
};

/** Each of them a day before its retention ends. */
const keptByMode = each(['stream', 'background', 'websocket'], (way: AgedCreationMode) =>
  scenario(
    `storage/retention/kept/${way}`,
    {
      needs: { probes: ['clock'] },
      after: { subject: made[way] },
      cost: { requests: 4, generations: 0 },
    },
    async (io, { subject }) => {
      const control = await io.responses.lookup(subject.id);
      await age(io, subject.id, io.target.retentionDays - 1);
      const lookup = await io.responses.lookup(subject.id);
      return { subject, lookup, control };
    },
  ),
);

checkEach('storage/responses.kept-by-creation-mode', (made: AgedCreationMode) => ({
  on: keptByMode[made],
  judge: ({ lookup, control }) => {
    assumeServed(control);
    expect(lookup).toBeServed();
  },
}));

/** Two days after its retention has ended. */
const expired = aged('storage/retention/expired', kept);

const expiredByMode = each(['background', 'websocket'], (way) =>
  aged(`storage/retention/expired/${way}`, keptByMode[way]),
);

function aged(name: string, kept: Scenario<{ readonly subject: Subject }>): Scenario<Subject> {
  return scenario(
    name,
    { needs: { probes: ['clock'] }, after: { kept }, cost: { requests: 2, generations: 0 } },
    async (io, { kept: { subject } }) => {
      await age(io, subject.id, io.target.retentionDays + 2);
      return subject;
    },
  );
}

const onExpired = attempts({ name: 'storage/retention/after', subject: expiredFor });

/** An expired response of the kind that an operation would be served for. */
function expiredFor({ name, streamed }: StoredOperation): Scenario<Subject> {
  if (streamed) return expiredByMode.background;
  return name === 'continue-websocket' ? expiredByMode.websocket : expired;
}

checkEach('storage/responses.gone-after-retention', (operation: keyof typeof onExpired) => ({
  on: onExpired[operation],
  judge: expectDenied,
}));

const expiredIndirectly = throughIndirectAccess({
  name: 'storage/retention/indirect',
  subject: expired,
});

checkEach('storage/responses.expired-indirect-access-denied', (operation: IndirectOperation) => ({
  on: expiredIndirectly[operation],
  judge: expectNotReadable,
}));
