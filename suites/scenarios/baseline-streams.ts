import {
  type Call,
  type Captures,
  type Exchange,
  each,
  type Fields,
  type Io,
  over,
  protocolModules,
  type Scenario,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  view,
} from '../../harness/index.ts';
import {
  asBaseline,
  baseline,
  baselineOf,
  ownInput,
  streamLimit,
  withLetters,
} from './baselines.ts';
import { generation, storing } from './generations/generation-calls.ts';
import { clientForms, costOf, sendInForms, withMember } from './requests/request-forms.ts';

/** The baseline generation of each protocol as a stream, sent once per run. */
interface BaselineStream {
  readonly streamed: Exchange;
  readonly input: string;
  readonly secret: string;
}

/** Body members that request usage in the stream, and storage so that the response can be looked up. */
export const besidesText: Readonly<Record<StreamingProtocol, Fields>> = each(
  streamingProtocols,
  (protocol) => ({ ...protocolModules[protocol].stream.askingForUsage, ...storing(protocol) }),
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
      needs: { model: { speaks: protocol, supports: [over('stream', protocol)] } },
      after: { baseline: baselineOf[protocol] },
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

/** Protocols whose request body selects streaming. */
const switched = ['responses', 'chat-completions', 'messages'] as const;
export type SwitchedProtocol = (typeof switched)[number];

/** The baseline request, and the same with `stream: false`. The repeat of a stored response is only read. */
export const unstreamed = each(switched, (protocol) =>
  scenario(
    `requests/unstreamed/${protocol}`,
    {
      after: { baseline: baseline[protocol] },
      together: protocol,
      cost: costOf(clientForms.second, { requests: 1, generations: 1 }),
    },
    async (io, { baseline: { baseline: absent, input } }) => {
      const repeat = asBaseline(protocol);
      const change = (call: Call) => withMember(repeat(call), 'stream', false);
      const { clients, answer } = await sendInForms(io, clientForms.second, (as) =>
        io.ask(protocol, { input, change }, as),
      );
      return { absent, off: answer, clients };
    },
  ),
);
