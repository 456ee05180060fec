import { describe, expect, test } from 'vitest';
import type { StreamingProtocol } from '../core/protocol.ts';
import { answerOf } from './answer.ts';
import { contentOf, hasGeneratedContent, isEnveloped, nativeBody } from './content.ts';
import { sample, sampleStream } from './samples/exchange.ts';

// Samples with data next to the answer that must not be read as part of it.

function stream(protocol: StreamingProtocol, ...events: readonly unknown[]) {
  const sse = events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('');
  return sampleStream(sse, { protocol });
}

describe('Responses', () => {
  const message = {
    type: 'message',
    content: [
      { type: 'output_text', text: 'Hello' },
      { type: 'refusal', refusal: 'no', text: 'refused' },
      { type: 'output_text' },
      { type: 'output_text', text: ' there' },
    ],
  };
  const reasoning = { type: 'reasoning', content: [{ type: 'output_text', text: 'thought' }] };
  const call = { type: 'function_call', name: 'f', call_id: 'c' };

  test('only the text parts of messages are text', () => {
    const exchange = sample({ body: { output: [reasoning, message, call] } });
    expect(contentOf(exchange).text).toBe('Hello there');
    expect(contentOf(exchange).toolCalls).toEqual([{ name: 'f', id: 'c', arguments: '' }]);
  });

  const delta = (type: string, text?: string) => ({ type: `response.${type}.delta`, delta: text });

  test('only deltas of text are text', () => {
    const exchange = stream(
      'responses',
      'no JSON',
      delta('output_text', 'a'),
      delta('function_call_arguments', '{'),
      delta('output_text'),
      delta('output_text', 'b'),
    );
    expect(contentOf(exchange).text).toBe('ab');
  });

  test('the id is the first that is told, the rest what the last response says', () => {
    const exchange = stream(
      'responses',
      { type: 'response.created', response: { id: 'a', status: 'in_progress' } },
      { type: 'response.completed', response: { id: 'b', status: 'completed', output: [message] } },
      { type: 'response.other', response: null },
      'null',
    );
    expect([contentOf(exchange).id, contentOf(exchange).ending]).toEqual(['a', 'completed']);
    expect(nativeBody(exchange)).toMatchObject({ id: 'b' });
    expect(contentOf(exchange).items).toEqual([message]);
    const nameless = stream('responses', { type: 'response.completed', response: {} });
    expect(contentOf(nameless).id).toBeNull();
  });

  test('where the last response has no output, the items are those that were done', () => {
    const done = { type: 'response.output_item.done', item: call };
    const added = { type: 'response.output_item.added', item: message };
    const completed = (output: unknown[]) => ({ type: 'response.completed', response: { output } });
    expect(contentOf(stream('responses', added, done, completed([]))).items).toEqual([call]);
    expect(contentOf(stream('responses', done, completed([message]))).items).toEqual([message]);
    expect(hasGeneratedContent(stream('responses', done))).toBe(true);
    const silent = { type: 'response.output_item.done', item: { type: 'message', content: [] } };
    expect(hasGeneratedContent(stream('responses', silent))).toBe(true);
    expect(hasGeneratedContent(stream('responses', added))).toBe(false);
  });
});

describe('Chat Completions', () => {
  const chunk = (index: number | undefined, delta: object, finish: string | null = null) => ({
    choices: [{ index, delta, finish_reason: finish }],
  });

  test('a message without content says nothing, and may call', () => {
    const body = { choices: [{ message: { tool_calls: [{ function: { name: 'f' } }] } }] };
    const exchange = sample({ protocol: 'chat-completions', body });
    expect(contentOf(exchange).text).toBe('');
    expect(contentOf(exchange).toolCalls).toEqual([{ name: 'f', id: null, arguments: '' }]);
  });

  test('the first choice speaks', () => {
    const exchange = stream(
      'chat-completions',
      chunk(1, { content: 'other' }, 'length'),
      chunk(0, { content: 'a' }),
      chunk(undefined, { content: 'b' }, 'stop'),
    );
    expect([contentOf(exchange).text, contentOf(exchange).ending]).toEqual(['ab', 'stop']);
    const message = { role: 'assistant', content: 'ab', tool_calls: [] };
    expect(contentOf(exchange).items).toEqual([{ index: 0, message, finish_reason: 'stop' }]);
  });

  test('nothing said is no item; a call alone is one', () => {
    expect(contentOf(stream('chat-completions', chunk(0, {}, 'stop'))).items).toEqual([]);
    const call = { tool_calls: [{ index: 0, id: 'c', function: { name: 'f' } }] };
    const exchange = stream('chat-completions', chunk(0, call));
    expect(contentOf(exchange).items).toHaveLength(1);
    expect(contentOf(exchange).toolCalls).toEqual([{ name: 'f', id: 'c', arguments: '' }]);
  });
});

describe('Messages', () => {
  const block = (type: string, block: object, index = 0) => ({ type, index, ...block });

  test('only text blocks are text', () => {
    const content = [
      { type: 'thinking', text: 'thought' },
      { type: 'text', text: 'a' },
      { type: 'text' },
      { type: 'text', text: 'b' },
    ];
    expect(contentOf(sample({ protocol: 'messages', body: { content } })).text).toBe('ab');
  });

  test('a block may begin with text, and only its own deltas add to it', () => {
    const exchange = stream(
      'messages',
      { type: 'message_start', message: { id: 'm' } },
      block('content_block_start', { content_block: { type: 'text', text: 'a' } }),
      block('content_block_delta', { delta: { type: 'text_delta', text: 'b' } }),
      block('content_block_delta', { delta: { type: 'other_delta' } }),
      block('other', { delta: { text: 'c', stop_reason: 'other' } }),
      block('content_block_delta', { delta: { type: 'text_delta', text: 'd' } }),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_delta', delta: {} },
    );
    expect([contentOf(exchange).text, contentOf(exchange).ending]).toEqual(['abd', 'end_turn']);
    expect(contentOf(exchange).usage).toBeNull();
  });

  test('a block may begin without its text; who the message is, only its start says', () => {
    const exchange = stream(
      'messages',
      { type: 'other', message: { id: 'other' } },
      { type: 'message_start', message: { id: 'm' } },
      block('content_block_start', { content_block: { type: 'text' } }),
      block('content_block_delta', { delta: { type: 'text_delta', text: 'a' } }),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'other', delta: { stop_reason: 'other' } },
    );
    expect([contentOf(exchange).text, contentOf(exchange).id]).toEqual(['a', 'm']);
    expect(contentOf(exchange).ending).toBe('end_turn');
  });

  test('a usage that is no object counts nothing', () => {
    expect(
      contentOf(stream('messages', { type: 'message_delta', usage: 'none' })).usage,
    ).toBeNull();
    const counted = { type: 'message_delta', usage: { output_tokens: 2 } };
    expect(contentOf(stream('messages', counted)).usage).toEqual({ output_tokens: 2 });
  });
});

describe('generative content', () => {
  const answer = (part: object, more: object = {}) => ({
    candidates: [{ content: { parts: [part] }, ...more }],
  });

  test('thoughts are no text', () => {
    const parts = [{ text: 'thought', thought: true }, { text: 'a' }, {}, { text: 'b' }];
    const body = { candidates: [{ content: { parts } }] };
    expect(contentOf(sample({ protocol: 'generative', body })).text).toBe('ab');
  });

  test('the first candidate speaks, and the first id counts', () => {
    const exchange = stream(
      'generative',
      { ...answer({ text: 'other' }, { index: 1, finishReason: 'OTHER' }), responseId: 'a' },
      { ...answer({ text: 'a' }, { index: 0 }), responseId: 'b' },
      answer({ text: 'b' }, { finishReason: 'STOP' }),
    );
    expect([contentOf(exchange).text, contentOf(exchange).id, contentOf(exchange).ending]).toEqual([
      'ab',
      'a',
      'STOP',
    ]);
  });

  test('a call has the id that it came with, or none', () => {
    const calls = [{ name: 'f', id: 'c' }, { name: 'g' }];
    const exchange = stream('generative', ...calls.map((functionCall) => answer({ functionCall })));
    expect(contentOf(exchange).toolCalls).toEqual([
      { name: 'f', id: 'c', arguments: '{}' },
      { name: 'g', id: null, arguments: '{}' },
    ]);
    expect(hasGeneratedContent(exchange)).toBe(true);
  });
});

test('what is no JSON body is none, and no envelope', () => {
  for (const exchange of [sample({ body: 'text' }), sample({ status: null })]) {
    expect([answerOf(exchange).value, nativeBody(exchange)]).toEqual([undefined, undefined]);
    expect(isEnveloped(exchange)).toBe(false);
  }
});

test('an event is wrapped by both members, and has no type of its own', () => {
  const isWrapped = (event: unknown) => isEnveloped(stream('responses', 'text', event));
  expect(isWrapped({ data: {}, requestId: 'r' })).toBe(true);
  expect(isWrapped({ data: {} })).toBe(false);
  expect(isWrapped({ requestId: 'r' })).toBe(false);
});

test('a call, an item or a block is generated content without any text', () => {
  const call = { choices: [{ message: { tool_calls: [{ function: { name: 'f' } }] } }] };
  expect(hasGeneratedContent(sample({ protocol: 'chat-completions', body: call }))).toBe(true);
  // A probe has no reader: what its body holds counts all the same.
  for (const body of [{ content: [{}] }, { output: [{}] }, { answers: { a: 1 } }]) {
    expect(hasGeneratedContent(sample({ protocol: 'probe', body }))).toBe(true);
  }
  for (const body of [{ content: [] }, { answers: {} }, { answers: [1] }]) {
    expect(hasGeneratedContent(sample({ protocol: 'probe', body }))).toBe(false);
  }
});
