import {
  type Call,
  checkEach,
  type Exchange,
  each,
  expect,
  outcome,
  parsed,
  protocolModules,
  scenario,
  streamOver,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { withLimit } from '../scenarios/requests/bad-bodies.ts';
import { streamedAt } from '../scenarios/requests/request-modes.ts';
import { type CreationMode, protocolOf, truncatedByMode } from './creation-modes.ts';
import { expectLimitKept, expectTruncationReported } from './output-limits.ts';

type Limited = 'responses' | 'chat-completions' | 'generative';

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
      const { name, form } = streamedAt(protocol);
      const { request, stream } = protocolModules[protocol];
      const without = (call: Call): Call => withLimit(call, request.outputLimit, undefined);
      if (!model.supports.includes(streamOver(protocol))) {
        return { answer: await ask(plain, { change: without }) };
      }
      const cut = { events: 1, holding: (data: string) => isText(stream.textOf(parsed(data))) };
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
  judge: (truncated) => expectLimitKept(truncated, protocolOf[asked]),
}));

checkEach('generation/limits.reported-by-creation-mode', (asked: CreationMode) => ({
  on: truncatedByMode[asked],
  judge: (truncated) => expectTruncationReported(truncated, protocolOf[asked]),
}));
