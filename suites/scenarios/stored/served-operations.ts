import {
  actRequest,
  assumeServed,
  type Captures,
  contentOf,
  type Exchange,
  findingsOf,
  type GrammarRule,
  Inconclusive,
  idOf,
  isRefused,
  type Scenario,
  type StoredOperationName,
  scenario,
  type View,
  view,
} from '../../../harness/index.ts';
import { assumeDistinctIds } from '../assumptions.ts';
import { baseline, baselineStream, readable } from '../baselines.ts';
import { namesModel } from '../exchanges.ts';
import { conversationInput } from '../generations/conversations.ts';
import { shortTurn } from '../generations/generation-calls.ts';
import { identified, type Stored, streamedInBackground } from './stored-responses.ts';

/** An operation by the owner in the original region: the control of every denial. */
export interface Served {
  readonly served: Exchange;
}

/** A stream of a response that runs in the background, read to its end. */
export const backgroundStream = streamedInBackground('stored/background-stream');

/** A response whose events can be read again, and that no scenario changes. */
export const recoverable = identified(backgroundStream);

/** The stored conversation of long items, or the readable response where no list of items is accepted. */
const conversation: View<Pick<Stored, 'created' | 'id'>> = view(
  { said: conversationInput, readable },
  ({ said: { created }, readable: other }) => {
    if (isRefused(created)) return other;
    assumeDistinctIds([created], [other.created]);
    return { created, id: idOf(created) };
  },
);

/** Second turn of that conversation, so short that its count shows whether the first one was read. */
export const continued = scenario(
  'stored/continued',
  { after: { first: conversation }, cost: { requests: 1, generations: 1, continues: 1 } },
  async ({ responses }, { first }) => {
    const body = { previous_response_id: first.id, input: shortTurn, store: true };
    const second = await responses.create(body);
    return { first, second, served: second };
  },
);

/** Each operation, done once per run where it has to work. */
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

function performed(operation: 'continue-websocket' | 'recover'): Scenario<Served> {
  const request = actRequest({ operation });
  const generations = request.generates ? 1 : 0;
  return scenario(
    `stored/served/${operation}`,
    {
      ...(operation === 'recover'
        ? {}
        : { needs: { model: { speaks: 'responses', supports: ['websocket'] } } as const }),
      after: { stored: operation === 'recover' ? recoverable : conversation },
      cost: { requests: 2, generations, fallback: generations, continues: generations },
    },
    async (io, { stored }) => {
      // A WebSocket is asked for a response of its own model.
      const isOwn = operation === 'recover' || namesModel(stored.created, io.model.id);
      const id = isOwn ? stored.id : idOf(await io.responses.create({ store: true }));
      return { served: await request.send(io, { id }) };
    },
  );
}

/** Lookup of the stored stream. */
export const streamLookedUp = scenario(
  'stored/stream-looked-up',
  { after: { stream: baselineStream.responses }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { stream: { streamed } }) => ({
    streamed,
    lookup: await responses.lookup(idOf(streamed)),
  }),
);

/**
 * Returns the text of a complete stream that shows the same text in all places.
 *
 * @throws {Inconclusive} for any other stream; another check judges that
 */
export function wholeText(streamed: Exchange): string {
  assumeServed(streamed);
  const rules: readonly GrammarRule[] = ['deltas-join-to-text', 'one-terminal-last'];
  const violation = findingsOf(streamed)?.violations.find(({ rule }) => rules.includes(rule));
  if (violation === undefined) return contentOf(streamed).text;
  throw new Inconclusive(`the stream of ${contentOf(streamed).id} contradicts itself`, streamed);
}
