import {
  assumeServed,
  check,
  ending,
  expect,
  generatedText,
  NothingToJudge,
} from '../../harness/index.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { conversing } from '../scenarios/conversations.ts';
import { repeated } from './repeatability.ts';

/** The grammars of the streams, rule by rule. Those of Responses stand in its own suite. */
const grammars = {
  'chat-completions': [
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
  messages: [
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
  generative: [
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
} as const;

/** How an answer ends that nothing cut short. */
const normalStop = {
  'chat-completions': 'stop',
  messages: 'end_turn',
  generative: 'STOP',
} as const;

for (const protocol of conversing) {
  for (const rule of grammars[protocol]) {
    check(`generation/${protocol}-stream.${rule}`, baselineStream[protocol], ({ streamed }) => {
      expect(streamed).toFollow(rule);
    });
  }

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
