import {
  type Exchange,
  Inconclusive,
  type Io,
  idOf,
  type Scenario,
  type StoredOperation,
  scenario,
} from '../../harness/index.ts';
import { ordinary, ownInput, readable } from '../ordinary.ts';
import { continued } from '../served-operations.ts';
import { type Subject, storedResponse } from '../stored-responses.ts';
import { unknownLike } from '../unknown-ids.ts';

/** A response that was not stored; of the model that serves the operation, where that matters. */
export function unstored({ name }: StoredOperation): Scenario<Subject> {
  return name === 'continue-websocket' ? unstoredOverWebsocket : unstoredResponse;
}

const unstoredResponse = notStored('responses/unstored', []);
const unstoredOverWebsocket = notStored('responses/unstored-over-websocket', ['websocket']);

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

/** A streamed response that was not stored, and what a lookup and a continuation of it came to. */
export const streamedUnstored = scenario(
  'responses/streamed-unstored',
  {
    needs: { model: { speaks: 'responses', supports: ['stream:responses'] } },
    after: { control: ordinary.lookup, continued },
    cost: { requests: 3, generations: 1, chain: 2 },
  },
  async (io, { control, continued: { served } }) => {
    const { input, secret } = ownInput(io);
    const id = idOf(await io.responses.stream({ input, store: false }));
    const [lookup, continuation] = await Promise.all([
      io.responses.lookup(id),
      io.lane('continued').responses.create({ previous_response_id: id }),
    ]);
    return { attempts: [lookup, continuation], secret, controls: [control.ordinary, served] };
  },
);

/** The id of no response, in the form of one: letters and digits of a real one, moved on. */
export const unknown = scenario(
  'responses/unknown',
  { after: { real: readable }, cost: { requests: 0, generations: 0 } },
  async (_, { real: { id, secret } }): Promise<Subject> => ({ id: unknownLike(id), secret }),
);

/** A stored response a day before its retention ends. */
export const kept = scenario(
  'responses/kept',
  {
    needs: { probes: ['clock'] },
    after: { stored: storedResponse('responses/to-be-aged'), control: ordinary.lookup },
    cost: { requests: 3, generations: 0 },
  },
  async (io, { stored, control }) => {
    await age(io, stored.id, io.target.retentionDays - 1);
    const lookup = await io.responses.lookup(stored.id);
    return { stored, lookup, control: control.ordinary };
  },
);

/** The same two days after its retention has ended. */
export const expired = scenario(
  'responses/expired',
  { after: { kept }, cost: { requests: 2, generations: 0 } },
  async (io, { kept: { stored } }): Promise<Subject> => {
    await age(io, stored.id, io.target.retentionDays + 2);
    return stored;
  },
);

/** @throws {Inconclusive} when no clock probe knows the response */
async function age(io: Io, id: string, days: number): Promise<void> {
  const answers: readonly Exchange[] = await io.probes.age(id, days * 86_400);
  const done = answers.some(({ response }) => response !== null && response.status < 300);
  const [first = null] = answers;
  if (!done) throw new Inconclusive('no clock probe took the stored response', first);
}
