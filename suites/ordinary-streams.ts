import {
  type Exchange,
  each,
  type Io,
  type Scenario,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
} from '../harness/index.ts';
import { ownInput } from './ordinary.ts';

/** One ordinary generation of each protocol as a stream, sent once in a run. */
export interface OrdinaryStream {
  readonly streamed: Exchange;
  readonly input: string;
  readonly secret: string;
}

const send: Readonly<Record<StreamingProtocol, (io: Io, input: string) => Promise<Exchange>>> = {
  // Stored, so that it can be looked up, too.
  responses: ({ responses }, input) => responses.stream({ input, store: true }),
  'chat-completions': ({ chatCompletions }, input) =>
    chatCompletions.stream({
      messages: [{ role: 'user', content: input }],
      stream_options: { include_usage: true },
    }),
  messages: ({ messages }, input) =>
    messages.stream({ messages: [{ role: 'user', content: input }] }),
  generative: ({ generative }, input) =>
    generative.stream({ contents: [{ role: 'user', parts: [{ text: input }] }] }),
};

export const ordinaryStream = each(streamingProtocols, streamOf);

function streamOf(protocol: StreamingProtocol): Scenario<OrdinaryStream> {
  return scenario(
    `ordinary/stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: [streamOver(protocol)] } },
      cost: { requests: 1, generations: 1 },
    },
    async (io) => {
      const { secret, input } = ownInput(io);
      return { streamed: await send[protocol](io, input), input, secret };
    },
  );
}
