import { each, type StreamingProtocol, scenario, streamingProtocols } from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';

/** Asks for much more than the output limit allows: only there does the limit show. */
export const cutShort = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/cut-short/${protocol}`,
    { needs: { model: { speaks: protocol } }, cost: { requests: 1, generations: 1 } },
    async ({ ask, random, target }) => {
      const limit = target.limits.maxOutputTokens;
      const input = `Write ${4 * limit} words about ${random.word.noun()}.`;
      return { cut: await ask(mainEndpoint[protocol], { input }), limit };
    },
  ),
);
