import {
  checkEach,
  type EndpointName,
  type Exchange,
  endpoints,
  expect,
  expectValue,
  isRefused,
  jsonBody,
  listAt,
  mustBeServed,
  NothingToJudge,
  numberAt,
  type SchemaId,
  type StreamingProtocol,
} from '../../harness/index.ts';
import { mustBeThere } from '../missing-endpoint.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { isAnswered } from '../responses/frames.ts';
import { mustBeToldApart } from '../told-apart.ts';
import { expectFitting, type SelfNamed } from './error-status.ts';
import { type RefusalKind, refusalAt } from './refusals.ts';
import { refusedStream, type SwitchedProtocol, unstreamed } from './stream-switch.ts';

const timesAt = {
  responses: (body: unknown) => [numberAt(body, 'created_at')],
  'chat-completions': (body: unknown) => [numberAt(body, 'created')],
  compact: (body: unknown) => [numberAt(body, 'created_at')],
  models: (body: unknown) => listAt(body, 'data').map((entry) => numberAt(entry, 'created')),
};

checkEach('rules/native.body-not-enveloped', (endpoint: EndpointName) => ({
  on: ordinary[endpoint],
  judge: ({ ordinary }) => expect(ordinary).toBeUnwrapped(),
}));

checkEach('rules/native.json-unless-asked', (protocol: SwitchedProtocol, stream: string) => ({
  on: unstreamed[protocol],
  judge: ({ absent, off }) => {
    const [answer, other] = stream === 'false' ? [off, absent] : [absent, off];
    mustBeServed(answer);
    expect(answer).toBeJson();
    if (protocol === 'responses') mustBeToldApart([answer], [other]);
  },
}));

checkEach('rules/native.json-content-type', (endpoint: EndpointName) => ({
  on: ordinary[endpoint],
  judge: ({ ordinary }) => {
    mustBeServed(ordinary);
    expect(ordinary).toHaveContentType('application/json', '+json');
  },
}));

/** In seconds, the year 5138; in milliseconds, a day in 1973. */
const tooLate = 1e11;

checkEach('rules/native.created-in-seconds', (endpoint: keyof typeof timesAt) => ({
  on: ordinary[endpoint],
  judge: ({ ordinary }) => {
    mustBeServed(ordinary);
    const times = timesAt[endpoint](jsonBody(ordinary)).filter((time) => time !== null);
    const as = 'the times of creation beyond the year 5000';
    expectValue(
      times.filter((time) => time >= tooLate),
      { as, of: ordinary },
    ).toEqual([]);
  },
}));

checkEach('rules/native.event-stream-content-type', (protocol: StreamingProtocol) => ({
  on: ordinaryStream[protocol],
  judge: ({ streamed }) => {
    mustBeServed(streamed);
    expect(streamed).toHaveContentType('text/event-stream');
  },
}));

checkEach('rules/native.no-foreign-events', (protocol: StreamingProtocol) => ({
  on: ordinaryStream[protocol],
  judge: ({ streamed }) => expect(streamed).toFollow('no-foreign-events'),
}));

checkEach(
  'rules/native.last-event-closed',
  // On generative-content it is a row of its own.
  (protocol: Exclude<StreamingProtocol, 'generative'>) => ({
    on: ordinaryStream[protocol],
    judge: ({ streamed }) => expect(streamed).toFollow('last-event-closed'),
  }),
);

checkEach('rules/native.error-shape', (endpoint: EndpointName, kind: RefusalKind) => ({
  on: refusalAt(endpoint, kind),
  judge: ({ refusal, control }) => {
    mustBeThere(control);
    if (endpoint === 'websocket' && kind !== 'unknown-id') mustSaySomething(refusal);
    expect(refusal).toHaveErrorShape(errorShape(endpoint, refusal));
  },
}));

checkEach('rules/native.error-fits-status', (endpoint: SelfNamed, kind: RefusalKind) => ({
  on: refusalAt(endpoint, kind),
  judge: ({ refusal, control }) => {
    mustBeThere(control);
    expectFitting(endpoint, refusal);
  },
}));

checkEach('rules/native.error-before-stream', (protocol: StreamingProtocol) => ({
  on: refusedStream[protocol],
  judge: ({ refused }) => expect(refused).toBeRefusedBeforeItStreams(),
}));

/**
 * An upgrade is refused by its status, and a turn by a close code: the error that may go with it has a
 * shape where it is there. Only of a previous response that is not found the frame is documented.
 */
function mustSaySomething(refusal: Exchange): void {
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
