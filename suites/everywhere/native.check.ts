import {
  assumeServed,
  checkEach,
  type EndpointName,
  type Exchange,
  endpoints,
  expect,
  expectValue,
  isRefused,
  jsonBody,
  listAt,
  NothingToJudge,
  numberAt,
  type SchemaId,
  type StreamingProtocol,
} from '../../harness/index.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline } from '../scenarios/baselines.ts';
import { assumeDistinctIds } from '../scenarios/distinct-ids.ts';
import { isAnswered } from '../scenarios/frames.ts';
import { assumeEndpointExists } from '../scenarios/missing-endpoint.ts';
import { refusedStream, type SwitchedProtocol, unstreamed } from '../scenarios/stream-switch.ts';
import { expectFitting, type SelfNamed } from './error-status.ts';
import { type RefusalKind, refusalAt } from './refusals.ts';

const timesAt = {
  responses: (body: unknown) => [numberAt(body, 'created_at')],
  'chat-completions': (body: unknown) => [numberAt(body, 'created')],
  compact: (body: unknown) => [numberAt(body, 'created_at')],
  models: (body: unknown) => listAt(body, 'data').map((entry) => numberAt(entry, 'created')),
};

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

checkEach('everywhere/native.error-shape', (endpoint: EndpointName, kind: RefusalKind) => ({
  on: refusalAt(endpoint, kind),
  judge: ({ refusal, control }) => {
    assumeEndpointExists(control);
    if (endpoint === 'websocket' && kind !== 'unknown-id') notApplicableUnlessWorded(refusal);
    expect(refusal).toHaveErrorShape(errorShape(endpoint, refusal));
  },
}));

checkEach('everywhere/native.error-fits-status', (endpoint: SelfNamed, kind: RefusalKind) => ({
  on: refusalAt(endpoint, kind),
  judge: ({ refusal, control }) => {
    assumeEndpointExists(control);
    expectFitting(endpoint, refusal);
  },
}));

checkEach('everywhere/native.error-before-stream', (protocol: StreamingProtocol) => ({
  on: refusedStream[protocol],
  judge: ({ refused }) => expect(refused).toBeRefusedBeforeItStreams(),
}));

/**
 * An upgrade is refused by its status, and a turn by a close code: the error that may go with it has a
 * shape where it is there. Only of a previous response that is not found the frame is documented.
 */
function notApplicableUnlessWorded(refusal: Exchange): void {
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
  return `${endpoints[endpoint].protocol}/error`;
}
