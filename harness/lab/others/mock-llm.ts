import { stringify } from 'yaml';
import { claims, type OtherGateway } from './gateway.ts';

/** A mock of Chat Completions by rules. As it comes, it echoes the last message. It knows no keys. */
export const mockLlm: OtherGateway = {
  name: '@dwmkerr/mock-llm',
  short: 'mock-llm',
  version: '0.1.29',
  prepare: ({ port }) => ({
    program: 'dist/main.js',
    parameters: [],
    environment: { HOST: '127.0.0.1', PORT: String(port) },
    target: {
      keys: { owner: 'sk-owner-1' },
      models: [claims('gpt-5.2', ['chat'], ['stream'], ['tools'])],
    },
  }),
};

/** A mock of Chat Completions that answers with one of the texts it brings. It knows no keys, and no list. */
export const mockai: OtherGateway = {
  name: 'aimock',
  short: 'mockai',
  version: '0.2.9',
  // mockai uses this package without declaring it.
  beside: { tslib: '2.8.1' },
  prepare: ({ port }) => ({
    program: 'dist/cli.js',
    environment: { MOCK_PORT: String(port) },
    target: {
      keys: { owner: 'sk-owner-1' },
      models: [claims('gpt-3.5-turbo', ['chat'], ['stream'], ['tools'], false)],
    },
  }),
};

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
      models: [claims('gpt-4', ['chat'], ['stream', 'tools'])],
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
