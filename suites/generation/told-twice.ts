import {
  type Exchange,
  each,
  generatedText,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinaryStream } from '../ordinary-streams.ts';

/** A stream, and what the model says to the same input without one. */
interface ToldTwice {
  readonly streamed: Exchange;
  /** Null where the model need not say the same again: then it is not asked. */
  readonly unstreamed: Exchange | null;
  readonly text: string | null;
}

export const toldTwice = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/told-twice/${protocol}`,
    { after: { stream: ordinaryStream[protocol] }, cost: { requests: 1, generations: 1 } },
    async ({ ask, model }, { stream: { streamed, input } }): Promise<ToldTwice> => {
      if (!model.deterministic) return { streamed, unstreamed: null, text: null };
      const unstreamed = await ask(mainEndpoint[protocol], { input });
      return { streamed, unstreamed, text: generatedText(unstreamed) };
    },
  ),
);
