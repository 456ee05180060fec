import {
  at,
  type Call,
  type EndpointName,
  protocolModules,
  type StreamingProtocol,
} from '../../../harness/index.ts';

/** Transforms a call into an equivalent call of another form. */
type Form = (call: Call) => Call;

const otherForms: Partial<Record<EndpointName, readonly Form[]>> = {
  responses: [streaming, inBackground],
  'chat-completions': [streaming],
  messages: [streaming],
  // The endpoint stands for three actions.
  'alternate-path': [streamingAction, countingAction],
};

/** Returns the equivalent forms of a request to an endpoint, the plain form first. */
export function formsOf(name: EndpointName): readonly Form[] {
  return [asItIs, ...(otherForms[name] ?? [])];
}

function asItIs(call: Call): Call {
  return call;
}

/** Returns the streamed form of a request whose body decides if it is streamed. */
function streaming(call: Call): Call {
  return { ...call, expects: 'events', body: { ...Object(call.body), stream: true } };
}

/** Returns the endpoint of a protocol's streams, and the form that makes its baseline request a stream. */
export function streamedAt(protocol: StreamingProtocol): {
  readonly name: EndpointName;
  readonly form: Form;
} {
  const { mainEndpoint, streamEndpoint: name } = protocolModules[protocol];
  return { name, form: name === mainEndpoint ? streaming : asItIs };
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

/** Returns the call with one member of its body replaced. */
export function withMember(call: Call, member: string, value: unknown): Call {
  return { ...call, body: { ...Object(call.body), [member]: value } };
}
