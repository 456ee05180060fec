import {
  type Ask,
  assumeServed,
  calledFunction,
  check,
  contentOf,
  type Exchange,
  ExpectationFailed,
  everywhere,
  expect,
  expectValue,
  Inconclusive,
  isRefused,
  isServed,
  json,
  NothingToJudge,
  optionalFeatures,
  over,
  protocolModules,
  type StreamingProtocol,
  streamingProtocols,
  tokenCounts,
  type View,
  view,
  viewOf,
  type WholeRun,
} from '../../harness/index.ts';
import { baselineOf } from '../scenarios/baselines.ts';
import {
  assumeIdsDiffer,
  creationOf,
  isCreation,
  isOf,
  namedModel,
  namesModel,
  onceFor,
  present,
  requestBody,
} from '../scenarios/exchanges.ts';
import { featured, isFeatured } from '../scenarios/generations/generation-calls.ts';
import {
  called,
  calledInStream,
  forbidden,
  isCalled,
} from '../scenarios/generations/tool-calls.ts';
import { everyModel } from '../scenarios/requests/models.ts';
import { fewestTokens } from '../scenarios/token-counts.ts';
import { askedFor } from './asked-requests.ts';

type ShownAsk = ReturnType<typeof optionalFeatures.shownBy>;

/** Optional features of a generation, by their catalogue names. */
const asks = {
  stop: 'stop',
  'structured-output': 'structured_output',
  logprobs: 'logprobs',
  candidates: 'candidates',
  images: 'images',
} as const satisfies Readonly<Record<string, Ask>>;

type Asked = keyof typeof asks | 'tool-choice' | 'no-call' | 'tools';

interface Subject {
  /** Null if the target file declares that the model supports the feature. */
  readonly undeclared: string | null;
  readonly answers: readonly Exchange[];
  /** Answer without the feature; null if no request was refused. */
  readonly control: Exchange | null;
  shown(answer: Exchange): ShownAsk;
}

function subject(protocol: StreamingProtocol, asked: Asked): View<Subject> {
  if (asked === 'tool-choice') {
    return view({ called: called[protocol] }, ({ called: { tried } }) => ({
      ...declared(tried.slice(0, 1).map(({ answer }) => answer)),
      shown: (answer) => forcedCallIn(answer, protocol),
    }));
  }
  if (asked === 'no-call') {
    return view({ forbidden: forbidden[protocol] }, ({ forbidden: { answer } }) => ({
      ...declared([answer]),
      shown: (answer) => noCallIn(answer, protocol),
    }));
  }
  const plain = baselineOf[protocol];
  if (asked === 'tools') {
    return view({ offered: calledInStream[protocol], plain }, ({ offered, plain }) => ({
      ...declared([offered.called]),
      shown: (answer) => offeredCallIn(answer, protocol, tokensOf(plain.baseline, offered.model)),
    }));
  }
  const ask = asks[asked];
  return view({ asked: askedFor[protocol] }, ({ asked }) => {
    const { model, answers, without, control } = present(asked.get(ask), `request for ${ask}`);
    const isDeclared = model.supports.includes(over(ask, protocol));
    const undeclared = isDeclared ? null : `${model.id} is not said to support \`${ask}\``;
    return {
      undeclared,
      answers,
      control,
      shown: (answer) => optionalFeatures.shownBy(answer, ask, protocol, without),
    };
  });
}

/** Returns the subject for tools, which are requested only from models that declare them. */
function declared(answers: readonly Exchange[]) {
  return { undeclared: null, answers, control: null };
}

/**
 * Calls that a declared capability promises. A model may refuse a forced call, and then call when it is free to
 * choose. A model that refuses every request for a call has no tools.
 */
function promisedCalls(protocol: StreamingProtocol): View<Subject> {
  const plain = baselineOf[protocol];
  return view(
    { called: called[protocol], plain },
    ({ called: { called, model, tried }, plain }) => {
      const answers = tried.map(({ answer }) => answer);
      const taken = answers.filter((answer) => !isRefused(answer, { capability: true }));
      const isFree = (answer: Exchange): boolean => tried.length > 2 && answer === called;
      return {
        ...declared(taken.length > 0 ? taken : [called]),
        shown: (answer) => {
          const shown = offeredCallIn(answer, protocol, tokensOf(plain.baseline, model));
          return shown.state === 'done' && isFree(answer)
            ? { state: 'open', why: declined }
            : shown;
        },
      };
    },
  );
}

/** Returns the token count of a plain request to the model; 0 for another model, which may count differently. */
function tokensOf(plain: Exchange, model: string): number {
  return namesModel(plain, model) ? (tokenCounts.prompt(plain) ?? 0) : 0;
}

const declined = 'the model declines to be forced, and calls where it is free';

check.each('generation/asked.supported-served', (protocol: StreamingProtocol, asked: Asked) => ({
  on: asked === 'tool-choice' ? promisedCalls(protocol) : subject(protocol, asked),
  judge: ({ undeclared, answers, shown }) => {
    if (undeclared !== null) throw new NothingToJudge(undeclared);
    for (const answer of answers) expect(answer).toBeServed();
    try {
      expectDone(answers.map((answer) => ({ answer, ...shown(answer) })));
    } catch (error) {
      // A declared stop sequence that never appeared is not known to work.
      if (asked !== 'stop' || !(error instanceof NothingToJudge)) throw error;
      throw new Inconclusive(`${error.message}: it is promised, and not shown`, answers);
    }
  },
}));

everywhere.each(
  'generation/asked.stop-kept',
  (protocol: 'chat-completions' | 'messages' | 'generative') => ({
    least: { asked: askedFor[protocol], added: featured[protocol] },
    which: isOf(protocol),
    judge: (answer) => {
      const asked = has(requestBody(answer), protocolModules[protocol].asking.fields.stop(''));
      if (!asked || !isServed(answer)) throw new NothingToJudge('no stop sequence is taken');
      const beyond = optionalFeatures
        .saidBy(answer)
        .flatMap(({ text }) =>
          optionalFeatures.values.stopSequences.filter((one) => text.includes(one)),
        );
      const as = 'stop sequences of the request in the text';
      expectValue(beyond, { as, of: answer }).toEqual([]);
    },
  }),
);

/** True if a body has all that a part of one has. */
function has(body: unknown, part: unknown): boolean {
  return json.isObject(part)
    ? Object.entries(part).every(([name, value]) => has(json.at(body, name), value))
    : JSON.stringify(body) === JSON.stringify(part);
}

/** Returns what a request asks for that an answer to it shows, however it was asked. */
function plainlyAsked(body: object, protocol: StreamingProtocol): 'call' | 'structure' | null {
  const { asking, tools } = protocolModules[protocol];
  if (has(body, asking.fields.structured_output(''))) return 'structure';
  const isForced = [tools.forcedCall(1, ''), tools.requiredCall(1, '')].some(
    ({ tool_choice, toolConfig }) => has(body, { tool_choice, toolConfig }),
  );
  return isForced ? 'call' : null;
}

check.each('generation/asked.not-ignored', (protocol: StreamingProtocol, asked: Asked) => ({
  on: subject(protocol, asked),
  judge: ({ answers, control, shown }) => {
    const served = answers.filter((one) => isServed(one));
    for (const answer of answers) {
      if (served.includes(answer)) continue;
      expect(answer).toBeRefused({ capability: true, control: control ?? [] });
    }
    expectDone(served.map((answer) => ({ answer, ...shown(answer) })));
  },
}));

function expectDone(all: readonly (ShownAsk & { readonly answer: Exchange })[]): void {
  for (const one of all) {
    if (one.state === 'not done') {
      throw new ExpectationFailed(one.expected, one.actual, one.answer);
    }
  }
  if (all.some(({ state }) => state === 'done')) return;
  for (const one of all) if (one.state === 'open') throw new NothingToJudge(one.why);
}

function forcedCallIn(answer: Exchange, protocol: StreamingProtocol): ShownAsk {
  if (isCalled(answer, protocol)) return { state: 'done' };
  if (isCutShort(answer, protocol)) return { state: 'open', why: cutShort };
  const actual = `an answer without any, that ended with ${contentOf(answer).ending}`;
  return { state: 'not done', expected: 'the call that the request forces', actual };
}

/** Judges a request that forbids calls, so that the model has to answer with text. */
function noCallIn(answer: Exchange, protocol: StreamingProtocol): ShownAsk {
  if (isCalled(answer, protocol)) {
    return { state: 'not done', expected: 'no call: the request forbids it', actual: 'a call' };
  }
  return isCutShort(answer, protocol) ? { state: 'open', why: cutShort } : { state: 'done' };
}

const cutShort = 'the answer came to its limit before it called';

function isCutShort(answer: Exchange, protocol: StreamingProtocol): boolean {
  return contentOf(answer).ending === protocolModules[protocol].endings.limit;
}

/**
 * Returns the evidence that a model was offered the function. The model decides if it calls, but its input tokens
 * show the function's description: no tokenizer merges two words into one token.
 *
 * @param without tokens of a short request without any function
 */
function offeredCallIn(answer: Exchange, protocol: StreamingProtocol, without: number): ShownAsk {
  if (isCalled(answer, protocol)) return { state: 'done' };
  const tokens = tokenCounts.prompt(answer);
  const least = Math.max(
    calledFunction.wordsOfTerms,
    without + fewestTokens(calledFunction.wordsOfTerms),
  );
  if (tokens === null || tokens >= least) {
    return {
      state: 'open',
      why: `the model made no call: it ended with ${contentOf(answer).ending}`,
    };
  }
  return {
    state: 'not done',
    expected: `a call, or ${least} input tokens at least: the function has ${calledFunction.wordsOfTerms} words`,
    actual: `no call, and ${tokens} input tokens`,
  };
}

/** Members that a target file says nothing about: a gateway may refuse what it does not know. */
const unpromised = [
  'reasoning',
  'reasoning_effort',
  'thinking',
  'thinkingConfig',
  'cache_control',
  'prompt_cache_key',
  'parallel_tool_calls',
];

function unpromisedIn(exchange: Exchange): readonly string[] {
  const body = JSON.stringify(requestBody(exchange));
  return unpromised.filter((member) => body.includes(`"${member}"`));
}

everywhere.each('generation/asked.served-together', (protocol: StreamingProtocol) => ({
  least: { every: everyModel[protocol], added: featured[protocol] },
  which: (exchange) => exchange.about.protocol === protocol && isFeatured(exchange),
  judge: (exchange, { exchanges }) => {
    if (!isServed(exchange)) {
      const ofProtocol = exchanges.filter(isOf(protocol));
      const known = new Set(ofProtocol.filter((one) => isServed(one)).flatMap(unpromisedIn));
      if (unpromisedIn(exchange).some((member) => !known.has(member))) {
        throw new NothingToJudge('no capability promises what it asks for');
      }
      const { region } = exchange.about;
      const inRegion = ofProtocol.filter((one) => one.about.region === region);
      if (!inRegion.some((one) => isServed(one)))
        throw new NothingToJudge(`${region} serves no ${protocol}`);
      const { scenario, region: place } = exchange.id;
      const plain = inRegion.find(
        (one) => one.id.scenario === scenario && one.id.region === place && !isFeatured(one),
      );
      if (plain !== undefined) assumeServed(plain);
    }
    expect(exchange).toBeServed();
  },
}));

/** Models that made a call in a run where one was forced. */
const obeyed = onceFor(({ exchanges }: WholeRun): ReadonlySet<string | null> => {
  const forced = exchanges.filter((one) => {
    const protocol = streamingProtocols.find((name) => name === one.about.protocol);
    if (protocol === undefined || !isCalled(one, protocol)) return false;
    return plainlyAsked(requestBody(one) ?? {}, protocol) === 'call';
  });
  return new Set(forced.map(namedModel));
});

everywhere.each('generation/asked.done-in-every-answer', (protocol: StreamingProtocol) => ({
  least: { called: called[protocol], asked: askedFor[protocol], added: featured[protocol] },
  which: (one) =>
    isOf(protocol)(one) && (isCreation(one) || one.about.operation === 'responses.lookup'),
  turns: true,
  judge: (answer, run) => {
    const creation = creationOf(answer, run) ?? answer;
    const asked = plainlyAsked(requestBody(creation) ?? {}, protocol);
    const name = namedModel(creation);
    const { supports = [] } = run.target.models.find(({ id }) => id === name) ?? {};
    const isPromised =
      asked === 'call'
        ? supports.includes('tools') && obeyed(run).has(name)
        : supports.includes(over('structured_output', protocol));
    const { end = null, isWhole = false } = viewOf(answer) ?? {};
    const isEnded = isServed(answer) && isWhole && (end === 'complete' || end === 'call');
    if (asked === null || !isPromised || !isEnded) {
      throw new NothingToJudge('it is no whole answer to a request for what is promised');
    }
    const shown =
      asked === 'call'
        ? forcedCallIn(answer, protocol)
        : optionalFeatures.shownBy(answer, 'structured_output', protocol, null);
    if (asked === 'call' || !isCalled(answer, protocol)) expectDone([{ answer, ...shown }]);
    assumeIdsDiffer(answer, run);
  },
}));
