import { each, type StreamingProtocol, scenario, streamingProtocols } from '../../harness/index.ts';
import { withMember } from './bad-bodies.ts';
import { baselineStream } from './baseline-streams.ts';
import { baseline } from './baselines.ts';
import { mainEndpoint } from './main-endpoint.ts';
import { streaming } from './request-modes.ts';

/** The protocols whose body says whether a stream is wanted. */
const switched = ['responses', 'chat-completions', 'messages'] as const;
export type SwitchedProtocol = (typeof switched)[number];

/** The same generation without `stream`, and with `stream: false`. */
export const unstreamed = each(switched, (protocol) =>
  scenario(
    `everywhere/native/unstreamed/${protocol}`,
    { after: { baseline: baseline[protocol] }, cost: { requests: 1, generations: 1 } },
    async ({ ask }, { baseline: { baseline: absent, input } }) => ({
      absent,
      off: await ask(protocol, { input, change: (call) => withMember(call, 'stream', false) }),
    }),
  ),
);

/** A stream that is asked of a model that does not exist. */
export const refusedStream = each(streamingProtocols, (protocol: StreamingProtocol) => {
  const name = protocol === 'generative' ? 'stream-generate-content' : mainEndpoint[protocol];
  return scenario(
    `everywhere/native/refused-stream/${protocol}`,
    { after: { control: baselineStream[protocol] }, cost: { requests: 1, generations: 0 } },
    async ({ ask, word }) => ({
      refused: await ask(name, {
        model: `touchstone-no-such-model-${word()}`,
        change: protocol === 'generative' ? (call) => call : streaming,
      }),
    }),
  );
});
