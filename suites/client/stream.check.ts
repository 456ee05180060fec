import {
  type ClientSession,
  clientCheck,
  clientScenario,
  type Script,
  saidBy,
} from '../../harness/features/sessions/index.ts';
import {
  asksForStream,
  contentOf,
  type Exchange,
  ExpectationFailed,
  Inconclusive,
  NothingToJudge,
  type Protocol,
  streamingProtocols,
} from '../../harness/index.ts';
import { assumeInTime, endOf, expectOneGeneration, sentIn } from './judged.ts';

/** Ways to write a stream that leave its events unchanged. */
const ways = ['whole', 'bytes', 'joined', 'crlf', 'comments'] as const;

/** Protocols whose sources announce events of other types. */
const withOtherEvents: readonly Protocol[] = ['responses', 'messages'];

/** Content that is no text of the answer, and the protocols that know it. */
const besides = {
  unknown: streamingProtocols,
  thoughts: ['responses', 'messages', 'generative'],
  calls: streamingProtocols,
  refusals: ['responses', 'chat-completions'],
} as const satisfies Readonly<Record<string, readonly Protocol[]>>;
const kinds = ['unknown', 'thoughts', 'calls', 'refusals'] as const;

/** Contains characters of several bytes, which the answer repeats. */
const prompt = (word: string) => `Write one short sentence about the name ${word} Žofie 東京.`;

/** A stream in its ordinary form and in each other; with content besides the text, and cut at its limit, also in a body. */
const framed = clientScenario(
  'client/framed',
  { protocols: streamingProtocols, starts: ways.length + 13 },
  ({ start, protocol }) => {
    const known = kinds.filter((kind) => besides[kind].some((one) => one === protocol));
    const contents: readonly Script[] = [
      ...known.map((beside) => ({ beside })),
      { truncated: true },
    ];
    const framings = withOtherEvents.includes(protocol) ? [...ways, 'unknown' as const] : ways;
    const streams = [
      {},
      ...framings.map((framing) => ({ framing })),
      { framing: 'lookalike' } as const,
    ];
    // Starts run concurrently: if one is interrupted, none waits for the others.
    return Promise.all([
      ...[...streams, ...contents].map((script) => start({ stream: true, prompt, script })),
      ...contents.map((script) => start({ prompt, script })),
    ]);
  },
);

/**
 * Judges that the client prints the text in the starts with these scripts, given that it does in the ordinary one.
 *
 * @param mayFail true if the client need not take the answer for whole
 */
function expectText(fits: (script: Script) => boolean, mayFail = false) {
  return ([control, ...others]: readonly ClientSession[]) => {
    const asked = others.filter(({ script }) => fits(script));
    const known = asked.filter(({ run }) => run.answer?.unsupported !== true);
    if (known.length === 0 || control === undefined) {
      throw new NothingToJudge('the client is asked for no such answer, or knows none');
    }
    const around = printedAround(control);
    const failed = known.some(({ stream }) => stream) ? wrongText(control, around) : null;
    if (failed !== null) {
      const what = 'the client does not print the text of an ordinary stream either';
      throw new Inconclusive(`${what}: ${failed.actual}`);
    }
    for (const session of known) {
      const isRefused = mayFail && saidBy(session)?.outcome !== 'complete';
      const wrong = isRefused ? null : wrongText(session, around);
      if (wrong !== null) throw wrong;
    }
  };
}

clientCheck(
  'client/stream.event-by-event',
  framed,
  expectText(({ framing = 'lookalike' }) => framing !== 'lookalike'),
);
clientCheck(
  'client/stream.own-parser',
  framed,
  expectText((one) => one.framing === 'lookalike'),
);
clientCheck(
  'client/stream.unknown-tolerated',
  framed,
  expectText((one) => one.beside === 'unknown'),
);
clientCheck.each('client/answers.text-alone', (kind) => ({
  on: framed,
  // A client need not bear what it did not ask for.
  judge: expectText(({ beside }) => beside === kind, kind !== 'thoughts'),
}));
clientCheck('client/answers.cut-at-limit', framed, (sessions) => {
  expectText(({ truncated = false }) => truncated)(sessions);
  for (const session of sessions.filter(({ script }) => script.truncated)) {
    expectOneGeneration(session, sessions[0] ?? session, ', where the answer ends at its limit');
  }
});

function answersIn(session: ClientSession): readonly Exchange[] {
  return sentIn(session)
    .map(({ exchange }) => exchange)
    .filter((exchange) => !session.stream || asksForStream(exchange));
}

const textOf = (one: Exchange): string => contentOf(one).text.trim();

/** Returns what a client without tasks prints before and after a text, such as lines of a log. */
function printedAround(session: ClientSession): readonly [string, string] {
  const printed = session.run.answer === null ? (saidBy(session)?.text ?? '') : '';
  const text = answersIn(session).map(textOf).at(-1) ?? '';
  const [before = '', ...after] = text === '' ? [] : printed.split(text);
  return after.length === 1 ? [before, after.join()] : ['', ''];
}

/** Returns the failure of the text that a client printed, or null. */
function wrongText(
  session: ClientSession,
  [before, after]: readonly [string, string],
): ExpectationFailed | null {
  const answers = answersIn(session);
  const exchange = answers.at(-1);
  if (exchange === undefined) throw new NothingToJudge('the client did not ask for a stream');
  if (session.run.problem !== null) throw new Inconclusive(session.run.problem);
  const said = saidBy(session);
  // If the client left the stream, this is the text that it had received by then.
  const isSaid = (one: Exchange): boolean => `${before}${textOf(one)}${after}` === said?.text;
  if (answers.some((one) => one.failure === null && isSaid(one))) return null;
  assumeInTime(session);
  const text = textOf(exchange);
  const { framing, beside, truncated } = session.script;
  const form = truncated === true ? 'cut at its limit' : (framing ?? 'ordinary');
  const how = beside === undefined ? form : `${beside} beside it`;
  return new ExpectationFailed(
    `the text of the answer (${how}): “${text}”`,
    said === null || said.text === '' ? `no text: ${endOf(session)}` : `“${said.text}”`,
    exchange,
  );
}
