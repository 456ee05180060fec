import {
  assumeServed,
  check,
  checkRules,
  type Exchange,
  each,
  ending,
  expect,
  generatedText,
  type Judgement,
  NothingToJudge,
  scenario,
} from '../../harness/index.ts';
import { type BaselineStream, baselineStream, streamLimit } from '../scenarios/baseline-streams.ts';
import { generation } from '../scenarios/generations/generation-calls.ts';
import { type Conversing, conversing } from './conversations.ts';

/** The rules of each stream. Those of Responses stand in a file of their own. */
checkRules(
  'generation/chat-completions-stream',
  [
    'chunk-shape',
    'one-id',
    'one-finish',
    'nothing-after-finish',
    'done-is-last',
    'usage-chunk',
    'data-only',
    'role-first',
    'no-repeated-text',
  ],
  baselineStream['chat-completions'],
  follows,
);

checkRules(
  'generation/messages-stream',
  [
    'event-name-is-type',
    'known-event-shapes',
    'message-start-once-first',
    'blocks-open-and-close',
    'indexes-in-order',
    'no-overlap',
    'stop-reason-before-stop',
    'message-stop-last',
    'usage-present',
    'no-repeated-text',
  ],
  baselineStream.messages,
  follows,
);

checkRules(
  'generation/generative-stream',
  [
    'chunk-shape',
    'data-only',
    'no-done',
    'ends-with-blank-line',
    'finish-last',
    'one-finish',
    'response-id-constant',
    'usage-on-last',
    'no-repeated-text',
  ],
  baselineStream.generative,
  follows,
);

function follows(rule: string): Judgement<BaselineStream> {
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
    `generation/told-twice/${protocol}`,
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

/** How an answer ends that nothing cut short. */
const normalStop = {
  'chat-completions': 'stop',
  messages: 'end_turn',
  generative: 'STOP',
} as const;

for (const protocol of conversing) {
  check(`generation/${protocol}-stream.deltas-join-to-text`, repeated[protocol], (captured) => {
    const { streamed, unstreamed } = captured;
    if (unstreamed !== null) assumeServed(unstreamed);
    const known = unstreamed !== null && ending(unstreamed) === normalStop[protocol];
    const options = known ? { text: generatedText(unstreamed) } : {};
    expect(streamed).toFollow('deltas-join-to-text', options);
    const stop = ending(streamed);
    if (stop === normalStop[protocol]) return;
    throw new NothingToJudge(`the stream ended with ${stop}, and not of its own accord`);
  });
}

const rules = [
  'events-typed',
  'deltas-join-to-text',
  'created-first',
  'one-terminal-last',
  'terminal-matches-status',
  'event-name-is-type',
  'known-event-shapes',
  'sequence-increases',
  'ids-constant',
  'items-open-and-close',
  'parts-open-and-close',
  'indexes-append',
  'event-name-present',
  'sequence-from-zero',
  'status-while-running',
] as const;

for (const rule of rules) {
  check(`generation/responses-stream.${rule}`, baselineStream.responses, ({ streamed }) => {
    expect(streamed).toFollow(rule);
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
