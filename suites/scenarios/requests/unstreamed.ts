import { type Call, each, scenario } from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { withMember } from './bad-bodies.ts';
import { clientForms, costOf, sendInForms } from './client-forms.ts';

/** Protocols whose request body selects streaming. */
const switched = ['responses', 'chat-completions', 'messages'] as const;
export type SwitchedProtocol = (typeof switched)[number];

/** Sends one generation without `stream`, and one with `stream: false`. */
export const unstreamed = each(switched, (protocol) =>
  scenario(
    `requests/unstreamed/${protocol}`,
    {
      after: { baseline: baseline[protocol] },
      together: protocol,
      cost: costOf(clientForms.second, { requests: 1, generations: 1 }),
    },
    async (io, { baseline: { baseline: absent, input } }) => {
      const change = (call: Call) => withMember(call, 'stream', false);
      const { clients, answer } = await sendInForms(io, clientForms.second, (as) =>
        io.ask(protocol, { input, change }, as),
      );
      return { absent, off: answer, clients };
    },
  ),
);
