import {
  type Captures,
  type Exchange,
  each,
  type Fields,
  type Io,
  protocolModules,
  type Scenario,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
  view,
} from '../../harness/index.ts';
import { baseline, ownInput, streamLimit, withLetters } from './baselines.ts';
import { generation, storing } from './generations/generation-calls.ts';
import { mainEndpoint } from './main-endpoint.ts';
import { costOf, sendInForms } from './requests/client-forms.ts';

/** The baseline generation of each protocol as a stream, sent once per run. */
interface BaselineStream {
  readonly streamed: Exchange;
  readonly input: string;
  readonly secret: string;
}

/** Body members that request usage in the stream, and storage so that the response can be looked up. */
export const besidesText: Readonly<Record<StreamingProtocol, Fields>> = each(
  streamingProtocols,
  (protocol) => ({
    ...protocolModules[protocol].stream.askingForUsage,
    ...storing(protocol),
  }),
);

/** A stored stream has an input of its own, because the input identifies it. */
function ownTurn(io: Io): { readonly secret: string; readonly input: string } {
  const { secret, input } = ownInput(io);
  return { secret, input: withLetters(input) };
}

export const baselineStream: Readonly<Record<StreamingProtocol, Captures<BaselineStream>>> = {
  ...each(streamingProtocols, streamOf),
  generative: view({ asked: baseline['stream-generate-content'] }, ({ asked }) => ({
    ...asked,
    streamed: asked.baseline,
  })),
};

function streamOf(protocol: StreamingProtocol): Scenario<BaselineStream> {
  return scenario(
    `baseline/stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: [streamOver(protocol)] } },
      after: { baseline: baseline[mainEndpoint[protocol]] },
      cost: (target) => ({
        ...costOf(['accept-any'], { requests: 1, generations: 1 }),
        outputTokens: streamLimit(target),
      }),
    },
    async (io, { baseline: whole }) => {
      const { secret, input } = protocol === 'responses' ? ownTurn(io) : whole;
      const { asking, stream } = generation[protocol];
      const body = { ...asking(input, streamLimit(io.target)), ...besidesText[protocol] };
      const { answer } = await sendInForms(io, ['accept-any'], (as) => stream(io, body, as));
      return { streamed: answer, input, secret };
    },
  );
}
