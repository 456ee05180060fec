import {
  assumeServed,
  check,
  contentOf,
  type Exchange,
  each,
  expect,
  Inconclusive,
  type Io,
  isRefused,
  isServed,
  NothingToJudge,
  scenario,
  type View,
  view,
} from '../../harness/index.ts';
import { baseline, baselineStream } from '../scenarios/baselines.ts';
import { assumeDistinctIds } from '../scenarios/exchanges.ts';
import { expectNoneBefore, namedBefore } from '../scenarios/stored/named-before.ts';
import { unknownLike } from '../scenarios/stored/stored-responses.ts';
import { expectNoMoreRead } from '../scenarios/token-counts.ts';

/** Ways in which a stored message might be found. */
type Reach = 'get-message' | 'get-response' | 'previous-response-id';

/** Control of each way: the same request for a response that exists, so that a refusal proves something. */
const control = {
  'get-message': baseline.messages,
  'get-response': baseline.lookup,
  'previous-response-id': baseline.responses,
} as const;

const reach: Readonly<Record<Reach, (io: Io, id: string) => Promise<Exchange>>> = {
  'get-message': ({ raw }, id) =>
    raw.send({
      operation: 'messages.lookup',
      protocol: 'messages',
      method: 'GET',
      path: `/v1/messages/${encodeURIComponent(id)}`,
    }),
  'get-response': ({ responses }, id) => responses.lookup(id),
  'previous-response-id': ({ responses }, id) => responses.create({ previous_response_id: id }),
};

/** A message that requests storage, and names a stored response to continue. */
const askedToStore = namedBefore({
  name: 'storage/messages/asked-to-store',
  more: { store: true },
}).messages;

check('storage/messages.no-continuation', askedToStore, expectNoneBefore);

/** A message, and a word of its input. */
interface Message {
  readonly message: Exchange;
  readonly secret: string;
}

const messages = {
  'one-body': view({ one: baseline.messages }, ({ one: { baseline: message, secret } }) => ({
    message,
    secret,
  })),
  stream: view({ one: baselineStream.messages }, ({ one: { streamed: message, secret } }) => ({
    message,
    secret,
  })),
  'asked-to-store': view({ askedToStore }, ({ askedToStore: { through: message, secret } }) => ({
    message,
    secret,
  })),
} satisfies Readonly<Record<string, View<Message>>>;

type MadeBy = keyof typeof messages;

/** Uses the id of a message as if it had been stored, and an id that does not exist. */
const reachedMessage = each(
  ['get-message', 'get-response', 'previous-response-id'],
  (way: Reach) => {
    const refused = way === 'previous-response-id' ? 2 : 0;
    return each(['one-body', 'stream', 'asked-to-store'], (madeBy: MadeBy) => {
      const one: View<Message> = messages[madeBy];
      return scenario(
        `storage/messages/${way}/${madeBy}`,
        {
          after: { control: control[way], one },
          cost: { requests: 2, generations: 0, refused, chain: 1 },
        },
        async (io, { control, one: { message, secret } }) => {
          const id = contentOf(message).id;
          const reached =
            id === null
              ? null
              : await Promise.all([
                  reach[way](io, id),
                  reach[way](io.lane('unknown'), unknownLike(id)),
                ]);
          return { message, secret, reached, control: control.baseline };
        },
      );
    });
  },
);

check.each('storage/messages.not-offered', (way: Reach, madeBy: MadeBy) => ({
  on: reachedMessage[way][madeBy],
  judge: ({ message, secret, reached, control }) => {
    if (isRefused(message)) throw new NothingToJudge('such a message is refused');
    if (reached === null) {
      throw new Inconclusive('the message has no id to look it up by', message);
    }
    const [attempt, unknown] = reached;
    assumeServed(control);
    // A server with a constant answer stores nothing, and an occasional refusal by it proves nothing.
    assumeDistinctIds([message], [control]);
    expect(attempt).toShowNoneOf([secret]);
    // No source specifies the refusal. An answer that is not served shows nothing of a stored message.
    if (!isServed(attempt)) return;
    if (way !== 'previous-response-id' || !isServed(unknown)) {
      expect(attempt).toBeRefused();
    }
    // A gateway that ignores unknown ids stores nothing either, nor does a server with a constant answer.
    assumeDistinctIds([attempt], [unknown]);
    expectNoMoreRead(attempt, unknown);
  },
}));
