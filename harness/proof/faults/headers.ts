import type { EndpointName } from '../../core/endpoint.ts';
import type { Call } from '../../reference/call.ts';
import { Refusal } from '../../reference/refusal.ts';
import { decide } from '../decisions.ts';
import { endpointOf, handlingAll } from '../planting.ts';
import type { Fault } from './fault.ts';

// Headers that are taken literally.

const withBody = [
  'responses',
  'chat-completions',
  'messages',
  'messages-count-tokens',
  'generate-content',
  'stream-generate-content',
  'count-tokens',
  'alternate-path',
  'input-tokens',
] as const satisfies readonly EndpointName[];

const withBearer = [
  'responses',
  'chat-completions',
  'models',
  'lookup',
  'input-items',
  'input-tokens',
  'websocket',
] as const satisfies readonly EndpointName[];

const streaming = ['responses', 'chat-completions', 'messages', 'generative'] as const;

function hasCharset({ headers }: Call): boolean {
  return headers['content-type']?.includes('charset') === true;
}

export const headersFaults: readonly Fault[] = [
  ...withBody.map(
    (endpoint): Fault => ({
      id: `headers.charset-refused-${endpoint}`,
      what: `A content type with a charset is none that the gateway knows, at ${endpoint}.`,
      breaks: [`input/headers.charset-served:${endpoint}`],
      override: handlingAll((handle) => (call, key) => {
        if (endpointOf(call) !== endpoint || !hasCharset(call)) return handle(call, key);
        throw new Refusal('invalid-value', 'The content type has to be application/json.');
      }),
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
