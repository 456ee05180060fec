import {
  type ClientIo,
  type ClientSession,
  clientCheck,
  clientScenario,
  type Script,
  saidBy,
} from '../../harness/features/sessions/index.ts';
import {
  asksForStream,
  type Exchange,
  ExpectationFailed,
  generatedText,
  Inconclusive,
  NothingToJudge,
  type Protocol,
  streamingProtocols,
} from '../../harness/index.ts';
import { assumeInTime, endOf, sentIn } from './judged.ts';

/** Ways to write a stream that leave its events unchanged. */
const ways = ['whole', 'bytes', 'joined', 'crlf', 'comments'] as const;

/** Protocols whose sources announce events of other types. */
const withOtherEvents: readonly Protocol[] = ['responses', 'messages'];

const framed = clientScenario(
  'client/framed',
  { protocols: streamingProtocols, starts: ways.length + 2 },
  (client) => {
    const all = withOtherEvents.includes(client.protocol) ? [...ways, 'unknown' as const] : ways;
    return besideOrdinary(
      client,
      all.map((framing) => ({ framing })),
    );
  },
);

clientCheck('client/stream.event-by-event', framed, expectSameText);

const lookalike = clientScenario(
  'client/lookalike',
  { protocols: streamingProtocols, starts: 2 },
  (client) => besideOrdinary(client, [{ framing: 'lookalike' }]),
);

clientCheck('client/stream.own-parser', lookalike, expectSameText);

/** Excludes Chat Completions, where only the text has several types. */
const withUnknownItem = clientScenario(
  'client/unknown-item',
  { protocols: ['responses', 'messages', 'generative'], starts: 2 },
  (client) => besideOrdinary(client, [{ unknownItem: true }]),
);

clientCheck('client/stream.unknown-tolerated', withUnknownItem, expectSameText);

interface Framed {
  /** Session with ordinary framing. */
  readonly control: ClientSession;
  readonly sessions: readonly ClientSession[];
}

/** Contains characters of several bytes, which the answer repeats. */
const prompt = (word: string) => `Write one short sentence about the name ${word} Žofie 東京.`;

async function besideOrdinary(client: ClientIo, scripts: readonly Script[]): Promise<Framed> {
  // Starts run concurrently: if one is interrupted, none waits for the others.
  const [control, ...sessions] = await Promise.all([
    client.start({ stream: true, prompt }),
    ...scripts.map((script) => client.start({ stream: true, prompt, script })),
  ]);
  return { control, sessions };
}

/** Judges that the client prints the generated text in any framing, given that it does in the ordinary one. */
function expectSameText({ control, sessions }: Framed): void {
  const failed = wrongText(control);
  if (failed !== null) {
    throw new Inconclusive(
      `the client does not print the text of an ordinary stream either: ${failed.actual}`,
    );
  }
  for (const session of sessions) {
    const wrong = wrongText(session);
    if (wrong !== null) throw wrong;
  }
}

/** Returns the failure of the text that a client printed, or null. */
function wrongText(session: ClientSession): ExpectationFailed | null {
  const streams = sentIn(session)
    .map(({ exchange }) => exchange)
    .filter((exchange) => asksForStream(exchange));
  const exchange = streams.at(-1);
  if (exchange === undefined) throw new NothingToJudge('the client did not ask for a stream');
  if (session.run.problem !== null) throw new Inconclusive(session.run.problem);
  const said = saidBy(session);
  // If the client left the stream, this is the text that it had received by then.
  const textOf = (one: Exchange): string => generatedText(one).trim();
  if (streams.some((one) => one.failure === null && textOf(one) === said?.text)) return null;
  assumeInTime(session);
  const text = textOf(exchange);
  const { framing = 'ordinary', unknownItem = false } = session.script;
  const how = unknownItem ? 'with a type that nobody knows behind it' : framing;
  return new ExpectationFailed(
    `the text of the stream (${how}): “${text}”`,
    said === null || said.text === '' ? `no text: ${endOf(session)}` : `“${said.text}”`,
    exchange,
  );
}
