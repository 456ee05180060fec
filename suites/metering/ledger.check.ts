import {
  assumeServed,
  type Captures,
  contentOf,
  type Exchange,
  each,
  eachStream,
  everywhere,
  expectValue,
  generationsIn,
  Inconclusive,
  isRefused,
  isServed,
  json,
  NothingToJudge,
  type Protocol,
  protocolBy,
  protocolModules,
  protocolOf,
  protocols,
  turnsOf,
  type WholeRun,
} from '../../harness/index.ts';
import { baseline, baselineOf, baselineStream } from '../scenarios/baselines.ts';
import { onceFor, requestBody, responseIn } from '../scenarios/exchanges.ts';
import { droppedMessages, unlimited } from '../scenarios/generations/limits.ts';
import type { GenerationMode } from '../scenarios/metering/generations-sent.ts';
import {
  fatesOf,
  hasToBeRecorded,
  isGeneration,
  isPastRetention,
  isStillThere,
  type MomentOfDeletion,
  modeOf,
  momentOfDeletion,
  usageTold,
} from '../scenarios/metering/generations-sent.ts';
import { isMetered, type LedgerRecord } from '../scenarios/metering/ledger-answers.ts';
import {
  assumeCharged,
  assumeRecorded,
  type Entry,
  entryIn,
  isCharged,
  ledgerOfTheRun,
  recordsSeen,
} from '../scenarios/metering/ledger-of-the-run.ts';
import { expired } from '../scenarios/points/acted.ts';
import { ends } from '../scenarios/points/judged.ts';
import { alternatePath } from '../scenarios/requests/alternate-paths.ts';
import { badBodies } from '../scenarios/requests/bad-bodies.ts';
import { credentialAttempts } from '../scenarios/requests/credential-attempts.ts';
import { polled } from '../scenarios/running/background-runs.ts';
import {
  droppedBody,
  lookedUpAfterInterruption,
} from '../scenarios/running/interrupted-streams.ts';
import { branchDeleted, compactedOn } from '../scenarios/stored/chain.ts';
import { continued, served } from '../scenarios/stored/served-operations.ts';
import { isForbidden } from './forbidden.ts';

everywhere(
  'metering/ledger.compact-metered',
  {
    least: { ledgerOfTheRun, plain: baseline.compact, compactedOn },
    which: isCompact,
  },
  (request, run) => {
    assumeServed(request);
    assumeRecorded(run, 'responses');
    const entry = entryIn(run, request);
    expectMetered(entry);
    if (isCharged(run, 'responses')) expectSomeCharge(entry);
  },
);

function expectSomeCharge({ request, records }: Entry): void {
  const charges = records.map(({ charge }) => charge);
  expectValue(charges, { as: 'charges', of: request }).toBe('one at least above 0', () =>
    charges.some((charge) => charge > 0),
  );
}

function isCompact({ about }: Exchange): boolean {
  return about.operation === 'responses.compact';
}

function expectMetered({ request, records }: Entry): void {
  expectValue(records, { as: 'records', of: request }).toBe(
    'one at least with usage or a charge',
    () => records.some(isMetered),
  );
}

everywhere(
  'metering/ledger.compact-charged-once',
  { least: { ledgerOfTheRun, plain: baseline.compact }, which: isCompact, partial: true },
  (request, run) => {
    notApplicableIfRefused(request);
    assumeCharged(run, 'responses');
    const whole = entryIn(run, request).records.filter(
      ({ charge, inputTokens, outputTokens }) => charge > 0 && inputTokens * outputTokens > 0,
    );
    const as = 'charged records that each have input and output';
    expectValue(whole.length, { as, of: request }).toBeAtMost(1);
  },
);

type Counting = 'messages-count-tokens' | 'count-tokens' | 'alternate-path' | 'input-tokens';

/** Counting endpoints, by the operation and the path of a request. */
const counting: Readonly<Record<Counting, { readonly operation: string; readonly path: RegExp }>> =
  {
    'messages-count-tokens': { operation: 'messages.count-tokens', path: /count_tokens/ },
    'count-tokens': { operation: 'generative.count-tokens', path: /\/v1beta\/models\// },
    'alternate-path': { operation: 'generative.count-tokens', path: /\/v1\/models\// },
    'input-tokens': { operation: 'responses.input-tokens', path: /input_tokens/ },
  };

everywhere.each('metering/ledger.counting-free', (name: Counting) => {
  const { operation, path } = counting[name];
  const count = name === 'alternate-path' ? alternatePath['count-tokens'] : baseline[name];
  const protocol = operation.startsWith('generative')
    ? 'generative'
    : name === 'input-tokens'
      ? 'responses'
      : 'messages';
  return {
    least: { ledgerOfTheRun, count, generation: baselineOf[protocol] },
    which: ({ about, request }) => about.operation === operation && path.test(request.url),
    judge: (request, run) => {
      assumeServed(request);
      assumeCharged(run, protocol);
      expectFree(entryIn(run, request));
    },
  };
});

function expectFree({ request, records }: Entry): void {
  const charges = records.map(({ charge }) => charge).filter((charge) => charge > 0);
  expectValue(charges, { as: 'charges', of: request }).toEqual([]);
}

type FreeOperation = 'models' | 'lookup' | 'input-items' | 'recover' | 'cancel' | 'delete';

const freeOperations: Readonly<Record<FreeOperation, readonly string[]>> = {
  models: ['models.list', 'models.catalog'],
  lookup: ['responses.lookup'],
  'input-items': ['responses.input-items'],
  recover: ['responses.recover'],
  cancel: ['responses.cancel'],
  delete: ['responses.delete'],
};

everywhere.each('metering/ledger.operations-free', (name: FreeOperation) => ({
  least: {
    ledgerOfTheRun,
    done: name === 'recover' ? served.recover : baseline[name],
    generation: baseline.responses,
  },
  which: ({ about }) => freeOperations[name].includes(about.operation),
  judge: (request, run) => {
    assumeServed(request);
    assumeCharged(run, protocolOf(request));
    expectFree(entryIn(run, request));
  },
}));

everywhere(
  'metering/ledger.refusals-free',
  {
    least: { ledgerOfTheRun, refused: badBodies.responses, generation: baseline.responses },
    which: ({ about }) => about.protocol !== 'probe',
  },
  (request, run) => {
    // A turn without an answer may still have generated, so each turn has to be refused.
    if (!turnsOf(request).every((turn) => isRefused(turn)) || generationsIn(request) > 0) {
      throw new NothingToJudge('the request was not refused');
    }
    assumeCharged(run, protocolOf(request));
    expectFree(entryIn(run, request));
  },
);

everywhere(
  'metering/ledger.forbidden-not-run',
  {
    least: {
      ledgerOfTheRun,
      refused: credentialAttempts.responses,
      generation: baseline.responses,
    },
    which: ({ about }) => about.protocol !== 'probe',
  },
  (request, run) => {
    if (!isForbidden(request, run)) {
      throw new NothingToJudge('the request was not refused, or not forbidden');
    }
    assumeCharged(run, protocolOf(request));
    const executed = entryIn(run, request).records.filter(
      ({ charge, outputTokens }) => charge > 0 && outputTokens > 0,
    );
    const as = 'charged records with output';
    expectValue(executed.length, { as, of: request }).toEqual(0);
  },
);

// Scenarios that are sent even if nothing else is selected, so that there are exchanges to judge.

/** One generation of each mode. */
const generated: Readonly<Record<GenerationMode, Captures<unknown>>> = {
  ...each(protocols, (protocol: Protocol) => baselineOf[protocol]),
  ...eachStream((protocol) => baselineStream[protocol]),
  websocket: baseline.websocket,
  background: polled,
  continuation: continued,
};

/** One run per kind of interruption: at its first text, or in one body before its answer. */
const interrupted = {
  cancel: ends,
  responses: lookedUpAfterInterruption.foreground,
  'chat-completions': unlimited['chat-completions'],
  messages: droppedMessages,
  generative: unlimited.generative,
  websocket: lookedUpAfterInterruption.websocket,
  'one-body': droppedBody,
} satisfies Readonly<Record<string, Captures<unknown>>>;

type Interruption = keyof typeof interrupted;

function askedAs(mode: GenerationMode): (request: Exchange) => boolean {
  return (request) => modeOf(request) === mode;
}

everywhere.each('metering/ledger.generation-recorded', (mode: GenerationMode) => ({
  least: { ledgerOfTheRun, generated: generated[mode] },
  which: askedAs(mode),
  judge: (request, run) => {
    notApplicableIfRefused(request);
    assumeServed(request);
    notApplicableUnlessThere(run, request);
    if (!hasToBeRecorded(run, request)) throw new NothingToJudge('nothing was generated');
    expectMetered(entryIn(run, request));
  },
}));

function notApplicableIfRefused(request: Exchange): void {
  if (isRefused(request)) throw new NothingToJudge('the request was refused');
}

/** Skips requests whose response is gone, because another check judges their records. */
function notApplicableUnlessThere(run: WholeRun, request: Exchange): void {
  if (!isStillThere(run, request)) throw new NothingToJudge('the response is gone');
}

everywhere.each(
  'metering/ledger.record-matches-usage',
  (mode: Exclude<GenerationMode, 'systemone'>) => ({
    least: { ledgerOfTheRun, generated: generated[mode] },
    which: askedAs(mode),
    judge: expectUsageRecorded,
  }),
);

/** Judges that the ledger records the tokens that the answers reported. */
function expectUsageRecorded(request: Exchange, run: WholeRun): void {
  notApplicableIfRefused(request);
  assumeServed(request);
  notApplicableUnlessThere(run, request);
  const told = usageTold(run, request);
  if (told === null) {
    throw new NothingToJudge('the answer does not show how many tokens were used');
  }
  const { records } = entryIn(run, request);
  const [input, output] = [sum(records, 'inputTokens'), sum(records, 'outputTokens')];
  if (input + output === 0) throw new NothingToJudge('the ledger shows no usage');
  // Thoughts are counted separately from the output, and may be charged like output. A charged record may follow an
  // uncharged estimate.
  const outputs = [told.output, told.output + told.thoughts];
  const charged = records.filter(({ charge }) => charge > 0);
  const counts = [
    ...records.map(({ outputTokens }) => outputTokens),
    sum(charged, 'outputTokens'),
    output,
  ];
  const as = 'recorded output tokens, of each record and together';
  expectValue(counts, { as, of: request }).toBe(`${told.output} among them`, () =>
    counts.some((count) => outputs.includes(count)),
  );
  // Tokens read from a cache are charged, but not every protocol counts them as input.
  expectValue(input, { as: 'recorded input tokens', of: request }).toBe(
    `${told.input} at least`,
    () => input >= told.input,
  );
}

function sum(records: readonly LedgerRecord[], which: 'inputTokens' | 'outputTokens'): number {
  return records.reduce((so, record) => so + record[which], 0);
}

everywhere.each('metering/ledger.charged-once', (mode: GenerationMode) => ({
  least: {
    ledgerOfTheRun,
    generated: generated[mode],
    ordinary: baselineOf[protocolAskedAs(mode)],
    ...(mode === 'responses' ? { dropped: droppedBody } : {}),
  },
  which: askedAs(mode),
  // An interrupted generation may have been executed again.
  partial: true,
  judge: (request, run) => expectChargedOnce(request, run, protocolAskedAs(mode)),
}));

function protocolAskedAs(mode: GenerationMode): Protocol {
  switch (mode) {
    case 'websocket':
    case 'background':
    case 'continuation':
      return 'responses';
    default:
      return protocolBy.form(mode);
  }
}

/**
 * Judges that a generation was charged once: no more often than the ordinary request, which may be charged in
 * parts, and by at most one record that covers both input and output.
 */
function expectChargedOnce(request: Exchange, run: WholeRun, protocol: Protocol): void {
  const isUnanswered = request.failure?.kind === 'cut' && request.response === null;
  const generations = isUnanswered && request.socket === null ? 1 : generationsIn(request);
  if (generations === 0) throw new NothingToJudge('nothing was generated');
  if (turnsOf(request).some((turn) => isRefused(turn))) {
    throw new NothingToJudge('a turn beside it was refused, and may be in the ledger');
  }
  assumeCharged(run, protocol);
  const charged = entryIn(run, request).records.filter(({ charge }) => charge > 0);
  const whole = charged.filter(({ inputTokens, outputTokens }) => inputTokens * outputTokens > 0);
  const told = usageTold(run, request);
  // Tokens of different prices may be charged in separate records, whose sum does not exceed the reported count.
  const isInParts = told !== null && sum(charged, 'outputTokens') <= told.output + told.thoughts;
  const of = request;
  expectValue(isInParts ? 0 : whole.length, {
    as: 'charged records that each have input and output',
    of,
  }).toBeAtMost(generations);
  const ordinary = ordinaryCharges(run, protocol);
  if (ordinary === null) return;
  expectValue(charged.length, { as: 'charges', of }).toBeAtMost(ordinary * generations);
}

/** Returns the number of charges for the ordinary request to a protocol, or null if there is none. */
function ordinaryCharges(run: WholeRun, protocol: Protocol): number | null {
  const name = `baseline/${protocolModules[protocol].mainEndpoint}`;
  const ordinary = run.exchanges.find(({ id }) => id.scenario === name && id.region === null);
  if (ordinary === undefined) return null;
  const { records } = entryIn(run, ordinary);
  return records.filter(({ charge }) => charge > 0).length || null;
}

const leastDeleted = {
  ended: baseline.delete,
  running: ends,
  related: branchDeleted,
} satisfies Readonly<Record<string, Captures<unknown>>>;

/** Ids of deleted responses, of what they continue, and of what continues them. */
const relativesOf = onceFor(({ exchanges }: WholeRun): ReadonlySet<unknown> => {
  const deleted = new Set(
    exchanges.flatMap((one) =>
      one.about.operation === 'responses.delete' && isServed(one) ? [responseIn(one)] : [],
    ),
  );
  return new Set(
    exchanges.filter(isGeneration).flatMap((one) => {
      const before = json.at(requestBody(one), 'previous_response_id');
      const id = contentOf(one).id;
      const near = [
        ...(deleted.has(id) ? [before] : []),
        ...(deleted.has(String(before)) ? [id] : []),
      ];
      return near.filter((one) => one != null);
    }),
  );
});

/** Returns `related` for a response that stays while its continuation, or what it continues, is deleted. */
function relatedDeletion(run: WholeRun, request: Exchange): 'related' | null {
  return isStillThere(run, request) && relativesOf(run).has(contentOf(request).id)
    ? 'related'
    : null;
}

everywhere.each('metering/ledger.kept-after-deletion', (moment: MomentOfDeletion | 'related') => ({
  least: {
    ledgerOfTheRun,
    deleted: leastDeleted[moment],
    kept: moment === 'running' ? polled : baseline.responses,
  },
  which: isGeneration,
  partial: true,
  judge: (request, run) => {
    const deleted =
      moment === 'related' ? relatedDeletion(run, request) : momentOfDeletion(run, request);
    if (deleted === null) throw new NothingToJudge('the response was not deleted');
    if (deleted !== moment) throw new NothingToJudge(`it was ${deleted} by then`);
    if (moment !== 'running' && !hasToBeRecorded(run, request)) {
      throw new NothingToJudge('it generated nothing');
    }
    if (moment === 'running' && contentOf(request).text === '') {
      throw new NothingToJudge('no text had come when it was deleted');
    }
    expectKept(request, run);
  },
}));

everywhere(
  'metering/ledger.kept-after-retention',
  { least: { ledgerOfTheRun, expired: expired['one-body'] }, which: isGeneration, partial: true },
  (request, run) => {
    if (!fatesOf(run, request).some(({ age }) => isPastRetention(run, age))) {
      throw new NothingToJudge('its retention has not ended');
    }
    expectKept(request, run);
  },
);

/**
 * Judges that no part of a record was lost. Its status and id may have changed. A value that the ledger shows for
 * no generation of the same mode is not required here either.
 */
function expectKept(request: Exchange, run: WholeRun): void {
  const mode = modeOf(request);
  const others = run.exchanges
    .filter((one) => modeOf(one) === mode && hasToBeRecorded(run, one) && isStillThere(run, one))
    .map((one) => ({ one, told: usageTold(run, one), records: recordsSeen(run, one) }));
  const isKept = ({ records }: (typeof others)[number]) => records.some(isMetered);
  if (!others.some(isKept) || others.some((it) => !isKept(it) && !relatedDeletion(run, it.one))) {
    throw new Inconclusive(`the ledger has no record of another ${mode}, either`, request);
  }
  const entry = entryIn(run, request);
  expectMetered(entry);
  const { records } = entry;
  const told = usageTold(run, request);
  for (const [which, member] of [
    ['inputTokens', 'input'],
    ['outputTokens', 'output'],
  ] as const) {
    const isShown = others.some(
      (one) => one.told !== null && sum(one.records, which) >= one.told[member],
    );
    if (told === null || !isShown) continue;
    const recorded = sum(records, which);
    expectValue(recorded, { as: `recorded ${which}`, of: request }).toBe(
      `${told[member]} at least`,
      () => recorded >= told[member],
    );
  }
  if (others.some((one) => one.records.some(({ charge }) => charge > 0))) expectSomeCharge(entry);
}

everywhere.each('metering/ledger.interrupted-recorded', (how: Interruption) => ({
  least: { ledgerOfTheRun, interrupted: interrupted[how] },
  which: (request) => isGeneration(request) && isInterruptible(request, how),
  partial: true,
  judge: (request, run) => {
    const isCancelled = fatesOf(run, request).some(
      ({ cancel, lookups }) =>
        cancel !== null &&
        [cancel, ...lookups].some((one) => contentOf(one).ending === 'cancelled'),
    );
    if (how === 'cancel' ? !isCancelled : request.failure?.kind !== 'cut' || isCancelled) {
      throw new NothingToJudge('it was not interrupted');
    }
    if (how !== 'one-body' && contentOf(request).text === '') {
      throw new NothingToJudge('no text had come when it was interrupted');
    }
    notApplicableUnlessThere(run, request);
    assumeRecorded(run, protocolOf(request) ?? 'responses');
    const entry = entryIn(run, request);
    if (how !== 'one-body') expectMetered(entry);
    else expectValue(entry.records.length, { as: 'records', of: request }).toBeMoreThan(0);
  },
}));

/** True for a turn, or a request over the protocol, that this kind of interruption covers. */
function isInterruptible(request: Exchange, how: Interruption): boolean {
  if (how === 'one-body') return request.id.scenario === droppedBody.name;
  if (how === 'websocket') return request.socket !== null;
  if (request.socket !== null) return false;
  return protocolOf(request) === (how === 'cancel' ? 'responses' : how);
}
