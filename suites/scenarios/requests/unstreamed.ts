import { each, scenario } from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { withMember } from './bad-bodies.ts';

/** The protocols whose body says whether a stream is wanted. */
const switched = ['responses', 'chat-completions', 'messages'] as const;
export type SwitchedProtocol = (typeof switched)[number];

/** The same generation without `stream`, and with `stream: false`. */
export const unstreamed = each(switched, (protocol) =>
  scenario(
    `requests/unstreamed/${protocol}`,
    { after: { baseline: baseline[protocol] }, cost: { requests: 1, generations: 1 } },
    async ({ ask }, { baseline: { baseline: absent, input } }) => ({
      absent,
      off: await ask(protocol, { input, change: (call) => withMember(call, 'stream', false) }),
    }),
  ),
);
