import {
  callLimit,
  each,
  forcedCall,
  jsonBody,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
  withResult,
} from '../../harness/index.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { generation } from '../scenarios/generation-calls.ts';

/** A function call that the request forces, in one body. */
export const called = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `tools/called/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools'] } },
      cost: { requests: 1, generations: 1, outputTokens: callLimit },
    },
    async (io) => ({ called: await generation[protocol].create(io, forcedCall(protocol)) }),
  ),
);

/** The same as a stream. */
export const calledInStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `tools/called-in-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools', streamOver(protocol)] } },
      cost: { requests: 1, generations: 1, outputTokens: callLimit },
    },
    async (io) => ({ called: await generation[protocol].stream(io, forcedCall(protocol)) }),
  ),
);

/** The streamed call beside the stream of a text, which tells what is wrong with every stream. */
export const calledBesideText = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `tools/called-beside-text/${protocol}`,
    {
      after: { call: calledInStream[protocol], text: baselineStream[protocol] },
      cost: { requests: 0, generations: 0 },
    },
    async (_, { call, text }) => ({ called: call.called, text: text.streamed }),
  ),
);

/** The call, sent back with its result. Null when the model made none. */
export const answered = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `tools/answered/${protocol}`,
    {
      after: { call: called[protocol] },
      cost: { requests: 1, generations: 1, outputTokens: callLimit },
    },
    async (io, { call }) => {
      const result = 'It is 18 degrees and sunny.';
      const body = withResult(protocol, forcedCall(protocol), jsonBody(call.called), result);
      const answer = body === null ? null : await generation[protocol].create(io, body);
      return { called: call.called, answer };
    },
  ),
);
