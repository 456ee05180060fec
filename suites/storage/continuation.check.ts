import {
  assumeServed,
  type Captures,
  type CreationMode,
  check,
  contentOf,
  creations,
  type Exchange,
  everywhere,
  expect,
  expectValue,
  Inconclusive,
  idOf,
  isRefused,
  isServed,
  json,
  NothingToJudge,
  prose,
  scenario,
  tokenCounts,
  view,
} from '../../harness/index.ts';
import { baseline, conversationInput, readable } from '../scenarios/baselines.ts';
import { creatorOf, isCreation, namesModel, requestBody } from '../scenarios/exchanges.ts';
import { systemPrompt } from '../scenarios/generations/conversations.ts';
import { earlierWords, shortTurn } from '../scenarios/generations/generation-calls.ts';
import {
  continuedWithResult,
  isCalled,
  toolResultWords,
} from '../scenarios/generations/tool-calls.ts';
import { fatesOf, usageTold } from '../scenarios/metering/generations-sent.ts';
import { judgeServed, pointsFor } from '../scenarios/points/judged.ts';
import { branched, chain, compactedOn } from '../scenarios/stored/chain.ts';
import { continued, served } from '../scenarios/stored/served-operations.ts';
import {
  countedInput,
  expectCounted,
  expectGrowth,
  expectMoreCounted,
  expectNoMoreRead,
  fewestTokens,
  notApplicableUnlessReadWhole,
} from '../scenarios/token-counts.ts';

check('storage/continuation.echoes-previous', continued, ({ first, second }) => {
  assumeServed(second);
  expect(second).toHave(
    'previous_response_id',
    (body) => json.at(body, 'previous_response_id') === first.id,
  );
});

check('storage/continuation.served:one-body', continued, ({ first, second }) => {
  assumeServed(first.created);
  expect(second).toBeServed();
});

check.each('storage/continuation.from-each-mode', (mode: CreationMode) => ({
  on: pointsFor.none,
  judge: (none) => judgeServed(none, `storage/continuation.from-each-mode:${mode}`),
}));

check.each('storage/continuation.over-websocket-from-each-mode', (mode: CreationMode) => ({
  on: { none: pointsFor.none, control: served['continue-websocket'] },
  judge: ({ none }) =>
    judgeServed(none, `storage/continuation.over-websocket-from-each-mode:${mode}`),
}));

check('storage/continuation.chain-served', chain, ({ turns, last }) => {
  assumeServed(turns.filter((turn) => turn !== last));
  expect(last).toBeServed();
});

check('storage/continuation.carries-context', chain, ({ turns }) => {
  assumeServed(turns);
  expectGrowth(turns, 'a chain');
});

/** Members whose tokens may be counted once, and not again in a continuation. */
const besidesText = ['instructions', 'tools', 'text', 'reasoning', 'truncation', 'prompt'];

everywhere(
  'storage/continuation.reads-history',
  {
    least: chain,
    which: (exchange) => previousOf(exchange) !== null,
    turns: true,
    // Instructions and tools are counted but not carried over, and real users' turns may differ in them.
    observed: 'never',
  },
  (next, run) => {
    if (isRefused(next)) throw new NothingToJudge('the continuation was refused');
    assumeServed(next);
    const first = creatorOf(previousOf(next) ?? '', run);
    if (first === null) throw new NothingToJudge('what it continues is not known');
    if (besidesText.some((member) => requestBody(first)?.[member] !== undefined)) {
      throw new NothingToJudge('what it continues asked for more than a text');
    }
    notApplicableUnlessReadWhole([first, next]);
    const [before, now] = [usageTold(run, first), usageTold(run, next)];
    if (before === null || now === null) throw new NothingToJudge('a usage is not shown');
    // A background response shows its text in lookups.
    const shown = [first, ...fatesOf(run, first).flatMap(({ lookups }) => lookups)];
    const words = shown.map((one) => wordCount(contentOf(one).text));
    expectValue(now.input, { as: 'usage.input_tokens of the continuation', of: next }).toBeMoreThan(
      before.input + Math.floor(fewestTokens(Math.max(...words))),
    );
  },
);

/** Returns the id of the response that a creation continues, or null. */
function previousOf(exchange: Exchange): string | null {
  const { protocol, operation } = exchange.about;
  if (protocol !== 'responses' || operation === 'responses.compact') return null;
  return isCreation(exchange) ? json.text(requestBody(exchange), 'previous_response_id') : null;
}

/** Modes in which a stored conversation continues. */
type ContinuedAs = 'one-body' | 'stream' | 'websocket';

/** The stored conversation of long items, and a short turn that continues it. */
const continuedAs: Readonly<Record<ContinuedAs, Captures<Record<'first' | 'next', Exchange>>>> = {
  'one-body': view({ continued }, ({ continued: { first, second: next } }) => ({
    first: first.created,
    next,
  })),
  stream: scenario(
    'storage/continued-conversation/stream',
    {
      needs: { model: { speaks: 'responses', supports: creations.stream.needs } },
      after: { continued, branched },
      cost: { requests: 1, generations: 0, fallback: 1, continues: 1 },
    },
    async ({ responses }, { continued: { first }, branched: { atOnce, streams } }) => {
      const twin = streams ? atOnce[1] : undefined;
      const body = { previous_response_id: first.id, input: shortTurn };
      // A gateway may refuse one of two continuations at once.
      const next = twin !== undefined && isServed(twin) ? twin : await responses.stream(body);
      return { first: first.created, next };
    },
  ),
  websocket: view(
    { continued, done: served['continue-websocket'] },
    ({ continued: { first }, done }) => ({ first: first.created, next: done.served }),
  ),
};

for (const as of ['stream', 'websocket'] as const) {
  check(`storage/continuation.served:${as}`, continuedAs[as], ({ first, next }) => {
    assumeServed(first);
    expect(next).toBeServed();
  });
}

check.each('storage/continuation.earlier-items-counted', (as: ContinuedAs) => ({
  on: continuedAs[as],
  judge: ({ first, next }) => {
    assumeServed([first, next]);
    const { input, model } = requestBody(first) ?? {};
    if (!Array.isArray(input)) throw new NothingToJudge('a list of items is not accepted as input');
    if (!namesModel(next, `${model}`)) throw new NothingToJudge('another model continued it');
    expectGrowth([first, next], 'a continued conversation');
  },
}));

check('storage/continuation.branches', branched, ({ second, last, branch }) => {
  assumeServed([second, last]);
  expect(branch).toBeServed();
  // A branch that had read its sibling would have counted the sibling's whole answer.
  expectNoMoreRead(branch, last, (tokenCounts.output(last) ?? 0) / 2);
});

check('storage/continuation.at-once', branched, ({ second, branch, atOnce }) => {
  // A check above judges a second continuation.
  assumeServed([second, branch]);
  for (const one of atOnce) expect(one).toBeServed();
});

/** Continues a response with long instructions without them. */
const continuedWithoutInstructions = scenario(
  'storage/continued-without-instructions',
  {
    after: { told: systemPrompt.responses },
    cost: { requests: 1, generations: 1, continues: 1 },
  },
  async ({ responses }, { told: { prompted: first } }) => {
    if (isRefused(first)) return { first, next: null };
    const again = { input: shortTurn, previous_response_id: idOf(first) };
    return { first, next: await responses.create(again) };
  },
);

check(
  'storage/continuation.instructions-left-behind',
  continuedWithoutInstructions,
  ({ first, next }) => {
    if (next === null) throw new NothingToJudge('the model takes no instructions');
    assumeServed([first, next]);
    notApplicableUnlessReadWhole([first, next]);
    const [told, now] = [countedInput(first), countedInput(next)];
    const answered = tokenCounts.output(first);
    if (told === null || now === null || answered === null) {
      throw new NothingToJudge('a usage is not shown');
    }
    if (told < fewestTokens(prose.wordsOfTexts.system)) {
      throw new NothingToJudge('the usage does not count the instructions');
    }
    // The answer of the first turn is about as long as the instructions, so that the count cannot distinguish them.
    if (answered > fewestTokens(prose.wordsOfTexts.system) / 2) {
      throw new NothingToJudge('the answer is about as long as the instructions');
    }
    const as = `usage.input_tokens, where the response with the instructions has ${told}`;
    expectValue(now, { as, of: next }).toBeAtMost(told);
  },
);

check('storage/continuation.tool-result-served', continuedWithResult, ({ called, next }) => {
  assumeServed(called);
  // A gateway that may truncate earlier turns may drop the call.
  notApplicableUnlessReadWhole([called]);
  expect(resultIn(next, called)).toBeServed();
});

check('storage/continuation.tool-result-read', continuedWithResult, ({ called, next }) => {
  assumeServed(called);
  expectCounted(toolResultWords, resultIn(next, called), called);
});

/**
 * @throws {NothingToJudge | Inconclusive} if no result was sent, because no call had an id
 */
function resultIn(next: Exchange | null, called: Exchange): Exchange {
  if (next !== null) return next;
  if (isCalled(called, 'responses')) throw new Inconclusive('the call has no id', called);
  throw new NothingToJudge('the model made no call whose result could be sent');
}

/** Calls that read a stored response without continuing it. */
type Reader = 'input-tokens' | 'compact';

/** A call that continues a stored response, and a short call that continues none. */
interface Read {
  readonly first: Exchange;
  readonly call: Exchange;
  readonly short: Exchange;
  /** Minimum number of words of the stored content. */
  readonly words: number;
}

const countedOn = scenario(
  'storage/counted-continuation',
  {
    after: { short: baseline['input-tokens'], conversation: conversationInput },
    cost: { requests: 1, generations: 0 },
  },
  async ({ responses }, { short, conversation: { created: first } }) => ({
    first,
    short: short.baseline,
    call: isRefused(first)
      ? null
      : await responses.inputTokens({ input: shortTurn, previous_response_id: idOf(first) }),
  }),
);

const reads: Readonly<Record<Reader, Captures<Read>>> = {
  'input-tokens': view({ countedOn }, ({ countedOn: { first, short, call } }) => {
    if (call === null) throw new NothingToJudge('a list of items is not accepted as input');
    return { first, short, call, words: earlierWords };
  }),
  compact: view(
    { stored: readable, short: baseline.compact, compactedOn },
    ({ stored: { created: first, input }, short, compactedOn: { answer: call } }) => ({
      first,
      short: short.baseline,
      call,
      words: wordCount(input) + wordCount(contentOf(first).text),
    }),
  ),
};

check.each('storage/continuation.read-by-other-calls', (reader: Reader) => ({
  on: reads[reader],
  judge: ({ first, call, short, words }) => {
    assumeServed(first);
    if (isRefused(call)) throw new NothingToJudge('the call goes on from no stored response');
    const models = [first, call, short].map((one) => json.text(requestBody(one), 'model'));
    if (new Set(models).size > 1) {
      throw new NothingToJudge('they are of several models, which may count otherwise');
    }
    notApplicableUnlessReadWhole([first]);
    expectMoreCounted(words, call, short);
  },
}));

function wordCount(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
