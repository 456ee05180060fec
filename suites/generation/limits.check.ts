import {
  at,
  type Call,
  checkEach,
  type EndpointName,
  type Exchange,
  each,
  expect,
  outcome,
  parsed,
  scenario,
  streamOver,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { withMember } from '../scenarios/requests/bad-bodies.ts';
import { streaming } from '../scenarios/requests/request-modes.ts';
import { type CreationMode, protocolOf, truncatedByMode } from './creation-modes.ts';
import { expectLimitKept, expectTruncationReported } from './output-limits.ts';

const limits = {
  responses: 'max_output_tokens',
  'chat-completions': 'max_completion_tokens',
  generative: 'generationConfig',
} as const;

type Limited = keyof typeof limits;

/** How each is asked for as a stream. */
const streamed: Readonly<Record<Limited, { name: EndpointName; form: (call: Call) => Call }>> = {
  responses: { name: 'responses', form: streaming },
  'chat-completions': { name: 'chat-completions', form: streaming },
  generative: { name: 'stream-generate-content', form: (call) => call },
};

/** Where an event of a stream carries its text. */
const texts: Readonly<Record<Limited, (event: unknown) => unknown>> = {
  responses: (event) =>
    at(event, 'type') === 'response.output_text.delta' ? at(event, 'delta') : null,
  'chat-completions': (event) => at(event, 'choices.0.delta.content'),
  generative: (event) => at(event, 'candidates.0.content.parts.0.text'),
};

/**
 * A generation that sets no output limit, which the specification asks of every client. Where the
 * model streams we hang up at the first text: nothing else stops what a slow model goes on to write.
 */
const unlimited = each(['responses', 'chat-completions', 'generative'], (protocol: Limited) => {
  const plain = mainEndpoint[protocol];
  return scenario(
    `generation/limits/omitted/${protocol}`,
    {
      after: { baseline: baseline[plain] },
      cost: { requests: 1, generations: 1, outputTokens: null },
    },
    async ({ ask, model }): Promise<{ readonly answer: Exchange }> => {
      const { name, form } = streamed[protocol];
      const without = (call: Call): Call => withMember(call, limits[protocol], undefined);
      if (!model.supports.includes(streamOver(protocol))) {
        return { answer: await ask(plain, { change: without }) };
      }
      const cut = { events: 1, holding: (data: string) => isText(texts[protocol](parsed(data))) };
      return { answer: await ask(name, { change: (call) => form(without(call)) }, { cut }) };
    },
  );
});

function isText(text: unknown): boolean {
  return typeof text === 'string' && text !== '';
}

checkEach('generation/limits.limit-omitted', (protocol: Limited) => ({
  on: unlimited[protocol],
  judge: ({ answer }, { note }) => {
    expect(answer).toBeAnswered();
    note(outcome(answer), answer);
  },
}));

checkEach('generation/limits.kept-by-creation-mode', (asked: CreationMode) => ({
  on: truncatedByMode[asked],
  judge: (cut) => expectLimitKept(cut, protocolOf[asked]),
}));

checkEach('generation/limits.reported-by-creation-mode', (asked: CreationMode) => ({
  on: truncatedByMode[asked],
  judge: (cut) => expectTruncationReported(cut, protocolOf[asked]),
}));
