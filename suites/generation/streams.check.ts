import {
  assumeServed,
  check,
  checkRules,
  type Exchange,
  each,
  ending,
  expect,
  type GrammarRule,
  generatedText,
  type Judgement,
  NothingToJudge,
  protocolModules,
  scenario,
} from '../../harness/index.ts';
import { type BaselineStream, baselineStream, streamLimit } from '../scenarios/baseline-streams.ts';
import { type Conversing, conversing } from '../scenarios/generations/conversations.ts';
import { generation } from '../scenarios/generations/generation-calls.ts';

/** Every rule of each grammar has a row in the area of its stream, but for what other areas judge. */
checkRules(
  'generation/responses-stream',
  without(protocolModules.responses.stream.rules, 'no-foreign-events', 'arguments-join'),
  baselineStream.responses,
  follows,
);

checkRules(
  'generation/chat-completions-stream',
  ofGrammar(protocolModules['chat-completions'].stream.rules),
  baselineStream['chat-completions'],
  follows,
);

checkRules(
  'generation/messages-stream',
  ofGrammar(protocolModules.messages.stream.rules),
  baselineStream.messages,
  follows,
);

checkRules(
  'generation/generative-stream',
  ofGrammar(protocolModules.generative.stream.rules),
  baselineStream.generative,
  follows,
);

/** Whether the text is whole is judged below, beside the same without a stream. */
function ofGrammar<Rule extends string>(rules: readonly Rule[]) {
  return without(rules, 'no-foreign-events', 'arguments-join', 'deltas-join-to-text');
}

function without<Rule extends string, Other extends string>(
  rules: readonly Rule[],
  ...others: readonly Other[]
): readonly Exclude<Rule, Other>[] {
  return rules.filter((rule): rule is Exclude<Rule, Other> =>
    others.every((other: string) => other !== rule),
  );
}

function follows(rule: GrammarRule): Judgement<BaselineStream> {
  return ({ streamed }) => expect(streamed).toFollow(rule);
}

/** A stream, and what the model says to the same input without one. */
interface Repeated {
  readonly streamed: Exchange;
  /** Null where the model need not say the same again: then it is not asked. */
  readonly unstreamed: Exchange | null;
}

const repeated = each(conversing, (protocol: Conversing) =>
  scenario(
    `generation/repeated/${protocol}`,
    {
      after: { stream: baselineStream[protocol] },
      cost: (target) => ({ requests: 1, generations: 1, outputTokens: streamLimit(target) }),
    },
    async (io, { stream: { streamed, input } }): Promise<Repeated> => {
      if (!io.model.deterministic) return { streamed, unstreamed: null };
      const { asking, create } = generation[protocol];
      const unstreamed = await create(io, asking(input, streamLimit(io.target)));
      return { streamed, unstreamed };
    },
  ),
);

for (const protocol of conversing) {
  check(`generation/${protocol}-stream.deltas-join-to-text`, repeated[protocol], (captured) => {
    const { streamed, unstreamed } = captured;
    const { complete } = protocolModules[protocol].endings;
    if (unstreamed !== null) assumeServed(unstreamed);
    // Who said nothing once may well say something another time.
    const said = unstreamed !== null && ending(unstreamed) === complete;
    const text = said ? generatedText(unstreamed) : '';
    const options = text === '' ? {} : { text };
    expect(streamed).toFollow('deltas-join-to-text', options);
    const stop = ending(streamed);
    if (stop === complete) return;
    throw new NothingToJudge(`the stream ended with ${stop}, and not of its own accord`);
  });
}

check(
  'generation/responses-stream.not-buffered',
  baselineStream.responses,
  ({ streamed }, { note }) => {
    assumeServed(streamed);
    const times = (streamed.response?.chunks ?? []).map(({ at }) => at - streamed.times.started);
    note(
      `the first event came after ${Math.round(Math.min(...times))} ms, and the last one after ` +
        `${Math.round(Math.max(...times))} ms, in ${times.length} pieces`,
      streamed,
    );
  },
);
