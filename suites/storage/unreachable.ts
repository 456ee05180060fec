import { idOf, type Scenario, type StoredOperation, scenario } from '../../harness/index.ts';
import { baseline, ownInput, readable } from '../scenarios/baselines.ts';
import { continued } from '../scenarios/served-operations.ts';
import type { Subject } from '../scenarios/stored-responses.ts';
import { unknownLike } from '../scenarios/unknown-ids.ts';

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
    after: { control: baseline.lookup, continued },
    cost: { requests: 3, generations: 1, chain: 2 },
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

/** The id of no response, in the form of one: letters and digits of a real one, moved on. */
export const unknown = scenario(
  'responses/unknown',
  { after: { real: readable }, cost: { requests: 0, generations: 0 } },
  async (_, { real: { id, secret } }): Promise<Subject> => ({ id: unknownLike(id), secret }),
);
