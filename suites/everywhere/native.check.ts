import {
  assumeServed,
  type Captures,
  checkEach,
  type EndpointName,
  type Exchange,
  each,
  endpoints,
  errorBody,
  expect,
  expectValue,
  Inconclusive,
  isRefused,
  jsonBody,
  listAt,
  NothingToJudge,
  numberAt,
  present,
  type Scenario,
  type SchemaId,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  view,
} from '../../harness/index.ts';
import { assumeDistinctIds, assumeEndpointExists } from '../scenarios/assumptions.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline } from '../scenarios/baselines.ts';
import { badBodies } from '../scenarios/requests/bad-bodies.ts';
import { credentialAttempts } from '../scenarios/requests/credential-attempts.ts';
import { unknownModel } from '../scenarios/requests/models.ts';
import { streamedAt } from '../scenarios/requests/request-modes.ts';
import { type SwitchedProtocol, unstreamed } from '../scenarios/requests/unstreamed.ts';
import { isAnswered } from '../scenarios/websocket/frames.ts';

checkEach('everywhere/native.body-not-enveloped', (endpoint: EndpointName) => ({
  on: baseline[endpoint],
  judge: ({ baseline }) => expect(baseline).toBeUnwrapped(),
}));

checkEach('everywhere/native.json-unless-asked', (protocol: SwitchedProtocol, stream: string) => ({
  on: unstreamed[protocol],
  judge: ({ absent, off }) => {
    const [answer, other] = stream === 'false' ? [off, absent] : [absent, off];
    assumeServed(answer);
    expect(answer).toBeJson();
    if (protocol === 'responses') assumeDistinctIds([answer], [other]);
  },
}));

checkEach('everywhere/native.json-content-type', (endpoint: EndpointName) => ({
  on: baseline[endpoint],
  judge: ({ baseline }) => {
    assumeServed(baseline);
    expect(baseline).toHaveContentType('application/json', '+json');
  },
}));

const timesAt = {
  responses: (body: unknown) => [numberAt(body, 'created_at')],
  'chat-completions': (body: unknown) => [numberAt(body, 'created')],
  compact: (body: unknown) => [numberAt(body, 'created_at')],
  models: (body: unknown) => listAt(body, 'data').map((entry) => numberAt(entry, 'created')),
};

/** In seconds, the year 5138; in milliseconds, a day in 1973. */
const tooLate = 1e11;

checkEach('everywhere/native.created-in-seconds', (endpoint: keyof typeof timesAt) => ({
  on: baseline[endpoint],
  judge: ({ baseline }) => {
    assumeServed(baseline);
    const times = timesAt[endpoint](jsonBody(baseline)).filter((time) => time !== null);
    const as = 'the times of creation beyond the year 5000';
    expectValue(
      times.filter((time) => time >= tooLate),
      { as, of: baseline },
    ).toEqual([]);
  },
}));

checkEach('everywhere/native.event-stream-content-type', (protocol: StreamingProtocol) => ({
  on: baselineStream[protocol],
  judge: ({ streamed }) => {
    assumeServed(streamed);
    expect(streamed).toHaveContentType('text/event-stream');
  },
}));

checkEach('everywhere/native.no-foreign-events', (protocol: StreamingProtocol) => ({
  on: baselineStream[protocol],
  judge: ({ streamed }) => expect(streamed).toFollow('no-foreign-events'),
}));

checkEach(
  'everywhere/native.last-event-closed',
  // On generative-content it is a row of its own.
  (protocol: Exclude<StreamingProtocol, 'generative'>) => ({
    on: baselineStream[protocol],
    judge: ({ streamed }) => expect(streamed).toFollow('last-event-closed'),
  }),
);

/** Why a request is refused, by the values of the catalogue. */
type RefusalKind = 'no-key' | 'unknown-model' | 'bad-body' | 'unknown-id';

/** A refused request, and its control. */
interface Refused {
  readonly refusal: Exchange;
  readonly control: Exchange;
}

/** The endpoints whose requests name a stored response, with an id that none has. */
const naming = ['responses', 'lookup', 'input-items', 'cancel', 'delete', 'websocket'] as const;

const unknownId: Readonly<Record<string, Scenario<Refused>>> = each(naming, (name) =>
  scenario(
    `everywhere/native/unknown-id/${name}`,
    { after: { baseline: baseline[name] }, cost: { requests: 1, generations: 0 } },
    async ({ ask, word }, { baseline: { baseline: control } }) => {
      const id = `resp_${word()}${word()}`;
      const continued = { previous_response_id: id };
      const refusal = await ask(name, {
        id,
        change: (call) =>
          call.operation === 'responses.create'
            ? { ...call, body: { ...Object(call.body), ...continued } }
            : call,
        frame: (frame) => ({ ...frame, ...continued }),
      });
      return { refusal, control };
    },
  ),
);

checkEach('everywhere/native.error-shape', (endpoint: EndpointName, kind: RefusalKind) => ({
  on: refusalAt(endpoint, kind),
  judge: ({ refusal, control }) => {
    assumeEndpointExists(control);
    if (endpoint === 'websocket' && kind !== 'unknown-id') notApplicableUnlessErrorSent(refusal);
    expect(refusal).toHaveErrorShape(errorShape(endpoint, refusal));
  },
}));

/** One refused request of a kind to an endpoint; other checks need it, too. */
function refusalAt(endpoint: EndpointName, kind: RefusalKind): Captures<Refused> {
  switch (kind) {
    case 'no-key':
      return view({ tried: credentialAttempts[endpoint] }, ({ tried: { keyless, control } }) => ({
        refusal: present(keyless[0], 'refused request'),
        control,
      }));
    case 'bad-body':
      return view(
        { tried: present(badBodies[endpoint], endpoint) },
        ({ tried: { malformedJson, control } }) => ({ refusal: malformedJson, control }),
      );
    case 'unknown-model':
      return view(
        { tried: present(unknownModel[endpoint], endpoint) },
        ({ tried: { attempts, control } }) => ({
          refusal: present(attempts[0], 'refused request'),
          control,
        }),
      );
    case 'unknown-id':
      return present(unknownId[endpoint], endpoint);
  }
}

/**
 * An upgrade is refused by its status, and a turn by a close code: the error that may go with it has a
 * shape where it is there. Only of a previous response that is not found the frame is documented.
 */
function notApplicableUnlessErrorSent(refusal: Exchange): void {
  const { response, socket } = refusal;
  const isBare = socket === null ? response?.body.length === 0 : !isAnswered(refusal);
  if (isBare && isRefused(refusal)) {
    throw new NothingToJudge('it was refused by a status or a close code alone');
  }
}

/**
 * Cancel and delete may send the error bare. A WebSocket that is open refuses with a frame; one that is
 * not was refused over HTTP, and nothing says which refusal has to come when.
 */
function errorShape(endpoint: EndpointName, { socket }: Exchange): SchemaId {
  if (endpoint === 'cancel' || endpoint === 'delete') return 'responses/stored-error';
  if (socket !== null) return 'responses/error-frame';
  return endpoints[endpoint].errorSchema;
}

/** Protocols whose errors say of themselves which HTTP status they belong to. */
type SelfNamed = 'messages' | 'generate-content';

/** What each of them documents, by HTTP status. Of a status that is not there, nothing is documented. */
const documented: Readonly<Record<SelfNamed, Readonly<Record<number, readonly string[]>>>> = {
  messages: {
    400: [],
    401: ['authentication_error'],
    402: ['billing_error'],
    403: ['permission_error'],
    404: ['not_found_error'],
    409: ['conflict_error'],
    413: ['request_too_large'],
    429: ['rate_limit_error'],
    500: ['api_error'],
    504: ['timeout_error'],
    529: ['overloaded_error'],
  },
  'generate-content': {
    400: ['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'OUT_OF_RANGE'],
    401: ['UNAUTHENTICATED'],
    403: ['PERMISSION_DENIED'],
    404: ['NOT_FOUND'],
    409: ['ABORTED', 'ALREADY_EXISTS'],
    429: ['RESOURCE_EXHAUSTED'],
    499: ['CANCELLED'],
    500: ['INTERNAL', 'UNKNOWN', 'DATA_LOSS'],
    501: ['UNIMPLEMENTED'],
    503: ['UNAVAILABLE'],
    504: ['DEADLINE_EXCEEDED'],
  },
};

checkEach('everywhere/native.error-fits-status', (endpoint: SelfNamed, kind: RefusalKind) => ({
  on: refusalAt(endpoint, kind),
  judge: ({ refusal, control }) => {
    assumeEndpointExists(control);
    expectFitting(endpoint, refusal);
  },
}));

/** Judges the error of a refusal: what it says of itself belongs to the status that it came with. */
function expectFitting(endpoint: SelfNamed, refusal: Exchange): void {
  const error = errorBody(refusal);
  const status = refusal.response?.status ?? 0;
  if (!isRefused(refusal) || error === null) {
    throw new Inconclusive('it was not refused with an error', refusal);
  }
  if (typeof error.code === 'number') {
    expectValue(error.code, { as: 'error.code', of: refusal }).toEqual(status);
  }
  const names = documented[endpoint];
  const fitting = names[status];
  // `invalid_request_error` may stand for any fault of the caller, and so may a name of the gateway's own.
  const { type } = error;
  if (fitting === undefined || type === null) return;
  const belongsSomewhere = Object.values(names).some((some) => some.includes(type));
  expectValue(type, { as: 'the name of the error', of: refusal }).toBe(
    `one for ${status} (${fitting.join(', ')}), or one for no status`,
    () => fitting.includes(type) || !belongsSomewhere,
  );
}

/** A stream that is asked of a model that does not exist. */
const refusedStream = each(streamingProtocols, (protocol: StreamingProtocol) => {
  const { name, form } = streamedAt(protocol);
  return scenario(
    `everywhere/native/refused-stream/${protocol}`,
    { after: { control: baselineStream[protocol] }, cost: { requests: 1, generations: 0 } },
    async ({ ask, word }) => ({
      refused: await ask(name, {
        model: `touchstone-no-such-model-${word()}`,
        change: form,
      }),
    }),
  );
});

checkEach('everywhere/native.error-before-stream', (protocol: StreamingProtocol) => ({
  on: refusedStream[protocol],
  judge: ({ refused }) => expect(refused).toBeRefusedBeforeItStreams(),
}));
