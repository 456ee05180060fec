import {
  at,
  type Call,
  type CallOptions,
  type EndpointName,
  type Exchange,
  ending,
  expect,
  expectValue,
  generatedText,
  type Io,
  jsonBody,
  mustBeServed,
  present,
  textAt,
} from '../../harness/index.ts';
import { lastOf, pollToTheEnd, running } from '../responses/background-runs.ts';

/** Makes another request of a call, which asks for the same in another form. */
export type Form = (call: Call) => Call;

const otherForms: Partial<Record<EndpointName, readonly Form[]>> = {
  responses: [streaming, inBackground],
  'chat-completions': [streaming],
  messages: [streaming],
  // One name for three actions.
  'alternate-path': [streamingAction, countingAction],
};

/** The forms in which an endpoint can be asked for the same, the plain one first. */
export function formsOf(name: EndpointName): readonly Form[] {
  return [asItIs, ...(otherForms[name] ?? [])];
}

/** What a request is in its plain form. */
function asItIs(call: Call): Call {
  return call;
}

/** The same as a stream, where the body says so. */
export function streaming(call: Call): Call {
  return { ...call, expects: 'events', body: { ...Object(call.body), stream: true } };
}

function inBackground(call: Call): Call {
  return { ...call, body: { ...Object(call.body), background: true, store: true } };
}

function streamingAction(call: Call): Call {
  return {
    ...action(call, 'streamGenerateContent'),
    operation: 'generative.stream',
    query: { alt: 'sse' },
    expects: 'events',
  };
}

function countingAction(call: Call): Call {
  return {
    ...action(call, 'countTokens'),
    operation: 'generative.count-tokens',
    body: { contents: at(call.body, 'contents') },
  };
}

function action(call: Call, name: string): Call {
  return { ...call, path: call.path.replace(':generateContent', `:${name}`) };
}

/**
 * What a request came to that has to be refused. No source says that a gateway looks at a background
 * request before it accepts it: one that was accepted is looked up until it has ended.
 *
 * @param as who looks: a user whose response it would be, with a key that may use its model
 */
export async function whatCameOf(io: Io, asked: Exchange, as: CallOptions): Promise<Exchange> {
  const id = textAt(jsonBody(asked), 'id');
  if (id === null || !running.includes(ending(asked))) return asked;
  return present((await pollToTheEnd(io.lane('accepted'), id, as)).at(-1), 'lookup');
}

/** Judges such a request: refused, or accepted and then failed without a word. */
export function expectNotServed(attempt: Exchange, control: readonly Exchange[]): void {
  if (attempt.about.operation !== 'responses.lookup') {
    expect(attempt).toBeRefused({ control });
    return;
  }
  mustBeServed(control);
  const status = ending(lastOf([attempt]));
  if (status !== 'failed') mustBeServed(attempt);
  const as = 'status of what was accepted, and had to be refused';
  expectValue(status, { as, of: attempt }).toEqual('failed');
  expectValue(generatedText(attempt), { as: 'its text', of: attempt }).toEqual('');
}
