import {
  assumeServed,
  check,
  contentOf,
  type Everywhere,
  type Exchange,
  each,
  everywhere,
  expect,
  type GrammarRule,
  isServed,
  NothingToJudge,
  protocolModules,
  type StreamingProtocol,
  scenario,
} from '../../harness/index.ts';
import { baselineOf, baselineStream, streamLimit } from '../scenarios/baselines.ts';
import { isStopped, isStream } from '../scenarios/exchanges.ts';
import { type Conversing, conversing } from '../scenarios/generations/conversations.ts';
import { generation } from '../scenarios/generations/generation-calls.ts';

/** Every rule of each grammar has a row in the area of its stream, except the rules that other areas judge. */
for (const rule of without(
  protocolModules.responses.stream.rules,
  'no-foreign-events',
  'arguments-join',
)) {
  everywhere(`generation/responses-stream.${rule}`, streamsOf('responses'), follows(rule));
}

for (const rule of ofGrammar('chat-completions')) {
  everywhere(
    `generation/chat-completions-stream.${rule}`,
    streamsOf('chat-completions'),
    follows(rule),
  );
}

for (const rule of ofGrammar('messages')) {
  everywhere(`generation/messages-stream.${rule}`, streamsOf('messages'), follows(rule));
}

for (const rule of ofGrammar('generative')) {
  everywhere(`generation/generative-stream.${rule}`, streamsOf('generative'), follows(rule));
}

/** Excludes `deltas-join-to-text`, because a check below compares the text with the answer in one body. */
function ofGrammar<Name extends Conversing>(protocol: Name) {
  const rules: readonly (typeof protocolModules)[Name]['stream']['rules'][number][] =
    protocolModules[protocol].stream.rules;
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

/** Selects every stream, complete or not, except recoveries. */
function streamsOf(protocol: StreamingProtocol): Omit<Everywhere, 'judge'> {
  const isOf = isStream(protocol);
  return {
    least: baselineStream[protocol],
    which: (exchange) => isOf(exchange) && exchange.request.method === 'POST',
    partial: true,
  };
}

function follows(rule: GrammarRule): Everywhere['judge'] {
  return (exchange, run) =>
    expect(exchange).toFollow(rule, { cancelled: isStopped(exchange, run) });
}

/** A stream, and the baseline answer to the same input. */
interface Repeated {
  readonly streamed: Exchange;
  /** Answer in one JSON body. Null if the model need not repeat itself. */
  readonly unstreamed: Exchange | null;
}

/** True if a stream reached its natural end without any text. */
function isSilent(streamed: Exchange, protocol: Conversing): boolean {
  const isComplete = contentOf(streamed).ending === protocolModules[protocol].endings.complete;
  return isServed(streamed) && isComplete && contentOf(streamed).text === '';
}

const repeated = each(conversing, (protocol: Conversing) =>
  scenario(
    `generation/repeated/${protocol}`,
    {
      after: { stream: baselineStream[protocol], whole: baselineOf[protocol] },
      cost: (target) => ({
        ...{ requests: 1, generations: 0, fallback: 1 },
        outputTokens: streamLimit(target),
      }),
    },
    async (io, { stream: { streamed, input }, whole }): Promise<Repeated> => {
      if (io.model.deterministic) return { streamed, unstreamed: whole.baseline };
      const { asking, stream: createStream } = generation[protocol];
      const body = asking(input, streamLimit(io.target));
      // A model may return no text once, after hidden thoughts. A gateway that loses the text loses it again.
      const { askingForUsage } = protocolModules[protocol].stream;
      const again = isSilent(streamed, protocol)
        ? await createStream(io, { ...body, ...askingForUsage })
        : streamed;
      return { streamed: again, unstreamed: null };
    },
  ),
);

for (const protocol of conversing) {
  check(`generation/${protocol}-stream.deltas-join-to-text`, repeated[protocol], (captured) => {
    const { streamed, unstreamed } = captured;
    const { complete } = protocolModules[protocol].endings;
    if (unstreamed !== null) assumeServed(unstreamed);
    const known = unstreamed !== null && contentOf(unstreamed).ending === complete;
    const text = known ? contentOf(unstreamed).text : '';
    // A model that returned no text once may return text another time.
    const isKnown = known && (text !== '' || contentOf(streamed).text === '');
    const options = isKnown ? { text } : {};
    expect(streamed).toFollow('deltas-join-to-text', options);
    const stop = contentOf(streamed).ending;
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
