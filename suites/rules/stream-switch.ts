import { each, type StreamingProtocol, scenario, streamingProtocols } from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { withMember } from './bad-bodies.ts';
import { streaming } from './forms.ts';

/** The protocols whose body says whether a stream is wanted. */
const switched = ['responses', 'chat-completions', 'messages'] as const;
export type SwitchedProtocol = (typeof switched)[number];

/** The same generation without `stream`, and with `stream: false`. */
export const unstreamed = each(switched, (protocol) =>
  scenario(
    `rules/native/unstreamed/${protocol}`,
    { after: { ordinary: ordinary[protocol] }, cost: { requests: 1, generations: 1 } },
    async ({ ask }, { ordinary: { ordinary: absent, input } }) => ({
      absent,
      off: await ask(protocol, { input, change: (call) => withMember(call, 'stream', false) }),
    }),
  ),
);

/** A stream that is asked of a model that does not exist. */
export const refusedStream = each(streamingProtocols, (protocol: StreamingProtocol) => {
  const name = protocol === 'generative' ? 'stream-generate-content' : mainEndpoint[protocol];
  return scenario(
    `rules/native/refused-stream/${protocol}`,
    { after: { control: ordinaryStream[protocol] }, cost: { requests: 1, generations: 0 } },
    async ({ ask, word }) => ({
      refused: await ask(name, {
        model: `touchstone-no-such-model-${word()}`,
        change: protocol === 'generative' ? (call) => call : streaming,
      }),
    }),
  );
});
