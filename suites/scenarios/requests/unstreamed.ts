import { type Call, each, scenario } from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { withMember } from './bad-bodies.ts';
import { sendWith } from './common-headers.ts';

/** The protocols whose body says whether a stream is wanted. */
const switched = ['responses', 'chat-completions', 'messages'] as const;
export type SwitchedProtocol = (typeof switched)[number];

/** The same generation without `stream`, and with `stream: false`. */
export const unstreamed = each(switched, (protocol) =>
  scenario(
    `requests/unstreamed/${protocol}`,
    {
      after: { baseline: baseline[protocol] },
      cost: { requests: 2, generations: 1, refused: 1 },
    },
    async ({ ask }, { baseline: { baseline: absent, input } }) => {
      const change = (call: Call) => withMember(call, 'stream', false);
      const { headers, answer } = await sendWith('lower-case', (as) =>
        ask(protocol, { input, change }, as),
      );
      return { absent, off: answer, headers };
    },
  ),
);
