import {
  check,
  ending,
  expect,
  generatedText,
  mustBeServed,
  NothingToJudge,
} from '../../harness/index.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { conversing } from './conversations.ts';
import { toldTwice } from './told-twice.ts';

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
    'fragments-go-on',
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
    'fragments-go-on',
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
    'fragments-go-on',
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
    check(`${protocol}/stream.${rule}`, ordinaryStream[protocol], ({ streamed }) => {
      expect(streamed).toFollow(rule);
    });
  }

  check(`${protocol}/stream.deltas-make-the-text`, toldTwice[protocol], (captured) => {
    const { streamed, unstreamed } = captured;
    if (unstreamed !== null) mustBeServed(unstreamed);
    const known = unstreamed !== null && ending(unstreamed) === normalStop[protocol];
    const options = known ? { text: generatedText(unstreamed) } : {};
    expect(streamed).toFollow('deltas-make-the-text', options);
    const stop = ending(streamed);
    if (stop === normalStop[protocol]) return;
    throw new NothingToJudge(`the stream ended with ${stop}, and not of its own accord`);
  });
}
