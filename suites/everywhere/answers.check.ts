import {
  answerOf,
  assumeServed,
  type Captures,
  type Exchange,
  everywhere,
  expectValue,
  headerValues,
  isRefused,
  json,
  lossOfService,
  NothingToJudge,
  type Protocol,
  protocolModules,
  streamingProtocols,
  text,
  type WholeRun,
} from '../../harness/index.ts';
import { baseline, baselineOf } from '../scenarios/baselines.ts';
import {
  assumeIdsDiffer,
  assumeServing,
  createdIn,
  creationOf,
  expectNewIds,
  isCreation,
  isSuccess,
  namedModel,
  notApplicableUnlessAtEndpoint,
  notApplicableUnlessSeenMade,
  requestBody,
} from '../scenarios/exchanges.ts';
import { systemPrompt } from '../scenarios/generations/conversations.ts';
import { called } from '../scenarios/generations/tool-calls.ts';
import { toldInContinuation } from '../scenarios/generations/whole-responses.ts';
import { badBodies } from '../scenarios/requests/bad-bodies.ts';
import { started } from '../scenarios/running/background-runs.ts';
import { continued } from '../scenarios/stored/served-operations.ts';
import { terminal } from '../scenarios/stored/stored-responses.ts';
import { answerObjects, answersIn, timesIn } from './answers.ts';
import { requestText } from './content.ts';

everywhere.each('everywhere/answers.ids-unique', (kind: 'output-items' | 'tool-calls') => ({
  least: kind === 'tool-calls' ? called['chat-completions'] : baseline.responses,
  which: (exchange) => exchange.socket !== null || isCreation(exchange),
  turns: true,
  judge: (exchange, run) => {
    if (!createdIn(run).has(exchange)) throw new NothingToJudge('it asked for no generation');
    expectNewIds(exchange, kind, run);
  },
}));

everywhere(
  'everywhere/answers.failure-has-error',
  {
    least: baseline.responses,
    which: (exchange) => exchange.about.protocol === 'responses' && isSuccess(exchange),
  },
  (exchange) => {
    const failed = answersIn(exchange).filter(({ status }) => status === 'failed');
    if (failed.length === 0) throw new NothingToJudge('no run has failed');
    for (const response of failed) {
      expectValue(json.text(response, 'error.message'), {
        as: 'the message of the `error` of a failed response',
        of: exchange,
      }).toBe('a text', (message) => message !== null);
    }
  },
);

const day = 86_400;

everywhere.each(
  'everywhere/answers.times-in-run',
  (protocol: 'responses' | 'chat-completions') => ({
    least: baseline[protocol],
    which: (exchange) => exchange.about.protocol === protocol && isSuccess(exchange),
    judge: (exchange, run) => {
      notApplicableUnlessSeenMade(exchange, run);
      const now = dateOf(exchange, run);
      // A separate check judges milliseconds. A first chunk that only filters has time 0.
      const times = timesIn(exchange).filter((time) => time > 0 && time < 1e11);
      if (times.length === 0) throw new NothingToJudge('it has no time');
      const as = `times more than a day from ${new Date(now * 1000).toISOString()}`;
      const far = times.filter((time) => Math.abs(time - now) > day);
      expectValue(far, { as, of: exchange }).toEqual([]);
      for (const { created_at: made, completed_at: ended } of answersIn(exchange)) {
        if (typeof made !== 'number' || typeof ended !== 'number' || made > 1e11) continue;
        // The two times may be rounded differently.
        expectValue(ended, { as: 'completed_at', of: exchange }).toBe(
          `no earlier than created_at, ${made}`,
          () => ended >= made - 1,
        );
      }
    },
  }),
);

function dateIn(exchange: Exchange): number | null {
  const date = Date.parse(headerValues(exchange, 'date')[0] ?? '');
  return Number.isNaN(date) ? null : date / 1000;
}

/** Returns the time of the answer in seconds, by the gateway's clock. */
function dateOf(exchange: Exchange, { exchanges }: WholeRun): number {
  // An open WebSocket may have no date.
  for (const one of [exchange, ...exchanges]) {
    const date = dateIn(one);
    if (date !== null) return date;
  }
  throw new NothingToJudge('no answer says when it was sent');
}

everywhere.each('everywhere/answers.asked-model', (protocol: Exclude<Protocol, 'systemone'>) => ({
  least: baselineOf[protocol],
  which: (exchange) => exchange.about.protocol === protocol && isSuccess(exchange),
  turns: true,
  judge: (exchange, run) => {
    assumeServed(exchange);
    const creation = creationOf(exchange, run);
    const asked = creation === null ? null : namedModel(creation);
    // Each event may name it.
    const named = new Set(
      answersIn(exchange).flatMap((answer) =>
        [answer.model, answer.modelVersion, json.at(answer, 'message.model')].filter(isName),
      ),
    );
    if (asked === null || named.size === 0) throw new NothingToJudge('it names no model');
    const others = [...named].filter((name) => !isSameModel(name, asked));
    expectValue(others, {
      as: `models that are not the asked ${asked}`,
      of: exchange,
    }).toEqual([]);
  },
}));

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** True if two names denote the same model. One may add a version, or omit the publisher. */
function isSameModel(one: string, other: string): boolean {
  const forms = (name: string): string[] => [name, name.replace(/^.*\//, '')];
  return forms(one.toLowerCase()).some((a) =>
    forms(other.toLowerCase()).some((b) => a.startsWith(b) || b.startsWith(a)),
  );
}

type Echoed =
  | 'store'
  | 'background'
  | 'max_output_tokens'
  | 'previous_response_id'
  | 'instructions'
  | 'metadata'
  | 'tools';

/** Scenarios whose requests set each member. */
const asking: Readonly<Record<Echoed, Captures<unknown>>> = {
  store: baseline.responses,
  background: started,
  max_output_tokens: baseline.responses,
  previous_response_id: continued,
  instructions: systemPrompt.responses,
  metadata: toldInContinuation,
  tools: called.responses,
};

everywhere.each('everywhere/answers.echo', (member: Echoed) => ({
  least: asking[member],
  which: (exchange) => exchange.about.protocol === 'responses' && isSuccess(exchange),
  turns: true,
  judge: (exchange, run) => {
    const creation = creationOf(exchange, run);
    const asked = creation === null ? null : comparable(member, requestBody(creation)?.[member]);
    const told = answersIn(exchange)
      .filter(({ object }) => object === 'response')
      .flatMap((response) => comparable(member, response[member]) ?? []);
    if (asked === null || told.length === 0) throw new NothingToJudge('it was not asked or told');
    if (member === 'background' && asked === true && isAnsweredAtOnce(creation)) {
      throw new NothingToJudge('it had ended when it was first answered');
    }
    for (const one of told) expectValue(one, { as: member, of: exchange }).toEqual(asked);
  },
}));

/** Returns the part of a member that must be equal in request and response, or null if there is none. */
function comparable(member: Echoed, value: unknown): string | number | boolean | null {
  switch (member) {
    case 'tools':
      // Gateways may add defaults to a tool.
      return Array.isArray(value) ? value.map((tool) => json.text(tool, 'name')).join(', ') : null;
    case 'metadata':
      return json.isObject(value) ? JSON.stringify(Object.entries(value).toSorted()) : null;
    case 'instructions':
      // Instructions may be listed as items.
      return typeof value === 'string' ? value : null;
    default:
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : null;
  }
}

/**
 * True if the creation's JSON body shows an ended run: a separate requirement decides if a short run may skip the
 * background.
 */
function isAnsweredAtOnce(creation: Exchange | null): boolean {
  return creation !== null && terminal.includes(json.at(answerOf(creation).value, 'status'));
}

/**
 * Matches half of a surrogate pair, which JSON writes as an escape. A text about escapes has its own backslash
 * there, which JSON doubles.
 */
const noWholeLetter = /\uFFFD|(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/i;
/** Fast path: text without either of these has only whole letters, however its JSON is written. */
const mayBeNoWholeLetter = /\uFFFD|\\u/i;

everywhere.each('everywhere/answers.whole-letters', (protocol: Protocol) => ({
  least: baselineOf[protocol],
  which: (exchange) => exchange.about.protocol === protocol,
  // A recorded file may use another encoding.
  observed: 'on the wire',
  judge: (exchange, run) => {
    notApplicableUnlessSeenMade(exchange, run);
    const answers = answerObjects(exchange);
    if (answers.length === 0) throw new NothingToJudge('it has no text');
    if (noWholeLetter.test(requestText(exchange))) {
      throw new NothingToJudge('it was sent no whole text');
    }
    const isSuspect = answerOf(exchange).texts.some((one) => mayBeNoWholeLetter.test(one));
    const shown = isSuspect ? JSON.stringify(answers.map(withoutCalls)) : '';
    const at = shown.search(noWholeLetter);
    const broken = at < 0 ? null : shown.slice(Math.max(0, at - 20), at + 20);
    expectValue(broken, { as: 'a letter that is not whole', of: exchange }).toEqual(null);
  },
}));

/**
 * Removes the members whose text a stream may split anywhere, even within an escape: the JSON text of arguments,
 * and log probabilities.
 */
function withoutCalls(answer: object): object {
  const { arguments: _, partial_json: __, logprobs: ___, ...rest } = Object(answer);
  return rest;
}

everywhere.each('everywhere/answers.utf-8', (protocol: Protocol) => ({
  least: baselineOf[protocol],
  which: (exchange) =>
    exchange.about.protocol === protocol &&
    exchange.socket === null &&
    (exchange.response?.body.length ?? 0) > 0,
  observed: 'on the wire',
  judge: (exchange, run) => {
    const read = text(exchange);
    expectValue(read.ok ? null : read.reason, { as: 'what is no UTF-8', of: exchange }).toEqual(
      null,
    );
    // Last, because no answer counts as served if no body can be read.
    notApplicableUnlessAtEndpoint(exchange, run);
    assumeServing(exchange, run);
    assumeIdsDiffer(exchange, run);
  },
}));

everywhere.each('everywhere/answers.message-ends', (protocol: Protocol) => ({
  least: baselineOf[protocol],
  which: (exchange) =>
    exchange.about.protocol === protocol && exchange.socket === null && isSuccess(exchange),
  partial: true,
  observed: 'on the wire',
  judge: (exchange, run) => {
    const { response, failure } = exchange;
    if (failure !== null && failure.kind !== 'reset') throw new NothingToJudge('it was cut');
    if (!isContentWhole(exchange)) throw new NothingToJudge('its content is not whole either');
    const ended = failure === null && response?.complete === true;
    expectValue(ended, { as: 'the message ended as its framing says', of: exchange }).toEqual(true);
    // Last, because a truncated answer does not count as served.
    notApplicableUnlessAtEndpoint(exchange, run);
    assumeServing(exchange, run);
    assumeServed(exchange);
    assumeIdsDiffer(exchange, run);
  },
}));

/** True if the whole answer arrived, as its protocol defines it. */
function isContentWhole(exchange: Exchange): boolean {
  if (answerOf(exchange).form !== 'events') return answerOf(exchange).value !== undefined;
  const protocol = streamingProtocols.find((one) => one === exchange.about.protocol);
  if (protocol === undefined) return false;
  const { isEnd } = protocolModules[protocol].stream;
  return answerOf(exchange).events.some(isEnd);
}

everywhere(
  'everywhere/answers.service-goes-on',
  {
    least: badBodies['chat-completions'],
    which: (exchange) => exchange.failure?.kind === 'ended' || isRefused(exchange),
    partial: true,
  },
  (exchange, run) => {
    const loss = lossOfService(run);
    if (loss?.exchange === exchange) throw loss;
    if (!run.exchanges.some(isSuccess)) {
      throw new NothingToJudge('no request was served: there is no service to lose');
    }
  },
);
