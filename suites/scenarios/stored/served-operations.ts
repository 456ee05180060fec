import {
  actRequest,
  assumeServed,
  type CallOptions,
  type Captures,
  contentOf,
  type Exchange,
  findingsOf,
  type GrammarRule,
  Inconclusive,
  type Io,
  idOf,
  isRefused,
  isServed,
  type StoredOperationName,
  scenario,
  turnsOf,
  type View,
  view,
} from '../../../harness/index.ts';
import { baseline, baselineStream, conversationInput, readable } from '../baselines.ts';
import { assumeDistinctIds, namesModel } from '../exchanges.ts';
import { shortTurn } from '../generations/generation-calls.ts';
import { costOf, sendInForms } from '../requests/request-forms.ts';
import { interruptedTurn } from '../running/interrupted-streams.ts';
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

/**
 * A new connection, after one was cut in the middle of a turn, continues that conversation. An invalid continuation
 * follows, with the output of a call that was never made, and a valid one.
 */
export const continuedOverWebsocket = scenario(
  'stored/served/continue-websocket',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    after: { stored: conversation, interrupted: interruptedTurn },
    cost: {
      ...costOf(['lower-case'], { requests: 3, generations: 1 }),
      ...{ fallback: 2, refused: 6, continues: 3 },
    },
  },
  async (io, { stored, interrupted: { control, seen } }) => {
    // A WebSocket is asked for a response of its own model.
    const isOwn = namesModel(stored.created, io.model.id);
    const id = isOwn ? stored.id : idOf(await io.responses.create({ store: true }));
    const talks: Exchange[] = [];
    const { clients, answer: served } = await sendInForms(io, ['lower-case'], async (as) => {
      const talk = await failedOnce(io, id, as);
      talks.push(talk);
      return turnsOf(talk)[0] ?? talk;
    });
    const next = isServed(served) ? served : await io.ask('websocket');
    return { control, seen, served, next, talk: talks.at(-1) ?? served, clients };
  },
);

async function failedOnce({ responses, word }: Io, id: string, as: CallOptions): Promise<Exchange> {
  const session = await responses.connect(as);
  const { responseId } = await responses.turn(session, { previous_response_id: id });
  if (responseId !== null) {
    const output = { type: 'function_call_output', call_id: `call_${word()}`, output: '1' };
    await responses.turn(session, { input: [output], previous_response_id: responseId });
    await responses.turn(session, { previous_response_id: responseId });
  }
  return session.exchange();
}

const recovered = scenario(
  'stored/served/recover',
  { after: { stored: recoverable }, cost: { requests: 1, generations: 0 } },
  async (io, { stored: { id } }): Promise<Served> => ({
    served: await actRequest({ operation: 'recover' }).send(io, { id }),
  }),
);

/** Each operation, done once per run where it has to work. */
export const served: Readonly<Record<StoredOperationName, Captures<Served>>> = {
  lookup: baselineOf('lookup'),
  'input-items': baselineOf('input-items'),
  continue: continued,
  'continue-websocket': continuedOverWebsocket,
  recover: recovered,
  cancel: baselineOf('cancel'),
  delete: baselineOf('delete'),
};

function baselineOf(name: 'lookup' | 'input-items' | 'cancel' | 'delete'): View<Served> {
  return view({ done: baseline[name] }, ({ done }) => ({ served: done.baseline }));
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
