import {
  answerOf,
  asksForResponse,
  assumeServed,
  contentOf,
  type EndpointName,
  type Exchange,
  each,
  endpoints,
  everywhere,
  expect,
  expectValue,
  findingsOf,
  json,
  NothingToJudge,
  type Protocol,
  protocolModules,
  type Scenario,
  type StreamingProtocol,
  scenario,
} from '../../harness/index.ts';
import {
  baseline,
  baselineOf,
  baselineStream,
  refusedCost,
  type SwitchedProtocol,
  unstreamed,
} from '../scenarios/baselines.ts';
import {
  asksForStream,
  assumeIdsDiffer,
  assumeServing,
  bodyAt,
  endpointIn,
  hasFailed,
  isRefusal,
  isServedAt,
  isStopped,
  isStream,
  isSuccess,
  present,
  refusedAt,
  requestBody,
  type Which,
} from '../scenarios/exchanges.ts';
import { badBodies } from '../scenarios/requests/bad-bodies.ts';
import { credentialAttempts } from '../scenarios/requests/credential-attempts.ts';
import { unknownModel } from '../scenarios/requests/models.ts';
import { streamedAt } from '../scenarios/requests/request-forms.ts';
import { isAnswered } from '../scenarios/websocket/conversation.ts';
import { answerObjects, timesIn } from './answers.ts';
import { expectFitting, type Naming } from './error-statuses.ts';
import { memberTwice } from './member-twice.ts';

everywhere.each('everywhere/native.body-not-enveloped', (endpoint: EndpointName) => ({
  least: baseline[endpoint],
  which: isServedAt(endpoint),
  // An envelope hides the end of a conversation, too.
  partial: true,
  judge: (exchange, run) => {
    assumeIdsDiffer(exchange, run);
    expect(exchange).toBeUnwrapped();
  },
}));

everywhere.each(
  'everywhere/native.json-unless-asked',
  (protocol: SwitchedProtocol, stream: string) => ({
    least: unstreamed[protocol],
    which: (exchange, run) =>
      isServedAt(protocol)(exchange, run) &&
      String(requestBody(exchange)?.stream ?? 'absent') === stream,
    judge: (exchange, run) => {
      assumeServed(exchange);
      assumeIdsDiffer(exchange, run);
      expect(exchange).toBeJson();
    },
  }),
);

everywhere.each('everywhere/native.json-content-type', (endpoint: EndpointName) => ({
  least: baseline[endpoint],
  which: bodyAt(endpoint),
  judge: (exchange, run) => {
    assumeServed(exchange);
    assumeIdsDiffer(exchange, run);
    expect(exchange).toHaveContentType('application/json', '+json');
  },
}));

const isServedSomewhere: Which = (exchange, run) =>
  endpointIn(exchange, run) !== null && isSuccess(exchange);

everywhere(
  'everywhere/native.no-byte-order-mark',
  {
    least: baseline.models,
    which: (exchange, run) =>
      isServedSomewhere(exchange, run) && answerOf(exchange).value !== undefined,
  },
  (exchange, run) => {
    assumeServed(exchange);
    assumeIdsDiffer(exchange, run);
    const beginning = Buffer.from(exchange.response?.body.subarray(0, 3) ?? []).toString('hex');
    const as = 'the first bytes of the body';
    expectValue(beginning, { as, of: exchange }).toBe(
      'no byte order mark',
      (bytes) => bytes !== 'efbbbf',
    );
  },
);

everywhere(
  'everywhere/native.members-once',
  { least: baseline.models, which: isServedSomewhere },
  (exchange, run) => {
    assumeServed(exchange);
    assumeIdsDiffer(exchange, run);
    const texts = answerOf(exchange).texts;
    if (texts.length === 0) throw new NothingToJudge('it has no JSON');
    const twice = texts.flatMap((one) => memberTwice(one) ?? []);
    expectValue(twice, { as: 'members that an object has twice', of: exchange }).toEqual([]);
  },
);

everywhere.each('everywhere/native.error-content-type', (protocol: Protocol) => ({
  least: credentialAttempts[protocolModules[protocol].mainEndpoint],
  which: (exchange, run) =>
    exchange.about.protocol === protocol &&
    endpointIn(exchange, run) !== null &&
    isRefusal(exchange) &&
    json.isObject(answerOf(exchange).value),
  judge: (exchange, run) => {
    assumeServing(exchange, run);
    expect(exchange).toHaveContentType('application/json', '+json');
  },
}));

/** Upper bound of a time in seconds: the year 5138. In milliseconds, it is a day in 1973. */
const tooLate = 1e11;

everywhere.each('everywhere/native.created-in-seconds', (endpoint: TimedEndpoint) => ({
  least: baseline[endpoint],
  which: isServedAt(endpoint),
  judge: (exchange) => {
    assumeServed(exchange);
    const times = timesIn(exchange);
    if (times.length === 0) throw new NothingToJudge('it has no time of creation');
    const as = 'the times of creation beyond the year 5000';
    const late = times.filter((time) => time >= tooLate);
    expectValue(late, { as, of: exchange }).toEqual([]);
  },
}));

type TimedEndpoint = 'responses' | 'chat-completions' | 'compact' | 'models';

everywhere.each('everywhere/native.event-stream-content-type', (protocol: StreamingProtocol) => ({
  least: baselineStream[protocol],
  which: (exchange) => isStream(protocol)(exchange) || isListForStream(exchange, protocol),
  partial: true,
  judge: (exchange) => {
    if (findingsOf(exchange)?.ownEvents === 0) throw new NothingToJudge('it has no event');
    expect(exchange).toHaveContentType('text/event-stream');
  },
}));

/** True if the chunks of a requested event stream arrive as one JSON list, which `alt=sse` opts out of. */
function isListForStream(exchange: Exchange, protocol: StreamingProtocol): boolean {
  const { searchParams } = new URL(exchange.request.url);
  const asked = protocol !== 'generative' || searchParams.get('alt') === 'sse';
  return (
    asked &&
    asksForStream(exchange, protocol) &&
    isSuccess(exchange) &&
    Array.isArray(answerOf(exchange).value)
  );
}

everywhere.each('everywhere/native.no-foreign-events', (protocol: StreamingProtocol) => ({
  least: baselineStream[protocol],
  which: isStream(protocol),
  partial: true,
  judge: (exchange) => expect(exchange).toFollow('no-foreign-events'),
}));

everywhere.each(
  'everywhere/native.last-event-closed',
  // For generative-content, a separate requirement covers this.
  (protocol: Exclude<StreamingProtocol, 'generative'>) => ({
    least: baselineStream[protocol],
    which: isStream(protocol),
    partial: true,
    judge: (exchange) => expect(exchange).toFollow('last-event-closed'),
  }),
);

/** Endpoints whose requests name a stored response, here with an unused id. */
const naming = ['responses', 'lookup', 'input-items', 'cancel', 'delete', 'websocket'] as const;

const unknownId: Readonly<Partial<Record<EndpointName, Scenario>>> = each(naming, (name) =>
  scenario(
    `everywhere/native/unknown-id/${name}`,
    { after: { baseline: baseline[name] }, cost: refusedCost(name, 1) },
    async ({ ask, random }) => {
      const id = `resp_${random(({ string }) => string.hexadecimal({ length: 48, casing: 'lower', prefix: '' }))}`;
      const continued = { previous_response_id: id };
      return ask(name, {
        id,
        change: (call) =>
          call.operation === 'responses.create'
            ? { ...call, body: { ...Object(call.body), ...continued } }
            : call,
        frame: (frame) => ({ ...frame, ...continued }),
      });
    },
  ),
);

const refusals = (endpoint: EndpointName) => ({
  credentials: credentialAttempts[endpoint],
  ...(endpoint in badBodies ? { bodies: present(badBodies[endpoint], endpoint) } : {}),
  ...(endpoint in unknownModel ? { models: present(unknownModel[endpoint], endpoint) } : {}),
  ...(endpoint in unknownId ? { ids: present(unknownId[endpoint], endpoint) } : {}),
});

everywhere.each('everywhere/native.error-shape', (endpoint: EndpointName) => ({
  least: refusals(endpoint),
  which: refusedAt(endpoint),
  turns: true,
  judge: (exchange, run) => {
    assumeServing(exchange, run);
    if (endpoint === 'websocket') notApplicableUnlessErrorSent(exchange);
    expect(exchange).toHaveErrorShape(errorShape(endpoint, exchange));
  },
}));

/**
 * Skips refusals without an error body. The status refuses an upgrade, and a close code refuses a turn; an additional
 * error has a shape if it is present. Only for a previous response that is not found is the frame documented.
 */
function notApplicableUnlessErrorSent(refusal: Exchange): void {
  const { response, socket } = refusal;
  if (socket !== null && !asksForResponse(refusal)) {
    throw new NothingToJudge('what a frame gets that asks for no response is documented nowhere');
  }
  const isBare = socket === null ? response?.body.length === 0 : !isAnswered(refusal);
  if (isBare && json.at(requestBody(refusal), 'previous_response_id') === undefined) {
    throw new NothingToJudge('it was refused by a status or a close code alone');
  }
}

/**
 * Returns the schema of a refusal. Cancel and delete may send the bare error. An open WebSocket refuses with a
 * frame; an upgrade is refused over HTTP, and no source says when to use which.
 */
function errorShape(endpoint: EndpointName, { socket }: Exchange) {
  if (endpoint === 'cancel' || endpoint === 'delete') return 'responses/stored-error';
  if (socket !== null) return 'responses/error-frame';
  return endpoints[endpoint].errorSchema;
}

everywhere.each('everywhere/native.refusal-not-enveloped', (endpoint: EndpointName) => ({
  least: refusals(endpoint),
  which: refusedAt(endpoint),
  turns: true,
  judge: (exchange, run) => {
    assumeServing(exchange, run);
    const [enveloped = null] = answerObjects(exchange).filter(isEnvelopedRefusal);
    expectValue(enveloped, { as: 'the refusal', of: exchange }).toBe(
      'without the members `data` and `requestId` of an envelope',
      (one) => one === null,
    );
  },
}));

everywhere.each('everywhere/native.error-fits-status', (naming: Naming) => ({
  least: refusals(naming === 'models' ? naming : protocolModules[naming].mainEndpoint),
  which: (exchange, run) =>
    exchange.about.protocol === naming && endpointIn(exchange, run) !== null && hasFailed(exchange),
  // A rate limit also needs a proper error.
  partial: true,
  turns: true,
  judge: (exchange, run) => {
    assumeServing(exchange, run);
    expectFitting(naming, exchange);
  },
}));

everywhere.each('everywhere/native.error-before-stream', (protocol: StreamingProtocol) => ({
  least: present(unknownModel[streamedAt(protocol).name], protocol),
  which: (exchange) => asksForStream(exchange, protocol) && isRefusal(exchange),
  judge: (exchange) => expect(exchange).toBeRefusedBeforeItStreams(),
}));

everywhere.each('everywhere/native.ending-fits-request', (protocol: StreamingProtocol) => ({
  least: { body: baselineOf[protocol], stream: baselineStream[protocol] },
  which: (exchange, run) =>
    exchange.about.protocol === protocol &&
    generating.has(exchange.about.operation) &&
    exchange.socket === null &&
    isSuccess(exchange) &&
    !isStopped(exchange, run),
  judge: (exchange) => {
    const { documented, isOpen = false } = protocolModules[protocol].endings;
    const end = contentOf(exchange).ending;
    // A failed run does not count as served, but has ended.
    if (end !== 'failed') assumeServed(exchange);
    if (
      end === null &&
      (protocol === 'responses' || isOpen || answerOf(exchange).events.length > 0)
    ) {
      throw new NothingToJudge('it does not say how it ended');
    }
    if (end !== null && isOpen && !(end in documented)) return;
    const asked = requestBody(exchange);
    const possible = Object.entries(documented).flatMap(([name, member]) =>
      member === null || isAskedFor(json.at(asked, member)) ? [name] : [],
    );
    expectValue(end, { as: 'how it ended', of: exchange }).toBeOneOf(possible);
  },
}));

/** Operations whose answer is the generation itself. A compaction has no ending. */
const generating: ReadonlySet<string> = new Set(
  ['responses', 'chat-completions', 'messages', 'generative'].flatMap((name) =>
    ['create', 'stream', 'generate'].map((does) => `${name}.${does}`),
  ),
);

function isAskedFor(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** True for a refusal that has both members of an envelope at the top level. No native error has `data`. */
function isEnvelopedRefusal(body: unknown): boolean {
  return json.isObject(body) && 'data' in body && ('requestId' in body || 'request_id' in body);
}
