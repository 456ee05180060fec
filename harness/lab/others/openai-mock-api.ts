import { stringify } from 'yaml';
import type { OtherGateway } from './gateway.ts';

/** A mock of Chat Completions, with answers from conversations in a file, behind one key. */
export const openaiMockApi: OtherGateway = {
  name: 'openai-mock-api',
  short: 'openai-mock-api',
  version: '0.4.0',
  prepare: ({ port }) => ({
    program: 'dist/cli.js',
    parameters: ['--config', 'config.yaml', '--port', String(port)],
    files: { 'config.yaml': stringify({ apiKey: 'sk-owner-1', responses }) },
    target: {
      keys: { owner: 'sk-owner-1' },
      models: [
        {
          id: 'gpt-4',
          protocols: ['chat'],
          supports: ['stream', 'tools'],
          lacks: [],
          deterministic: true,
        },
      ],
    },
  }),
};

const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
};
const text = { role: 'assistant', content: 'The harbour is quiet this morning.' };
const question = { role: 'user', matcher: 'contains', content: 'weather' };
const anything = { role: 'user', matcher: 'any' };

/**
 * A flow answers what begins like it with its last message. Of those that fit alike the first one
 * answers; one that asks for a word fits better than one that takes anything.
 */
const responses = [
  { id: 'question', messages: [question, { role: 'assistant', tool_calls: [call] }] },
  {
    id: 'result',
    messages: [
      question,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', matcher: 'any', tool_call_id: 'call_1' },
      text,
    ],
  },
  { id: 'conversation', messages: [anything, text, anything, text] },
];
