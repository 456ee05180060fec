import {
  answerOf,
  assumeServed,
  type Captures,
  calledFunction,
  check,
  contentOf,
  type Everywhere,
  type Exchange,
  each,
  eachStream,
  everywhere,
  expectValue,
  findingsOf,
  Inconclusive,
  isRefused,
  isServed,
  json,
  NothingToJudge,
  prose,
  protocolBy,
  protocolModules,
  remembered,
  type StreamingProtocol,
  streamingProtocols,
  tokenCounts,
} from '../../harness/index.ts';
import {
  baseline,
  baselineOf,
  baselineStream,
  conversationInput,
  readable,
} from '../scenarios/baselines.ts';
import {
  assumeIdsDiffer,
  isCreation,
  isOf,
  isSuccess,
  namesModel,
  requestBody,
} from '../scenarios/exchanges.ts';
import {
  type Conversing,
  conversations,
  conversing,
  otherForm,
  systemPrompt,
} from '../scenarios/generations/conversations.ts';
import { earlierWords, featured } from '../scenarios/generations/generation-calls.ts';
import { type CallForm, calledBy, forbidden } from '../scenarios/generations/tool-calls.ts';
import type { Told } from '../scenarios/generations/whole-responses.ts';
import { type GenerationMode, modeOf } from '../scenarios/metering/generations-sent.ts';
import { afterwards } from '../scenarios/requests/bad-bodies.ts';
import { everyModel } from '../scenarios/requests/models.ts';
import {
  expectCounted,
  fewestTokens,
  notApplicableUnlessReadWhole,
} from '../scenarios/token-counts.ts';
import { type AnswerMode, protocolOf, truncatedByMode, wholeByMode } from './creation-modes.ts';
import {
  expectInputCounted,
  expectOutputCounted,
  expectPartsWithin,
  expectSum,
} from './usage-sums.ts';

check.each(
  'generation/usage.adds-up-by-creation-mode',
  // The usage of a message has no total.
  (asked: Exclude<AnswerMode, 'messages-stream'>) => ({
    on: truncatedByMode[asked],
    judge: ({ answer }) => expectSum(answer, protocolOf[asked]),
  }),
);

type ResponseMode = 'responses-stream' | 'websocket' | 'background' | 'continuation';

check.each('generation/usage.reported-by-creation-mode', (asked: ResponseMode) => ({
  on: {
    it: truncatedByMode[asked],
    // A lookup is compared with a lookup.
    one: asked === 'background' ? baseline.lookup : baseline.responses,
  },
  judge: ({ it: { answer }, one: { baseline: oneBody } }) => {
    assumeServed([oneBody, answer]);
    if (contentOf(answer).ending === 'cancelled')
      throw new Inconclusive('the run was cancelled', answer);
    if (!json.isObject(contentOf(oneBody).usage)) {
      throw new NothingToJudge('a response in one body shows no usage');
    }
    expectValue(contentOf(answer).usage, { as: 'usage', of: answer }).toBe('shown', json.isObject);
  },
}));

/** Names of a usage in any protocol, in lower case and without underscores. */
const usageNames = ['usage', 'usagemetadata', 'tokenusage'];
const countNames = {
  input: ['inputtokens', 'inputtokencount', 'prompttokens', 'prompttokencount'],
  output: [
    'outputtokens',
    'outputtokencount',
    'completiontokens',
    'completiontokencount',
    'candidatestokens',
    'candidatestokencount',
  ],
};

/** Judges that an answer with a usage shows it in the documented place and form. */
function expectNativeUsage(answer: Exchange, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const facts = protocolModules[protocol].usage;
  const elsewhere = answerParts(answer).flatMap((part) =>
    namesLike(part, usageNames).filter((name) => name !== facts.member),
  );
  const shown = contentOf(answer).usage;
  if (shown === null) {
    const as = `members in the place of ${facts.member}`;
    expectValue(elsewhere, { as, of: answer }).toEqual([]);
    return;
  }
  for (const which of ['input', 'output'] as const) {
    const name = facts[which];
    if (json.at(shown, name) !== undefined) continue;
    const others = namesLike(shown, countNames[which]);
    const as = `members in the place of ${facts.member}.${name}`;
    expectValue(others, { as, of: answer }).toEqual([]);
    // The rest of a cut stream may have it.
    if (which === 'output' || answer.failure !== null) continue;
    expectValue(json.at(shown, name), { as: `${facts.member}.${name}`, of: answer }).toBe(
      'shown beside the other counts',
      (count) => count !== undefined,
    );
  }
}

/** Returns the values that may hold a usage: the body, an event, and the answer in an event. */
function answerParts(answer: Exchange): readonly unknown[] {
  return answerOf(answer).values.flatMap((value) => [
    value,
    json.at(value, 'response'),
    json.at(value, 'message'),
  ]);
}

function namesLike(part: unknown, names: readonly string[]): readonly string[] {
  if (!json.isObject(part)) return [];
  return Object.keys(part).filter((name) => names.includes(name.toLowerCase().replaceAll('_', '')));
}

check.each('generation/usage.native-form', (protocol: StreamingProtocol) => ({
  on: { one: baselineOf[protocol], stream: baselineStream[protocol] },
  judge: ({ one, stream }) => {
    expectNativeUsage(one.baseline, protocol);
    expectNativeUsage(stream.streamed, protocol);
  },
}));

/** Requests with one long beginning, whose tokens a gateway may have cached by the second. */
const repeated = { first: forbidden.generative, again: afterwards.generative };

everywhere.each(
  'generation/usage.parts-within',
  // A message counts cached tokens in addition to the input.
  (protocol: Exclude<StreamingProtocol, 'messages'>) => ({
    least:
      protocol === 'generative'
        ? { ...repeated, models: everyModel.generative }
        : baselineOf[protocol],
    which: (exchange) => exchange.about.protocol === protocol && isSuccess(exchange),
    turns: true,
    judge: (answer) => expectPartsWithin(answer, protocol),
  }),
);

/** Plain words of the longer texts that a request gives a model to read. */
const wordsToRead = remembered((creation): number => {
  const { instructions, system, systemInstruction, input, messages, contents } = Object(
    requestBody(creation),
  );
  let words = 0;
  // A work list instead of recursion, because a hostile body may be nested deeper than the call stack allows.
  const left: unknown[] = [instructions, system, systemInstruction, input, messages, contents];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'object' && value !== null) left.push(...Object.values(value));
    if (typeof value !== 'string') continue;
    const plain = value.match(/(?<![^\s])[A-Za-z][a-z]+[.,?!]?(?=\s)/g) ?? [];
    if (plain.length >= fewestWords) words += plain.length;
  }
  return words;
});

/** Number of words of a text that a gateway does not write in another form, such as a date. */
const fewestWords = 20;

everywhere.each('generation/usage.counts-whole-request', (protocol: StreamingProtocol) => ({
  least: { own: baselineOf[protocol], added: featured[protocol], told: systemPrompt[protocol] },
  // A turn that is refused beside another has the events of that one.
  which: (one) => isOf(protocol)(one) && one.socket === null,
  judge: (answer, run) => {
    const counted = tokenCounts.prompt(answer);
    const words = wordsToRead(answer);
    if (words === 0 || counted === null || !isCreation(answer) || !isServed(answer)) {
      throw new NothingToJudge('it counts no longer text');
    }
    notApplicableUnlessReadWhole([answer]);
    const as = `input tokens of a request with ${words} words`;
    const least = Math.ceil(fewestTokens(words));
    const at = tokenCounts.placeOf(answer, 'input');
    expectValue(counted, { as, of: answer, at }).toBe(`${least} at least`, () => counted >= least);
    assumeIdsDiffer(answer, run);
  },
}));

const earlier = 'generation/usage.counts-earlier-turns';

for (const protocol of conversing satisfies readonly Conversing[]) {
  check(`${earlier}:${protocol}`, conversations[protocol], ({ control, severalTurns }) => {
    expectCounted(earlierWords, severalTurns, control);
  });
}

check(`${earlier}:responses`, conversationInput, ({ control, created }) => {
  assumeServed(control);
  if (isRefused(created)) throw new NothingToJudge('a list of items is not accepted as input');
  expectCounted(earlierWords, created, control);
});

check.each('generation/usage.counts-system-prompt', (protocol: StreamingProtocol) => ({
  on: systemPrompt[protocol],
  judge: ({ without, prompted }) => {
    assumeServed(without);
    if (isRefused(prompted)) throw new NothingToJudge('the model takes no system prompt');
    expectCounted(prose.wordsOfTexts.system, prompted, without);
  },
}));

check.each('generation/usage.counts-parts', (protocol: StreamingProtocol) => ({
  on: otherForm[protocol],
  judge: ({ prompted, other }) => {
    if (isRefused(prompted)) throw new NothingToJudge('the model takes no system prompt');
    assumeServed(prompted);
    if (isRefused(other)) throw new NothingToJudge('a message in parts is refused');
    expectCounted(prose.wordsOfTexts.firstTurn, other, prompted);
  },
}));

check.each('generation/usage.counts-tools', (form: CallForm) => ({
  on: { asked: calledBy[form], plain: baselineOf[protocolBy.form(form)] },
  judge: ({ asked: { called: answer, model }, plain: { baseline: short } }) => {
    if (isRefused(answer)) throw new NothingToJudge('the model takes no function');
    if (!namesModel(short, model)) {
      throw new NothingToJudge(
        'another model answered without functions, which may count otherwise',
      );
    }
    expectCounted(calledFunction.wordsOfTerms, answer, short);
  },
}));

/** One answer of each kind, in one JSON body or another mode. */
const answersByMode: Readonly<Record<Counted, Captures<unknown>>> = {
  ...each(streamingProtocols, (protocol) => baselineOf[protocol]),
  // Has a unique id, so that it is not the constant answer of a server.
  responses: readable,
  ...eachStream((protocol) => baselineStream[protocol]),
  websocket: truncatedByMode.websocket,
  background: truncatedByMode.background,
  continuation: truncatedByMode.continuation,
};

type Counted = Exclude<GenerationMode, 'systemone'>;

/** Judges every answer of a run in a mode; background answers are judged by their lookups. */
function answersIn(mode: Counted, judge: (answer: Exchange) => void): Everywhere {
  return {
    least: { answer: answersByMode[mode] },
    which: (exchange) =>
      modeOf(exchange) === mode || (mode === 'background' && isLookupOfEnded(exchange)),
    turns: true,
    judge: (answer, run) => {
      if (isRefused(answer)) throw new NothingToJudge('the request was refused');
      assumeIdsDiffer(answer, run);
      judge(answer);
    },
  };
}

/** True for the lookup of an ended response: a running or cancelled one need not have a count yet. */
function isLookupOfEnded(exchange: Exchange): boolean {
  const isLookup = exchange.about.operation === 'responses.lookup';
  return isLookup && ['completed', 'incomplete'].includes(contentOf(exchange).ending ?? '');
}

everywhere.each('generation/usage.counts-output', (mode: Counted) =>
  answersIn(mode, (answer) => {
    // On Messages, the initial count is 0, and no later count need follow.
    if (
      mode === 'messages-stream' &&
      findingsOf(answer)?.violations.some(({ rule }) => rule === 'usage-present')
    ) {
      throw new NothingToJudge('the stream does not show its last count');
    }
    expectOutputCounted(answer);
  }),
);

everywhere.each('generation/usage.counts-input', (mode: Counted) =>
  answersIn(mode, expectInputCounted),
);

/** Minimum number of tokens of a part that may get lost: no tokenizer makes fewer tokens than there are words. */
const shortest = Math.min(...Object.values(prose.wordsOfTexts));

/** Input tokens of an answer and of a short one, and the tokens that one JSON body counts for the other parts. */
interface Counts {
  readonly all: number;
  readonly short: number;
  readonly more: number;
  /** Tokens of the part with the lowest count. */
  readonly least: number;
}

/**
 * Judges that the usage exceeds that of a short request by about the tokens that one JSON body counts for each
 * part. A deficit large enough for a missing part fails.
 */
function expectWholeConversationCounted(told: Told): void {
  const { all, short, more } = countsOf(told);
  if (more < shortest / 2) throw new NothingToJudge('one body counts nothing of what is said');
  const as = `tokens of the input beyond those of a short request, where one body has ${more}`;
  expectValue(all - short, { as, of: told.answer }).toBeMoreThan(more - shortest / 2);
}

/**
 * Judges that the usage does not far exceed that of one JSON body: counting a part twice doubles it. The tolerance
 * covers estimated usage, and last turns of different lengths.
 */
function expectNoFurtherInputCounted(told: Told): void {
  const { all, short, more, least } = countsOf(told);
  // A separate check judges if one JSON body reads every part.
  if (least < shortest / 2) throw new NothingToJudge('one body does not count all that is said');
  const as = `tokens of the input, where one body has ${short} for a short request, and ${more} more for all else`;
  expectValue(all, { as, of: told.answer }).toBeAtMost(Math.floor(1.5 * (short + more)));
}

function countsOf({ answer, model, spoken }: Told): Counts {
  const { short, told, turns, part } = spoken;
  const pieces = [told, turns, part].filter((piece) => piece !== null);
  if (pieces.length === 0) throw new NothingToJudge('only the last turn is served in one body');
  assumeServed([short, answer]);
  notApplicableUnlessReadWhole([short, answer, ...pieces.map(({ more }) => more)]);
  if (!namesModel(short, model)) {
    throw new NothingToJudge('another model answered in one body, which may count otherwise');
  }
  const counts = pieces.map((piece) => counted(piece.more) - counted(piece.less));
  const more = counts.reduce((sum, count) => sum + count, 0);
  return { all: counted(answer), short: counted(short), more, least: Math.min(...counts) };
}

function counted(exchange: Exchange): number {
  const count = tokenCounts.prompt(exchange);
  if (count === null) throw new NothingToJudge('the usage shows no count of the input');
  if (count === 0) throw new Inconclusive('the usage counts no token of the input', exchange);
  return count;
}

check.each('generation/usage.counts-whole-conversation', (asked: AnswerMode) => ({
  on: wholeByMode[asked],
  judge: expectWholeConversationCounted,
}));

check.each('generation/usage.counts-once-by-creation-mode', (asked: AnswerMode) => ({
  on: wholeByMode[asked],
  judge: expectNoFurtherInputCounted,
}));
