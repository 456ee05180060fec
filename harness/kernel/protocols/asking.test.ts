import { describe, expect, test } from 'vitest';
import { asks, protocolsOfAsk } from '../core/capability.ts';
import { streamingProtocols } from '../core/protocol.ts';
import { saidBy } from './content.ts';
import { merged } from './defaults.ts';
import { protocolModules } from './modules.ts';
import { sample, sampleStream } from './samples/exchange.ts';

test('a protocol can be asked for what it documents, and no more', () => {
  for (const protocol of streamingProtocols) {
    const { fields } = protocolModules[protocol].asking;
    for (const ask of asks) {
      const documented = protocolsOfAsk[ask].some((one) => one === protocol);
      expect(fields[ask] !== null, `${protocol} ${ask}`).toBe(documented);
      expect(fields[ask]?.('Hello') ?? {}, `${protocol} ${ask}`).not.toEqual(null);
    }
  }
});

test('what several ask for under one name is asked for together', () => {
  const { fields } = protocolModules.generative.asking;
  const limit = { generationConfig: { maxOutputTokens: 5 } };
  expect(merged(limit, fields.candidates('Hello'), fields.logprobs('Hello'))).toEqual({
    generationConfig: {
      maxOutputTokens: 5,
      candidateCount: 2,
      responseLogprobs: true,
      logprobs: 2,
    },
  });
  expect(merged({ list: [1], text: 'a' }, { list: [2], text: undefined })).toEqual({
    list: [2],
    text: undefined,
  });
});

function events(...data: readonly unknown[]): string {
  return data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
}

const silent = { parts: [], stoppedAt: null, logprobs: [] };
const openai = { token: 'One', logprob: -0.5, bytes: [79], top_logprobs: [{ token: 'One' }] };
const read = { token: 'One', logprob: -0.5, likely: 1 };

describe('what an answer says', () => {
  const protocol = 'chat-completions';

  test('in each choice, on Chat Completions', () => {
    const choice = (index: number, content: string) => ({
      index,
      message: { content },
      logprobs: { content: [openai] },
      finish_reason: 'stop',
    });
    const body = { choices: [choice(0, 'One'), choice(1, 'Two')] };
    expect(saidBy(sample({ protocol, body }))).toEqual([
      { ...silent, text: 'One', ending: 'stop', logprobs: [read] },
      { ...silent, text: 'Two', ending: 'stop', logprobs: [read] },
    ]);
  });

  test('in each choice of a stream that mixes them', () => {
    const chunk = (index: number, content: string | null, finish: string | null = null) => ({
      choices: [{ index, delta: content === null ? {} : { content }, finish_reason: finish }],
    });
    const sse = events(
      chunk(1, 'T'),
      chunk(0, 'One'),
      chunk(1, 'wo', 'length'),
      chunk(0, null, 'stop'),
    );
    expect(saidBy(sampleStream(sse, { protocol }))).toEqual([
      { text: 'Two', ending: 'length', ...silent },
      { text: 'One', ending: 'stop', ...silent },
    ]);
  });

  test('with the stop sequence that ended it, on Messages', () => {
    const body = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'One' }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'Two',
    };
    const said = {
      ...silent,
      text: 'One',
      parts: ['One'],
      ending: 'stop_sequence',
      stoppedAt: 'Two',
    };
    expect(saidBy(sample({ protocol: 'messages', body }))).toEqual([said]);
    const sse = events(
      { type: 'message_start', message: { content: [], stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One' } },
      { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'Two' } },
    );
    expect(saidBy(sampleStream(sse, { protocol: 'messages' }))).toEqual([said]);
  });

  test('with both lists of log probabilities, on generative-content', () => {
    const candidate = (result: unknown) => ({
      candidates: [
        { content: { parts: [{ text: 'One' }] }, finishReason: 'STOP', logprobsResult: result },
      ],
    });
    const said = (logprobs: readonly unknown[]) => [
      { ...silent, text: 'One', ending: 'STOP', logprobs },
    ];
    const chosenCandidates = [{ token: 'One', logProbability: -0.5 }, { token: '.' }];
    const topCandidates = [{ candidates: [{}, {}] }];
    const protocol = 'generative';
    const whole = candidate({ chosenCandidates, topCandidates });
    const tokens = [
      { token: 'One', logprob: -0.5, likely: 2 },
      { token: '.', logprob: 0, likely: null },
    ];
    expect(saidBy(sample({ protocol, body: whole }))).toEqual(said(tokens));
    expect(saidBy(sampleStream(events(whole), { protocol }))).toEqual(said(tokens));
    expect(saidBy(sample({ protocol, body: candidate({ topCandidates }) }))).toEqual(
      said([{ token: null, logprob: null, likely: 2 }]),
    );
  });

  test('in its message, on Responses', () => {
    const content = [{ type: 'output_text', text: 'One', logprobs: [openai] }];
    const response = { status: 'completed', output: [{ type: 'message', content }] };
    const said = {
      ...silent,
      text: 'One',
      parts: ['One'],
      ending: 'completed',
      logprobs: [read],
    };
    expect(saidBy(sample({ body: response }))).toEqual([said]);
    const sse = events(
      { type: 'response.output_text.delta', delta: 'One' },
      { type: 'response.completed', response },
    );
    expect(saidBy(sampleStream(sse))).toEqual([said]);
  });

  test('is nothing where nothing can be read', () => {
    expect(saidBy(sample({ protocol: 'systemone', body: { answers: {} } }))).toEqual([]);
    expect(saidBy(sample({ protocol, body: 'Hello' }))).toEqual([]);
  });
});
