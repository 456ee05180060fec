import {
  added,
  all,
  type BrokenCase,
  changed,
  doubled,
  dropped,
  moved,
  renamed,
  replaced,
  set,
  without,
} from './streams.ts';

/** Single edits of a valid Chat Completions stream, by the one rule that each breaks. */

const usageChunk = {
  id: 'chatcmpl_1',
  object: 'chat.completion.chunk',
  created: 1750000000,
  model: 'm-1',
  choices: [],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const filterChunk = { id: '', object: '', created: 0, model: '', choices: [] };
const chunkOfError = { object: usageChunk.object, error: { message: 'The model failed.' } };
const foreign = { name: undefined, body: { candidates: [] } };
const choice = 'choices[0]';
const cumulative = all(
  set(2, `${choice}.delta`, { content: 'Hello there' }),
  set(3, `${choice}.delta.content`, 'Hello there.'),
);
const usageOnFinish = all(dropped(5), set(4, 'usage', usageChunk.usage));

export const brokenChatCompletions: readonly BrokenCase[] = [
  ['chunk-shape', 'no JSON', 'text', replaced(1, 'Hello')],
  ['chunk-shape', 'a list', 'text', replaced(1, '[]')],
  ['chunk-shape', 'nothing that is known', 'text', replaced(1, { hello: 'there' })],
  ['chunk-shape', 'an error in the form of a chunk', 'text', replaced(1, chunkOfError)],
  ['chunk-shape', 'no JSON at first', 'text', replaced(0, 'Hello')],
  ['chunk-shape', 'no JSON at the finish', 'text', replaced(4, 'Hello')],
  ['chunk-shape', 'no JSON in a call', 'tool-calls', replaced(2, 'Hello')],
  ['chunk-shape', 'no id', 'text', without(1, 'id')],
  ['chunk-shape', 'no object', 'text', without(1, 'object')],
  ['chunk-shape', 'no model', 'text', without(0, 'model')],
  ['chunk-shape', 'no created', 'text', without(1, 'created')],
  ['chunk-shape', 'no choices', 'text', without(1, 'choices')],
  ['chunk-shape', 'no finish on the last', 'text', without(4, 'choices')],
  ['chunk-shape', 'no index', 'text', without(1, `${choice}.index`)],
  ['chunk-shape', 'no delta', 'text', without(1, `${choice}.delta`)],
  ['chunk-shape', 'no finish_reason', 'text', without(1, `${choice}.finish_reason`)],
  ['chunk-shape', 'content is a number', 'text', set(1, `${choice}.delta.content`, 7)],
  ['chunk-shape', 'a usage without total', 'usage', without(5, 'usage.total_tokens')],
  ['chunk-shape', 'no JSON for the usage', 'usage', replaced(5, 'Hello')],
  ['filter-chunk-shape', 'before the answer', 'text', added(filterChunk, 0)],
  ['filter-chunk-shape', 'within it', 'text', added({ ...filterChunk, usage: null }, 2)],
  [
    'filter-chunk-shape',
    'with a choice that has no delta',
    'text',
    added({ ...filterChunk, choices: [{ index: 0, finish_reason: null }] }, 2),
  ],
  ['one-id', 'another id', 'text', set(2, 'id', 'chatcmpl_2')],
  ['one-id', 'another id at first', 'text', set(0, 'id', 'chatcmpl_2')],
  ['one-id', 'another created', 'text', set(2, 'created', 1)],
  ['one-id', 'another id with the usage', 'usage', set(5, 'id', 'chatcmpl_2')],
  ['one-finish', 'none', 'text', set(4, `${choice}.finish_reason`, null)],
  ['one-finish', 'dropped', 'text', dropped(4)],
  ['one-finish', 'dropped before the usage', 'usage', dropped(4)],
  ['one-finish', 'twice', 'text', doubled(4)],
  ['one-finish', 'on each', 'finish-with-content', set(1, `${choice}.finish_reason`, 'stop')],
  ['nothing-after-finish', 'content', 'text', moved(4, 0, 3)],
  ['nothing-after-finish', 'a refusal', 'refusal', moved(2, 0, 1)],
  ['nothing-after-finish', 'a call', 'tool-calls', moved(5, 0, 4)],
  ['done-is-last', 'none', 'text', dropped('[DONE]')],
  ['done-is-last', 'none after the usage', 'usage', dropped('[DONE]')],
  ['done-is-last', 'twice', 'text', doubled('[DONE]')],
  ['done-is-last', 'before the finish', 'text', moved('[DONE]', 0, 4)],
  ['done-is-last', 'before the usage', 'usage', moved('[DONE]', 0, 5)],
  ['done-is-last', 'a chunk after it', 'text', added(usageChunk)],
  ['no-repeated-text', 'the whole text each time', 'text', cumulative],
  ['usage-chunk', 'none', 'usage', dropped(5)],
  ['usage-chunk', 'twice', 'usage', doubled(5)],
  ['usage-chunk', 'with the finish', 'usage', usageOnFinish],
  ['usage-chunk', 'null', 'usage', set(5, 'usage', null)],
  ['data-only', 'a name', 'text', renamed(1, 'chunk')],
  ['data-only', 'names', 'text', all(renamed(0, 'message'), renamed(1, 'message'))],
  ['role-first', 'none', 'text', without(0, `${choice}.delta.role`)],
  ['role-first', 'late', 'text', moved(0, 0, 2)],
  ['arguments-join', 'a fragment dropped', 'tool-calls', dropped(2)],
  ['arguments-join', 'no object', 'tool-calls', set(4, toolCall('function.arguments'), '[]')],
  ['arguments-join', 'no name', 'tool-calls', without(1, toolCall('function.name'))],
  ['arguments-join', 'no id', 'tool-calls', without(1, toolCall('id'))],
  ['call-named-once', 'its name', 'tool-calls', set(2, toolCall('function.name'), 'weather')],
  ['call-named-once', 'its id', 'tool-calls', set(3, toolCall('id'), 'call_1')],
  ['arguments-join', 'one index for two', 'tool-calls', changed(4, toolCall('index'), () => 0)],
  ['no-foreign-events', 'of the Responses API', 'text', added({ type: 'response.created' }, 2)],
  ['no-foreign-events', 'of the Messages API', 'text', added({ type: 'message_stop' }, 5)],
  ['no-foreign-events', 'nothing else', 'text', (events) => events.splice(0, 5, foreign)],
  ['no-foreign-events', 'a candidate', 'text', added({ candidates: [] }, 0)],
];

function toolCall(path: string): string {
  return `${choice}.delta.tool_calls[0].${path}`;
}
