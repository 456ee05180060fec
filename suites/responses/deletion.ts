import {
  type Exchange,
  expectValue,
  Inconclusive,
  idOf,
  responsesFindings,
  type Scenario,
  type StoredOperation,
  scenario,
  textAt,
} from '../../harness/index.ts';
import { readable } from '../ordinary.ts';
import { identified, longRun, type Subject, storedResponse, witness } from '../stored-responses.ts';

/** A stored response that is there to be deleted, and no other check reads. */
export const disposable = identified('responses/disposable', witness);

/** A foreground response cannot be cancelled: tried on the one that goes next anyway. */
export const foregroundCancelled = scenario(
  'responses/foreground-cancelled',
  { after: { subject: disposable }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { subject }) => ({
    subject,
    attempt: await responses.cancel(subject.id),
  }),
);

export const deleted = scenario(
  'responses/deleted',
  {
    after: { tried: foregroundCancelled, other: readable },
    cost: { requests: 2, generations: 0 },
  },
  async ({ responses }, { tried: { subject }, other }) => ({
    ...subject,
    deletion: await responses.delete(subject.id),
    other: await responses.lookup(other.id),
  }),
);

/** A response that is deleted or cancelled while it runs and its stream is open. */
export interface Stopped extends Subject {
  readonly stream: Exchange;
  /** What the deletion or the cancel was answered. */
  readonly stop: Exchange;
}

export const deletedWhileStreaming = stoppedWhileStreaming(
  'responses/deleted-while-running',
  'delete',
);

export const cancelledWhileStreaming = stoppedWhileStreaming(
  'responses/cancelled-while-running',
  'cancel',
);

function stoppedWhileStreaming(name: string, how: 'cancel' | 'delete'): Scenario<Stopped> {
  return scenario(
    name,
    {
      needs: { model: { speaks: 'responses', supports: ['background', 'stream:responses'] } },
      cost: { requests: 2, generations: 1 },
    },
    async (io) => {
      const secret = io.word();
      let stop: Promise<Exchange> | undefined;
      const stream = await io.responses.stream(
        {
          ...longRun(secret),
          store: true,
          background: true,
        },
        {
          onFirstEvent(data) {
            const id = responseIdIn(data);
            if (id !== null) stop = io.lane(how).responses[how](id);
          },
        },
      );
      const id = idOf(stream);
      // A gateway may name the response no earlier than with a later event.
      stop ??= io.lane(how).responses[how](id);
      return { id, secret, stream, stop: await stop };
    },
  );
}

/** The last event of the open stream of a run that was stopped. @throws {Inconclusive} without one */
export function endOf(stream: Exchange): string | null {
  const findings = responsesFindings(stream, { cancelled: true });
  if (stream.failure?.kind === 'timeout' || findings === null || findings.ownEvents === 0) {
    throw new Inconclusive('there was no stream to be ended, or no end of it', stream);
  }
  return findings.terminal;
}

/** Judges the open stream of a run that was stopped; how else it ends is documented nowhere. */
export function expectEndedEarly(stream: Exchange, stop: Exchange): void {
  const end = endOf(stream);
  if (end === 'response.completed' && stream.times.ended <= stop.times.ended) {
    throw new Inconclusive('the run ended before it was stopped', stream);
  }
  expectValue(end, { as: 'the end of the open stream', of: stream }).toBe(
    'not response.completed',
    (type) => type !== 'response.completed',
  );
}

function responseIdIn(data: string): string | null {
  try {
    return textAt(JSON.parse(data), 'response.id');
  } catch {
    return null;
  }
}

/** A deleted response of the kind that an operation would be served for. */
export function deletedFor({ name, background }: StoredOperation): Scenario<Subject> {
  if (background) return deletedInBackground;
  return name === 'continue-websocket' ? deletedOverWebsocket : deletedResponse;
}

const deletedResponse = onceDeleted('responses/deleted-for-good', deleted);
const deletedInBackground = onceDeleted(
  'responses/deleted-in-background',
  scenario(
    'responses/deletion-in-background',
    { after: { stopped: deletedWhileStreaming }, cost: { requests: 0, generations: 0 } },
    async (_, { stopped: { id, secret, stop } }) => ({ id, secret, deletion: stop }),
  ),
);
const deletedOverWebsocket = onceDeleted(
  'responses/deleted-over-websocket',
  scenario(
    'responses/deletion-over-websocket',
    {
      after: {
        subject: storedResponse('responses/disposable-over-websocket', { supports: ['websocket'] }),
      },
      cost: { requests: 1, generations: 0 },
    },
    async ({ responses }, { subject }) => ({
      ...subject,
      deletion: await responses.delete(subject.id),
    }),
  ),
);

/** That a deletion is served is judged elsewhere: without it there is nothing to be denied. */
function onceDeleted(
  name: string,
  by: Scenario<Subject & { readonly deletion: Exchange }>,
): Scenario<Subject> {
  return scenario(
    name,
    { after: { by }, cost: { requests: 0, generations: 0 } },
    async (_, { by: { id, secret, deletion } }) => {
      const status = deletion.response?.status ?? 0;
      if (status >= 200 && status < 300) return { id, secret };
      throw new Inconclusive('the response was not deleted', deletion);
    },
  );
}
