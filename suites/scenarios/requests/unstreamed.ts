import { type Call, each, scenario } from '../../../harness/index.ts';
import { asBaseline, baseline } from '../baselines.ts';
import { withMember } from './bad-bodies.ts';
import { clientForms, costOf, sendInForms } from './client-forms.ts';

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
