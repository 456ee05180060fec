import {
  added,
  all,
  type BrokenCase,
  doubled,
  dropped,
  moved,
  renamed,
  replaced,
  set,
  without,
} from './streams.ts';

/** Single edits of a valid generative-content stream, by the one rule that each breaks. */

const candidate = 'candidates[0]';
const finish = `${candidate}.finishReason`;
const parts = `${candidate}.content.parts`;
const cumulative = all(
  set(1, parts, [{ text: 'Hello there' }]),
  set(2, parts, [{ text: 'Hello there.' }]),
);
const inParts = all(
  set(1, parts, [{ functionCall: { name: 'weather' } }, { text: 'Hello there' }]),
  set(2, parts, [{ text: 'Hello' }, { text: ' there' }, { text: '.' }]),
);

export const brokenGenerative: readonly BrokenCase[] = [
  ['data-only', 'a name', 'text', renamed(1, 'message')],
  [
    'data-only',
    'an id',
    'text',
    (events) => {
      for (const event of events) event.hasId = true;
    },
  ],
  ['no-done', '[DONE] at the end', 'text', added('[DONE]')],
  ['ends-with-blank-line', 'none', 'text', () => {}, { closed: false }],
  ['finish-last', 'none', 'text', without(2, finish)],
  ['finish-last', 'empty', 'text', set(2, finish, '')],
  ['finish-last', 'dropped', 'text', dropped(2)],
  ['finish-last', 'earlier', 'text', moved(2, 0, 1)],
  ['finish-last', 'unspecified', 'text', set(2, finish, 'FINISH_REASON_UNSPECIFIED')],
  ['finish-last', 'no candidate at all', 'blocked', without(0, 'promptFeedback')],
  ['one-finish', 'on each', 'text', set(0, finish, 'STOP')],
  ['one-finish', 'twice', 'text', doubled(2)],
  ['response-id-constant', 'another', 'text', set(1, 'responseId', 'r_2')],
  ['response-id-constant', 'another at the end', 'text', set(2, 'responseId', 'r_2')],
  ['no-repeated-text', 'the whole text each time', 'text', cumulative],
  ['no-repeated-text', 'in more and more parts', 'text', inParts],
  ['usage-on-last', 'none', 'text', without(2, 'usageMetadata')],
  ['usage-on-last', 'none, prompt blocked', 'blocked', without(0, 'usageMetadata')],
  ['chunk-shape', 'no JSON', 'text', replaced(1, 'Hello')],
  ['chunk-shape', 'nothing that is known', 'text', replaced(1, { hello: 'there' })],
  ['chunk-shape', 'parts is no list', 'text', set(1, parts, 'Hello')],
  ['chunk-shape', 'another role', 'text', set(1, `${candidate}.content.role`, 'assistant')],
  ['chunk-shape', 'candidates is no list', 'text', set(2, 'candidates', {})],
  ['no-foreign-events', 'of the Responses API', 'text', added({ type: 'response.created' }, 1)],
  ['no-foreign-events', 'of the Messages API', 'text', added({ type: 'message_stop' })],
  ['no-foreign-events', 'a chat chunk', 'text', added({ choices: [] }, 0)],
];
