import {
  type Exchange,
  each,
  type Fields,
  forcedCall,
  type Io,
  jsonBody,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
  withResult,
} from '../../harness/index.ts';

interface Sender {
  readonly create: (io: Io, body: Fields) => Promise<Exchange>;
  readonly stream: (io: Io, body: Fields) => Promise<Exchange>;
}

const senders: Readonly<Record<StreamingProtocol, Sender>> = {
  responses: {
    create: ({ responses }, body) => responses.create(body),
    stream: ({ responses }, body) => responses.stream(body),
  },
  'chat-completions': {
    create: ({ chatCompletions }, body) => chatCompletions.create(body),
    stream: ({ chatCompletions }, body) => chatCompletions.stream(body),
  },
  messages: {
    create: ({ messages }, body) => messages.create(body),
    stream: ({ messages }, body) => messages.stream(body),
  },
  generative: {
    create: ({ generative }, body) => generative.generate(body),
    stream: ({ generative }, body) => generative.stream(body),
  },
};

/** A function call that the request forces, in one body. */
export const called = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `tools/called/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools'] } },
      cost: { requests: 1, generations: 1 },
    },
    async (io) => ({ called: await senders[protocol].create(io, forcedCall(protocol)) }),
  ),
);

/** The same as a stream. */
export const calledInStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `tools/called-in-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools', streamOver(protocol)] } },
      cost: { requests: 1, generations: 1 },
    },
    async (io) => ({ called: await senders[protocol].stream(io, forcedCall(protocol)) }),
  ),
);

/** The call, sent back with its result. Null when the model made none. */
export const answered = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `tools/answered/${protocol}`,
    { after: { call: called[protocol] }, cost: { requests: 1, generations: 1 } },
    async (io, { call }) => {
      const result = 'It is 18 degrees and sunny.';
      const body = withResult(protocol, forcedCall(protocol), jsonBody(call.called), result);
      const answer = body === null ? null : await senders[protocol].create(io, body);
      return { called: call.called, answer };
    },
  ),
);
