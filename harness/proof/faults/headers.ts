import { type EndpointName, protocolOfEndpoint } from '../../kernel/core/index.ts';
import { type Call, type Defect, Refusal } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { endpointOf, handlingAll, servedHeaders } from '../planting.ts';
import type { Fault } from './fault.ts';

// Requests as clients send them, taken literally.

type Asked = Exclude<EndpointName, 'websocket'>;

const asked = Object.keys(protocolOfEndpoint).filter((name): name is Asked => name !== 'websocket');

const withBody = [
  'responses',
  'chat-completions',
  'messages',
  'messages-count-tokens',
  'generate-content',
  'stream-generate-content',
  'count-tokens',
  'alternate-path',
  'systemone',
  'compact',
  'input-tokens',
] as const satisfies readonly EndpointName[];

const withBearer = [
  'responses',
  'chat-completions',
  'systemone',
  'models',
  'lookup',
  'input-items',
  'cancel',
  'delete',
  'compact',
  'input-tokens',
  'websocket',
] as const satisfies readonly EndpointName[];

const streaming = ['responses', 'chat-completions', 'messages', 'generative'] as const;

/** Refuses the requests to an endpoint that fit, for a header or a transport that is legal. */
function refusing(
  endpoint: EndpointName,
  fits: (call: Call) => boolean,
  message: string,
): Defect['override'] {
  return handlingAll((handle) => (call, key) => {
    if (endpointOf(call) !== endpoint || !fits(call)) return handle(call, key);
    throw new Refusal('invalid-value', message);
  });
}

function hasCharset({ headers }: Call): boolean {
  return headers['content-type']?.includes('charset') === true;
}

export const headersFaults: readonly Fault[] = [
  ...asked.flatMap((endpoint): Fault[] => [
    {
      id: `headers.any-type-refused-${endpoint}`,
      what: `A client has to accept JSON or a stream by its name, at ${endpoint}.`,
      breaks: [`input/headers.any-type-served:${endpoint}`],
      override: refusing(
        endpoint,
        ({ headers }) => headers.accept === '*/*',
        'Name the content type that you accept.',
      ),
    },
    {
      id: `headers.accept-required-${endpoint}`,
      what: `A client has to say what it accepts, at ${endpoint}.`,
      breaks: [`input/headers.no-accept-served:${endpoint}`],
      override: refusing(
        endpoint,
        ({ headers }) => headers.accept === undefined,
        'The header Accept is required.',
      ),
    },
    {
      id: `headers.kept-connection-refused-${endpoint}`,
      what: `Only the first request over a connection is served, at ${endpoint}.`,
      breaks: [`input/headers.kept-connection-served:${endpoint}`],
      override: refusing(
        endpoint,
        ({ earlierOnConnection, isHttp2 }) => earlierOnConnection > 0 && !isHttp2,
        'Open a connection of its own for each request.',
      ),
    },
    {
      id: `headers.http2-refused-${endpoint}`,
      what: `A request over HTTP/2 is refused, though the gateway offers it, at ${endpoint}.`,
      breaks: [`input/headers.http2-served:${endpoint}`],
      isSecure: true,
      override: refusing(endpoint, ({ isHttp2 }) => isHttp2, 'HTTP/2 is not supported.'),
    },
  ]),
  ...streaming.map(
    (protocol): Fault => ({
      id: `headers.http2-not-streamed-${protocol}`,
      what: `Over HTTP/2 a stream is answered with one JSON body, over ${protocol}.`,
      breaks: [`input/headers.http2-streamed:${protocol}`],
      isSecure: true,
      override: decide(
        'wantsStream',
        (native) => (body, call) =>
          native(body, call) && !(call.dialect.name === protocol && call.isHttp2),
      ),
    }),
  ),
  {
    id: 'headers.http2-drops-body',
    what: 'The body of a request over HTTP/2 does not reach the gateway.',
    breaks: withBody.map((endpoint) => `input/headers.http2-served:${endpoint}`),
    isSecure: true,
    override: handlingAll((handle) => (call, key) => {
      const isLost = call.isHttp2 && withBody.some((name) => name === endpointOf(call));
      if (isLost) throw new Refusal('malformed-json', 'The body is empty.');
      return handle(call, key);
    }),
  },
  {
    id: 'headers.http2-breaks',
    what: 'Every request over HTTP/2 is answered with 500.',
    breaks: asked.map((endpoint) => `input/headers.http2-served:${endpoint}`),
    isSecure: true,
    override: handlingAll((handle) => (call, key) => {
      if (call.isHttp2) throw new Refusal('internal-error', 'Something went wrong.');
      return handle(call, key);
    }),
  },
  {
    id: 'headers.any-type-labelled-as-stream',
    what: 'To who accepts any type, JSON is sent with the content type of a stream.',
    breaks: asked
      .filter((endpoint) => endpoint !== 'stream-generate-content' && endpoint !== 'delete')
      .map((endpoint) => `everywhere/native.json-content-type:${endpoint}`),
    shownBy: ['input/headers.any-type-served'],
    override: servedHeaders(
      (kind, { call }) => !kind.endsWith('.stream') && call.headers.accept === '*/*',
      { 'content-type': 'text/event-stream' },
    ),
  },
  {
    id: 'headers.any-type-labelled-as-json',
    what: 'To who accepts any type, a stream is sent with the content type of JSON.',
    breaks: streaming.map((protocol) => `everywhere/native.event-stream-content-type:${protocol}`),
    override: servedHeaders(
      (kind, { call }) => kind.endsWith('.stream') && call.headers.accept === '*/*',
      { 'content-type': 'application/json' },
    ),
  },
  ...withBody.map(
    (endpoint): Fault => ({
      id: `headers.charset-refused-${endpoint}`,
      what: `A content type with a charset is none that the gateway knows, at ${endpoint}.`,
      breaks: [`input/headers.charset-served:${endpoint}`],
      override: refusing(endpoint, hasCharset, 'The content type has to be application/json.'),
    }),
  ),
  ...withBearer.map(
    (endpoint): Fault => ({
      id: `headers.scheme-with-case-${endpoint}`,
      what: `The scheme of the credential has to be written "Bearer", at ${endpoint}.`,
      breaks: [`input/headers.lower-case-served:${endpoint}`],
      override: decide('credential', (native) => (from, call) => {
        const { authorization } = call.headers;
        const isLower = endpointOf(call) === endpoint && authorization?.startsWith('bearer ');
        return isLower === true ? undefined : native(from, call);
      }),
    }),
  ),
  ...streaming.map(
    (protocol): Fault => ({
      id: `headers.accept-decides-${protocol}`,
      what: `A stream is sent only to who accepts it in a header, over ${protocol}.`,
      breaks: [`input/headers.stream-not-negotiated:${protocol}`],
      override: decide(
        'wantsStream',
        (native) => (body, call) =>
          native(body, call) &&
          !(call.dialect.name === protocol && call.headers.accept === 'application/json'),
      ),
    }),
  ),
];
