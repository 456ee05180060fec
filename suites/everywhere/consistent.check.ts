import {
  answerOf,
  assumeServed,
  type Captures,
  contentOf,
  type Everywhere,
  type Exchange,
  everywhere,
  expectValue,
  fields,
  json,
  NothingToJudge,
  nativeBody,
  optionalFeatures,
  type Protocol,
  protocolModules,
  remembered,
  type StreamingProtocol,
  streamingProtocols,
  tokenCounts,
  turnsOf,
  viewOf,
  violations,
  type WholeRun,
} from '../../harness/index.ts';
import { baseline, baselineOf, baselineStream, unstreamed } from '../scenarios/baselines.ts';
import {
  assumeIdsDiffer,
  byKey,
  createdIn,
  creationOf,
  isCreation,
  isStopped,
  isSuccess,
  namedModel,
  onceFor,
  requestBody,
} from '../scenarios/exchanges.ts';
import { truncatedStream } from '../scenarios/generations/limits.ts';
import { calledBy } from '../scenarios/generations/tool-calls.ts';
import { expectSameCount } from '../scenarios/token-counts.ts';

type Seen = NonNullable<ReturnType<typeof viewOf>>;
type Least = Everywhere['least'];

/** Every answer of a protocol, in any form and whoever asked: generations, turns, lookups and recoveries. */
function answersOf(protocol: Protocol): Omit<Everywhere, 'least' | 'judge'> {
  return {
    which: (exchange) => exchange.about.protocol === protocol && isSuccess(exchange),
    turns: true,
  };
}

/** Two statements of one answer that exclude each other. */
interface Pair {
  /** Null if the first statement is not made. */
  readonly says: (view: Seen, answer: Exchange) => string | null;
  /** Contradictions of that statement, in words. */
  readonly against: (view: Seen, answer: Exchange) => readonly string[];
}

function holding(protocol: StreamingProtocol, least: Least, { says, against }: Pair) {
  return {
    ...answersOf(protocol),
    least,
    judge: (answer: Exchange, run: WholeRun) => {
      const view = viewOf(answer);
      if (view === null || !view.isWhole || isStopped(answer, run)) {
        throw new NothingToJudge('it is no whole answer');
      }
      const said = says(view, answer);
      if (said === null) throw new NothingToJudge('it says nothing that could be contradicted');
      assumeServed(answer);
      const as = `what contradicts ${said}`;
      expectValue(against(view, answer), { as, of: answer }).toEqual([]);
      assumeIdsDiffer(answer, run);
    },
  };
}

everywhere.each(
  'everywhere/consistent.call-ending-has-call',
  (protocol: 'chat-completions' | 'messages') =>
    holding(protocol, calledBy[protocol], {
      says: ({ end, ending }) => (end === 'call' ? `the ending ${ending}` : null),
      against: ({ toolCalls }) => (toolCalls.length === 0 ? ['no call'] : []),
    }),
);

/** Endings that say of an answer that it has no call. */
const withoutCall = { 'chat-completions': 'stop', generative: 'MALFORMED_FUNCTION_CALL' } as const;

everywhere.each(
  'everywhere/consistent.call-has-call-ending',
  (protocol: keyof typeof withoutCall) =>
    holding(protocol, calledBy[protocol], {
      says: ({ toolCalls }) => (toolCalls.length > 0 ? 'a call' : null),
      against: ({ ending }) => (ending === withoutCall[protocol] ? [`the ending ${ending}`] : []),
    }),
);

everywhere.each('everywhere/consistent.whole-when-complete', (protocol: 'responses') =>
  holding(protocol, baseline.responses, {
    says: ({ end, ending }) => (end === 'complete' ? `the status ${ending}` : null),
    against: ({ states }) => states.flatMap((state) => (isOpen(state) ? [`an item ${state}`] : [])),
  }),
);

function isOpen(state: string | null): boolean {
  return state === 'incomplete' || state === 'in_progress';
}

const itemSchemas = {
  responses: 'responses/output-item',
  messages: 'messages/whole-block',
} as const;

everywhere.each('everywhere/consistent.items-whole', (protocol: keyof typeof itemSchemas) =>
  holding(protocol, baseline[protocol], {
    // A compaction keeps items of the user.
    says: ({ end, items }, { about }) =>
      items.length > 0 && end !== 'limit' && about.operation !== 'responses.compact'
        ? 'items that are whole'
        : null,
    against: ({ items }) =>
      items.flatMap((item) =>
        violations(itemSchemas[protocol], item).map(({ path, problem }) =>
          `${path} ${problem}`.trim(),
        ),
      ),
  }),
);

everywhere.each('everywhere/consistent.cut-item-last', (protocol: 'responses') =>
  holding(protocol, truncatedStream.responses, {
    says: ({ end, states }) =>
      end === 'limit' && states.length > 0 ? 'the status incomplete' : null,
    against: ({ states }, answer) => {
      const last = states.length - 1;
      const early = states.flatMap((state, n) =>
        state === 'incomplete' && n < last ? [`item ${n} of ${states.length} is incomplete`] : [],
      );
      const reason = json.text(nativeBody(answer), 'incomplete_details.reason');
      const isWhole = reason === 'max_output_tokens' && states[last] === 'completed';
      return isWhole ? [...early, 'the last item is completed'] : early;
    },
  }),
);

/** An answer that counts exactly as many tokens of output as its limit, and ended in either way. */
interface LimitHit {
  /** Protocol and form: `messages stream`. */
  readonly form: string;
  readonly creation: Exchange;
  readonly limit: number;
  readonly isTold: boolean;
}

/** Returns the answers of a run that came to their output limit. */
const limitHitsIn = onceFor(
  (run: WholeRun): ReadonlyMap<Exchange, LimitHit> =>
    new Map(run.exchanges.flatMap(turnsOf).flatMap((answer) => hitOf(answer, run))),
);

/** True unless most answers of this form end so, and models say more than this where they may. */
function mayEndByItself(hit: LimitHit, run: WholeRun): boolean {
  const requests = (some: readonly LimitHit[]) =>
    new Set(some.map(({ creation }) => creation)).size;
  const like = [...limitHitsIn(run).values()].filter(({ form }) => form === hit.form);
  const untold = requests(like.filter(({ isTold }) => !isTold));
  const { protocol } = hit.creation.about;
  const isMore = (one: Exchange) =>
    one.about.protocol === protocol && (tokenCounts.output(one) ?? 0) > hit.limit;
  return untold < 2 || untold * 2 <= requests(like) || !run.exchanges.some(isMore);
}

function hitOf(answer: Exchange, run: WholeRun): readonly (readonly [Exchange, LimitHit])[] {
  if (!isSuccess(answer)) return [];
  const protocol = streamingProtocols.find((name) => name === answer.about.protocol);
  const tokens = tokenCounts.output(answer);
  const creation = tokens === null ? null : creationOf(answer, run);
  if (protocol === undefined || creation === null) return [];
  const limit = json.number(requestBody(creation), protocolModules[protocol].request.outputLimit);
  if (limit === null || tokens !== limit || optionalFeatures.saidBy(answer).length > 1) return [];
  const end = viewOf(answer)?.end;
  if (end !== 'complete' && end !== 'limit') return [];
  const kind = answerOf(answer).events.length > 0 ? 'stream' : 'body';
  const form = `${protocol} ${isCreation(answer) ? kind : `later ${kind}`}`;
  return [[answer, { form, creation, limit, isTold: end === 'limit' }]];
}

everywhere.each('everywhere/consistent.limit-told', (protocol: StreamingProtocol) => ({
  ...answersOf(protocol),
  least: truncatedStream[protocol],
  judge: (answer, run) => {
    const hit = limitHitsIn(run).get(answer);
    if (hit === undefined) throw new NothingToJudge('it did not come to its limit exactly');
    if (!hit.isTold && mayEndByItself(hit, run)) {
      throw new NothingToJudge('it may have ended by itself there');
    }
    const as = 'ending of an answer that counts as many tokens as its limit, like others';
    expectValue(viewOf(answer)?.ending, { as, of: answer }).toBe(
      protocolModules[protocol].endings.limit,
      () => hit.isTold,
    );
    assumeIdsDiffer(answer, run);
  },
}));

everywhere.each('everywhere/consistent.usage-adds-up', (protocol: Protocol) => ({
  ...answersOf(protocol),
  least: baselineOf[protocol],
  judge: (answer, run) => {
    // A decision has no view.
    const usages =
      viewOf(answer)?.usages ?? [json.at(answerOf(answer).value, 'usage')].filter(json.isObject);
    if (usages.length === 0) throw new NothingToJudge('it shows no usage');
    const wrong = usages.flatMap((one) => [...unsoundIn(one), ...wrongTotalIn(one, protocol)]);
    expectValue(wrong, { as: 'what is wrong in the usage', of: answer }).toEqual([]);
    assumeIdsDiffer(answer, run);
  },
}));

/** Counts that cannot be numbers of tokens. Prices and other members may be fractions. */
function unsoundIn(usage: object): readonly string[] {
  return Object.entries(usage).flatMap(([name, value]) => {
    if (json.isObject(value)) return unsoundIn(value);
    const isCount = typeof value === 'number' && /token/i.test(name);
    return isCount && (value < 0 || !Number.isInteger(value)) ? [`${name}: ${value}`] : [];
  });
}

function wrongTotalIn(counts: object, protocol: Protocol): readonly string[] {
  const facts = protocolModules[protocol].usage;
  const total = facts?.total ?? null;
  const told = total === null ? null : json.number(counts, total.member);
  if (facts === null || total === null || told === null) return [];
  const known = (member: string): number | null => json.number(counts, member);
  if (total.parts.some(({ member, optional }) => !optional && known(member) === null)) return [];
  const sum = total.parts.reduce((so, { member }) => so + (known(member) ?? 0), 0);
  const mayHide =
    facts.outputBeside.some((member) => known(member) === null) ||
    total.parts.some(({ member }) => known(member) === null);
  const isRight = mayHide ? told >= sum : told === sum;
  return isRight ? [] : [`${total.member}: ${told}, and the parts are ${sum}`];
}

everywhere.each(
  'everywhere/consistent.usage-of-one-stream',
  (protocol: 'chat-completions' | 'messages' | 'generative') =>
    holding(protocol, baselineStream[protocol], {
      says: ({ usages }) => (usages.length > 1 ? 'an earlier usage' : null),
      against: ({ usages }) => {
        const { input, inputBeside, output } = protocolModules[protocol].usage;
        return [
          ...[input, ...inputBeside].flatMap((name) => changesOf(name, usages, (a, b) => a === b)),
          ...changesOf(output, usages, (a, b) => a <= b),
        ];
      },
    }),
);

function changesOf(
  name: string,
  usages: readonly object[],
  holds: (before: number, now: number) => boolean,
): readonly string[] {
  const counts = usages.flatMap((one) => json.number(one, name) ?? []);
  return counts.every((count, n) => n === 0 || holds(counts[n - 1] ?? 0, count))
    ? []
    : [`${name}: ${counts.join(', then ')}`];
}

everywhere.each(
  'everywhere/consistent.usage-of-completed',
  (endpoint: 'responses' | 'compact') => ({
    least: baseline[endpoint],
    which: (exchange) =>
      isSuccess(exchange) &&
      exchange.about.protocol === 'responses' &&
      (exchange.about.operation === 'responses.compact') === (endpoint === 'compact') &&
      isCreation(exchange),
    turns: true,
    judge: (answer, run) => {
      const isComplete = endpoint === 'compact' || viewOf(answer)?.end === 'complete';
      if (!isComplete || isStopped(answer, run)) throw new NothingToJudge('it is not completed');
      assumeServed(answer);
      expectValue(contentOf(answer).usage, { as: 'usage', of: answer }).toBe(
        'shown',
        json.isObject,
      );
    },
  }),
);

/** A request of each protocol with the conversation of its baseline. */
const repeated: Readonly<Record<StreamingProtocol, Captures<unknown>>> = {
  ...baselineStream,
  responses: unstreamed.responses,
};

everywhere.each('everywhere/consistent.input-of-repeats', (protocol: StreamingProtocol) => ({
  least: { first: baselineOf[protocol], again: repeated[protocol] },
  which: (exchange) => exchange.about.protocol === protocol && isSuccess(exchange),
  turns: true,
  judge: (answer, run) => {
    const alike = countsOfAlike(answer, run);
    if (alike.length < 2) throw new NothingToJudge('no other count has the same conversation');
    expectSameCount(alike, answer);
    assumeIdsDiffer(answer, run);
  },
}));

/** Returns the input tokens of every request of the run with the conversation, the key and the region of this one. */
function countsOfAlike(exchange: Exchange, run: WholeRun): readonly number[] {
  const alike = alikeIn(run).get(conversationOf(exchange) ?? '') ?? [];
  return alike.flatMap((one) => tokenCounts.prompt(one) ?? []);
}

const alikeIn = onceFor((run: WholeRun) =>
  byKey(createdIn(run), (exchange) => [conversationOf(exchange) ?? []].flat()),
);

/** Returns what the model reads of a request, and who asks where; null if nothing can be read. */
const conversationOf = remembered((exchange): string | null => {
  const { protocol, region, key } = exchange.about;
  const body = requestBody(exchange);
  const spoken = streamingProtocols.find((one) => one === protocol);
  if (body === null || spoken === undefined) return null;
  const unlimited = fields.at(protocolModules[spoken].request.outputLimit, undefined);
  try {
    const read = { ...fields.merged(body, unlimited), ...unread };
    return JSON.stringify([protocol, region, key, namedModel(exchange), read]);
  } catch (error) {
    // A body may be nested deeper than the call stack.
    if (error instanceof RangeError) return null;
    throw error;
  }
});

/** Members about the form of the answer and its storage. */
const unread = {
  ...{ stream: undefined, stream_options: undefined },
  ...{ store: undefined, background: undefined },
};

/** Maximum number of tokens that a gateway may count for an empty answer. */
const tokensOfNothing = 4;

everywhere.each('everywhere/consistent.output-shown', (protocol: StreamingProtocol) =>
  holding(protocol, baselineOf[protocol], {
    says: ({ end }, answer) => {
      // In a stream of Chat Completions the grammar judges it, which knows members for reasoning.
      const isJudged = protocol === 'chat-completions' && answerOf(answer).events.length > 0;
      const reasoning = protocolModules[protocol].usage.within.find(({ part }) =>
        /reasoning/.test(part),
      );
      const hidden =
        reasoning === undefined ? 0 : (json.number(contentOf(answer).usage, reasoning.part) ?? 0);
      const said = (tokenCounts.output(answer) ?? 0) - hidden;
      const counts = end === 'complete' && !isJudged && said > tokensOfNothing;
      return counts ? `an output of ${said} tokens` : null;
    },
    against: ({ shows }) => (shows ? [] : ['nothing is shown']),
  }),
);

type Kind = ReturnType<Seen['unasked']>[number]['kind'];

const leastWith: Readonly<Record<Kind, Least>> = {
  'usage-chunk': baselineStream['chat-completions'],
  'usage-member': baselineStream['chat-completions'],
  'log-probabilities': baseline['chat-completions'],
  candidates: baseline['chat-completions'],
  reasoning: baseline.messages,
};

/** Protocols whose answers can have each part. */
const askedOver: Readonly<Record<Kind, readonly string[]>> = {
  'usage-chunk': ['chat-completions'],
  'usage-member': ['chat-completions'],
  'log-probabilities': ['responses', 'chat-completions', 'generative'],
  candidates: ['chat-completions', 'generative'],
  reasoning: ['responses', 'messages', 'generative'],
};

everywhere.each('everywhere/consistent.nothing-unasked', (kind: Kind) => ({
  least: leastWith[kind],
  which: (exchange) => askedOver[kind].includes(exchange.about.protocol) && isSuccess(exchange),
  turns: true,
  judge: (answer, run) => {
    const creation = creationOf(answer, run);
    const asked = creation === null ? null : requestBody(creation);
    if (asked === null) throw new NothingToJudge('nobody saw its request');
    const view = viewOf(answer);
    const extras = view?.unasked(asked) ?? [];
    const as = 'what nobody asked for';
    const found = [...new Set(extras.flatMap((one) => (one.kind === kind ? [one.what] : [])))];
    expectValue(found, { as, of: answer }).toEqual([]);
    if (view?.shows !== true) throw new NothingToJudge('it shows no answer');
    assumeIdsDiffer(answer, run);
  },
}));

type Named = Seen['changed'][number]['kind'];

const leastNaming: Readonly<Record<Named, Least>> = {
  'call-id': calledBy['chat-completions-stream'],
  'call-name': calledBy['chat-completions-stream'],
  answer: baselineStream['chat-completions'],
};

/** Protocols whose streams name each kind several times. */
const namedOver: Readonly<Record<Named, readonly string[]>> = {
  'call-id': ['chat-completions'],
  'call-name': ['responses', 'chat-completions'],
  answer: ['responses', 'chat-completions', 'generative'],
};

everywhere.each('everywhere/consistent.named-once', (kind: Named) => ({
  least: leastNaming[kind],
  which: (exchange) =>
    namedOver[kind].includes(exchange.about.protocol) && answerOf(exchange).events.length > 0,
  turns: true,
  partial: true,
  judge: (answer) => {
    const changed = viewOf(answer)?.changed.filter((one) => one.kind === kind) ?? [];
    const as = 'what was named in two ways';
    expectValue(
      changed.map(({ words }) => words),
      { as, of: answer },
    ).toEqual([]);
  },
}));

everywhere.each(
  'everywhere/consistent.kinds-in-order',
  (protocol: 'chat-completions' | 'messages') =>
    holding(protocol, baselineStream[protocol], {
      says: (_, answer) => (answerOf(answer).events.length > 0 ? 'the order of events' : null),
      against: ({ misplaced }) => misplaced.slice(0, 3),
    }),
);
