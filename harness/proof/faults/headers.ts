import { type EndpointName, protocolOfEndpoint } from '../../kernel/core/index.ts';
import { type Call, type Defect, Refusal } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { endpointOf, handlingAll, servedHeaders } from '../planting.ts';
import type { Fault } from './fault.ts';
import { each, planted } from './planted.ts';

// Gateways that reject legal forms of clients' requests.

type Asked = Exclude<EndpointName, 'websocket'>;

const asked = Object.keys(protocolOfEndpoint).filter((name): name is Asked => name !== 'websocket');

const withoutBody = ['models', 'catalog', 'lookup', 'input-items', 'cancel', 'delete'];
const withBody = asked.filter((name) => !withoutBody.includes(name));

const withBearer = Object.entries(protocolOfEndpoint).flatMap(([name, protocol]) =>
  protocol === 'messages' || protocol === 'generative' ? [] : [name],
);

const streaming = ['responses', 'chat-completions', 'messages', 'generative'] as const;

/** Refuses matching requests to an endpoint because of a legal header or transport. */
function refusingAt(
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
  ...each(asked, (endpoint) => ({
    'headers.any-type-refused-{}': refusingAt(
      endpoint,
      ({ headers }) => headers.accept === '*/*',
      'Name the content type that you accept.',
    ),
    'headers.accept-required-{}': refusingAt(
      endpoint,
      ({ headers }) => headers.accept === undefined,
      'The header Accept is required.',
    ),
    'headers.kept-connection-refused-{}': refusingAt(
      endpoint,
      ({ earlierOnConnection, isHttp2 }) => earlierOnConnection > 0 && !isHttp2,
      'Open a connection of its own for each request.',
    ),
    'headers.http2-refused-{}': {
      isSecure: true,
      override: refusingAt(endpoint, ({ isHttp2 }) => isHttp2, 'HTTP/2 is not supported.'),
    },
  })),
  ...each(streaming, (protocol) => ({
    'headers.http2-not-streamed-{}': {
      isSecure: true,
      override: decide(
        'wantsStream',
        (native) => (body, call) =>
          native(body, call) && !(call.dialect.name === protocol && call.isHttp2),
      ),
    },
  })),
  ...planted({
    'headers.http2-drops-body': {
      isSecure: true,
      override: handlingAll((handle) => (call, key) => {
        const isLost = call.isHttp2 && withBody.some((name) => name === endpointOf(call));
        if (isLost) throw new Refusal('malformed-json', 'The body is empty.');
        return handle(call, key);
      }),
    },
    'headers.http2-breaks': {
      isSecure: true,
      override: handlingAll((handle) => (call, key) => {
        if (call.isHttp2) throw new Refusal('internal-error', 'Something went wrong.');
        return handle(call, key);
      }),
    },
    'headers.any-type-labelled-as-stream': servedHeaders(
      (kind, { call }) => !kind.endsWith('.stream') && call.headers.accept === '*/*',
      { 'content-type': 'text/event-stream' },
    ),
    'headers.any-type-labelled-as-json': servedHeaders(
      (kind, { call }) => kind.endsWith('.stream') && call.headers.accept === '*/*',
      { 'content-type': 'application/json' },
    ),
  }),
  ...each(withBody, (endpoint) => ({
    'headers.charset-refused-{}': refusingAt(
      endpoint,
      hasCharset,
      'The content type has to be application/json.',
    ),
  })),
  ...each(withBearer, (endpoint) => ({
    'headers.scheme-with-case-{}': decide('credential', (native) => (from, call) => {
      const { authorization } = call.headers;
      const isLower = endpointOf(call) === endpoint && authorization?.startsWith('bearer ');
      return isLower === true ? undefined : native(from, call);
    }),
  })),
  ...each(streaming, (protocol) => ({
    'headers.accept-decides-{}': decide(
      'wantsStream',
      (native) => (body, call) =>
        native(body, call) &&
        !(call.dialect.name === protocol && call.headers.accept === 'application/json'),
    ),
  })),
];
