import { checkEach, type Exchange, each, expect, outcome, scenario } from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinary } from '../ordinary.ts';
import { withMember } from './bad-bodies.ts';

const limits = {
  responses: 'max_output_tokens',
  'chat-completions': 'max_completion_tokens',
  generative: 'generationConfig',
} as const;

type Limited = keyof typeof limits;

/** A generation that sets no output limit, which the specification asks of every client. */
const unlimited = each(['responses', 'chat-completions', 'generative'], (protocol: Limited) => {
  const name = mainEndpoint[protocol];
  return scenario(
    `rules/limits/omitted/${protocol}`,
    {
      after: { ordinary: ordinary[name] },
      cost: { requests: 1, generations: 1, outputTokens: null },
    },
    async ({ ask }): Promise<{ readonly answer: Exchange }> => ({
      answer: await ask(name, { change: (call) => withMember(call, limits[protocol], undefined) }),
    }),
  );
});

checkEach('rules/limits.limit-omitted', (protocol: Limited) => ({
  on: unlimited[protocol],
  judge: ({ answer }, { note }) => {
    expect(answer).toBeAnswered();
    note(outcome(answer), answer);
  },
}));
