import { describe, expect, test } from 'vitest';
import type { StreamingProtocol } from '../core/index.ts';
import { viewOf } from './answer-view.ts';
import { sample } from './samples/exchange.ts';

function streamed(protocol: StreamingProtocol, events: readonly object[]) {
  const body = events
    .map((event) => {
      const name = 'type' in event ? `event: ${event.type}\n` : '';
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
  return viewOf(sample({ protocol, body, headers: [['content-type', 'text/event-stream']] }));
}

const chunk = (delta: object, more: object = {}) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
});
const calls = (...fragments: object[]) => chunk({ tool_calls: fragments });
const finish = { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

describe('what a stream has named', () => {
  test('another id of a call at the same index is a change, an absent or empty one is none', () => {
    const first = { index: 0, id: 'a', function: { name: 'f', arguments: '' } };
    const view = streamed('chat-completions', [
      calls(first),
      calls({ index: 0, id: '', function: { arguments: '{' } }),
      calls({ index: 0, function: { arguments: '}' } }, { index: 1, id: 'b' }),
      finish,
    ]);
    expect(view).toMatchObject({ changed: [], end: 'call', isWhole: true });
    const other = streamed('chat-completions', [
      calls(first),
      calls({ index: 0, id: 'b' }),
      finish,
    ]);
    expect(other?.changed.map(({ kind, words }) => [kind, words])).toEqual([
      ['call-id', 'id of call 0.0: ["a","b"]'],
    ]);
  });

  test('the model of a response', () => {
    const response = { id: 'r', object: 'response', model: 'm', output: [] };
    const events = [
      { type: 'response.created', response },
      { type: 'response.completed', response: { ...response, model: 'n', status: 'completed' } },
    ];
    expect(streamed('responses', events)?.changed).toMatchObject([{ kind: 'answer' }]);
  });
});

describe('the order of kinds', () => {
  test('the usage comes after every choice, and chunks of a filter anywhere', () => {
    const alone = chunk({}, { choices: [], usage });
    const filter = { ...chunk({}), id: '' };
    expect(streamed('chat-completions', [finish, alone, filter])?.misplaced).toEqual([]);
    expect(streamed('chat-completions', [alone, finish])?.misplaced).toEqual([
      'a chunk with choices after the usage',
    ]);
  });

  test('a signature comes after the thoughts of its own block', () => {
    const delta = (index: number, type: string) => ({
      type: 'content_block_delta',
      index,
      delta: { type },
    });
    const right = [
      delta(0, 'thinking_delta'),
      delta(0, 'signature_delta'),
      delta(1, 'thinking_delta'),
    ];
    expect(streamed('messages', right)?.misplaced).toEqual([]);
    expect(streamed('messages', right.toReversed())?.misplaced).toHaveLength(1);
  });
});

test('what nobody asked for', () => {
  const kinds = (asked: Parameters<NonNullable<ReturnType<typeof viewOf>>['unasked']>[0]) =>
    streamed('chat-completions', [
      chunk({}, { usage }),
      chunk({}, { choices: [], usage }),
      chunk({}, { choices: [{ index: 1, delta: {}, logprobs: { content: [] } }] }),
    ])
      ?.unasked(asked)
      .map(({ kind }) => kind);
  expect(kinds({})).toEqual(['usage-member', 'usage-chunk', 'log-probabilities', 'candidates']);
  const asking = { stream_options: { include_usage: true }, logprobs: true, n: 2 };
  expect(kinds(asking)).toEqual([]);
});

test('every usage in order, and the states of items', () => {
  const start = { type: 'message_start', message: { usage: { input_tokens: 0 } } };
  const end = { type: 'message_delta', delta: {}, usage: { output_tokens: 3 } };
  expect(streamed('messages', [start, end])?.usages).toEqual([
    { input_tokens: 0 },
    { output_tokens: 3 },
  ]);
  const output = [{ type: 'message', status: 'completed', content: [] }, { type: 'reasoning' }];
  const body = { object: 'response', status: 'incomplete', output };
  const view = viewOf(sample({ protocol: 'responses', body }));
  expect(view).toMatchObject({ end: 'limit', states: ['completed', null], isWhole: true });
  expect(viewOf(sample({ protocol: 'systemone', body: {} }))).toBeNull();
});
