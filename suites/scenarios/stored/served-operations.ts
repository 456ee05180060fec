import {
  type Captures,
  type Exchange,
  type Scenario,
  type StoredOperation,
  type StoredOperationName,
  scenario,
  storedOperations,
  type View,
  view,
} from '../../../harness/index.ts';
import { baseline, readable } from '../baselines.ts';
import {
  identified,
  type Stored,
  storedResponse,
  streamedInBackground,
} from './stored-responses.ts';

/** An operation, done by the owner in the original region: the control of every denial. */
export interface Served {
  readonly served: Exchange;
}

const readableOverWebsocket = storedResponse('stored/readable-over-websocket', {
  supports: ['websocket'],
});

/** A stream of a response that runs in the background, read to its end. */
export const backgroundStream = streamedInBackground('stored/background-stream');

/** The response whose events can be read again, and that nothing changes. */
export const recoverable = identified(backgroundStream);

/**
 * A stored response of the kind that an operation is served for; shared, so only for what leaves it
 * as it is. @throws for an operation that changes it
 */
function readableFor({ name, changes, streamed }: StoredOperation): View<Stored> {
  if (changes) throw new Error(`${name} changes a stored response: give it one of its own`);
  if (streamed) return recoverable;
  return name === 'continue-websocket' ? readableOverWebsocket : readable;
}

/** The second turn of a conversation: the first is the readable response, with the same input. */
export const continued = scenario(
  'stored/continued',
  { after: { first: readable }, cost: { requests: 1, generations: 1, continues: 1 } },
  async ({ responses }, { first }) => {
    const { id, input } = first;
    const second = await responses.create({ previous_response_id: id, input, store: true });
    return { first, second, served: second };
  },
);

/** Each operation, done once in a run where it has to work. */
export const served: Readonly<Record<StoredOperationName, Captures<Served>>> = {
  lookup: baselineOf('lookup'),
  'input-items': baselineOf('input-items'),
  continue: continued,
  'continue-websocket': performed('continue-websocket'),
  recover: performed('recover'),
  cancel: baselineOf('cancel'),
  delete: baselineOf('delete'),
};

function baselineOf(name: 'lookup' | 'input-items' | 'cancel' | 'delete'): View<Served> {
  return view({ done: baseline[name] }, ({ done }) => ({ served: done.baseline }));
}

function performed(name: 'continue-websocket' | 'recover'): Scenario<Served> {
  const operation = storedOperations[name];
  return scenario(
    `stored/served/${name}`,
    {
      after: { stored: readableFor(operation) },
      cost: {
        requests: 1,
        generations: operation.generates ? 1 : 0,
        continues: operation.generates ? 1 : 0,
      },
    },
    async ({ responses }, { stored: { id } }) => ({
      served: await operation.perform(responses, id),
    }),
  );
}
