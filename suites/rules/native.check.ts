import {
  checkEach,
  type EndpointName,
  type Exchange,
  endpoints,
  expect,
  mustBeServed,
  type SchemaId,
  type StreamingProtocol,
} from '../../harness/index.ts';
import { mustBeThere } from '../missing-endpoint.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { mustBeToldApart } from '../told-apart.ts';
import { type RefusalKind, refusalAt } from './refusals.ts';
import { refusedStream, type SwitchedProtocol, unstreamed } from './stream-switch.ts';

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

checkEach('rules/native.error-shape', (endpoint: EndpointName, kind: RefusalKind) => ({
  on: refusalAt(endpoint, kind),
  judge: ({ refusal, control }) => {
    mustBeThere(control);
    expect(refusal).toHaveErrorShape(errorShape(endpoint, refusal));
  },
}));

checkEach('rules/native.error-before-stream', (protocol: StreamingProtocol) => ({
  on: refusedStream[protocol],
  judge: ({ refused }) => expect(refused).toBeRefusedBeforeItStreams(),
}));

/**
 * Cancel and delete may send the error bare. A WebSocket that is open refuses with a frame; one that is
 * not was refused over HTTP, and nothing says which refusal has to come when.
 */
function errorShape(endpoint: EndpointName, { socket }: Exchange): SchemaId {
  if (endpoint === 'cancel' || endpoint === 'delete') return 'responses/stored-error';
  if (socket !== null) return 'responses/error-frame';
  return `${endpoints[endpoint].protocol}/error`;
}
