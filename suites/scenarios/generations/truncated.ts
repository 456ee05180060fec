import {
  type Exchange,
  each,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
} from '../../../harness/index.ts';
import { besidesText } from '../baseline-streams.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { generation } from './generation-calls.ts';

/** An answer that needs far more tokens than it may have: only there does the limit show. */
export interface Truncated {
  readonly answer: Exchange;
  readonly limit: number;
}

/** What to ask for, so that the limit is reached. */
export function wordsBeyond(limit: number): string {
  return `Write ${4 * limit} words`;
}

export const truncated = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/truncated/${protocol}`,
    { needs: { model: { speaks: protocol } }, cost: { requests: 1, generations: 1 } },
    async ({ ask, target, topic }): Promise<Truncated> => {
      const limit = target.limits.maxOutputTokens;
      const input = `${wordsBeyond(limit)} about ${topic()}.`;
      return { answer: await ask(mainEndpoint[protocol], { input }), limit };
    },
  ),
);

/** The same as a stream. */
export const truncatedStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/truncated-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: [streamOver(protocol)] } },
      cost: { requests: 1, generations: 1 },
    },
    async (io): Promise<Truncated> => {
      const limit = io.target.limits.maxOutputTokens;
      const { asking, stream } = generation[protocol];
      const input = `${wordsBeyond(limit)} about ${io.topic()}.`;
      return {
        answer: await stream(io, { ...asking(input, limit), ...besidesText[protocol] }),
        limit,
      };
    },
  ),
);
