import type { StreamingProtocol } from '../core/protocol.ts';
import type { Fields } from './defaults.ts';

/** Enough for the call of a small function; the limit of baseline generations may be too low for one. */
export const callLimit = 256;

const question = 'What is the weather in Paris?';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Name of the city' } },
  required: ['city'],
};

/** The function that `forcedCall` wants called. */
export const calledFunction = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters,
} as const;

/** Members of a body that make the model call a function, in the form of the protocol. */
export function forcedCall(protocol: StreamingProtocol): Fields {
  const { name, description } = calledFunction;
  switch (protocol) {
    case 'responses':
      return {
        input: question,
        max_output_tokens: callLimit,
        tools: [{ type: 'function', ...calledFunction }],
        tool_choice: { type: 'function', name },
      };
    case 'chat-completions':
      return {
        messages: [{ role: 'user', content: question }],
        max_completion_tokens: callLimit,
        tools: [{ type: 'function', function: calledFunction }],
        tool_choice: { type: 'function', function: { name } },
      };
    case 'messages':
      return {
        messages: [{ role: 'user', content: question }],
        max_tokens: callLimit,
        tools: [{ name, description, input_schema: parameters }],
        tool_choice: { type: 'tool', name },
      };
    case 'generative':
      return {
        contents: [{ role: 'user', parts: [{ text: question }] }],
        generationConfig: { maxOutputTokens: callLimit },
        tools: [{ functionDeclarations: [calledFunction] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [name] } },
      };
  }
}

/**
 * The body that sends a call back with its result, so that the model can go on.
 *
 * @param first the body whose answer holds the call
 * @param answer that answer, as JSON
 * @param result what the function gave, in words
 * @returns null when the answer holds no call
 */
export function withResult(
  protocol: StreamingProtocol,
  first: Fields,
  answer: unknown,
  result: string,
): Fields | null {
  switch (protocol) {
    case 'responses':
      return responsesResult(first, answer, result);
    case 'chat-completions':
      return chatResult(first, answer, result);
    case 'messages':
      return messagesResult(first, answer, result);
    case 'generative':
      return generativeResult(first, answer, result);
  }
}

/**
 * Calls go back without the ids of their items: those are of a stored response, and a model that
 * reasons would want the reasoning items that belong to them.
 */
function responsesResult(first: Fields, answer: unknown, result: string): Fields | null {
  const calls = list(answer, 'output').filter((item) => get(item, 'type') === 'function_call');
  if (calls.length === 0) return null;
  const asked =
    typeof first.input === 'string'
      ? [{ role: 'user', content: first.input }]
      : list(first, 'input');
  return {
    ...first,
    tool_choice: undefined,
    input: [
      ...asked,
      ...calls.map((call) => ({
        type: 'function_call',
        call_id: get(call, 'call_id'),
        name: get(call, 'name'),
        arguments: get(call, 'arguments'),
      })),
      ...calls.map((call) => ({
        type: 'function_call_output',
        call_id: get(call, 'call_id'),
        output: result,
      })),
    ],
  };
}

function chatResult(first: Fields, answer: unknown, result: string): Fields | null {
  const message = get(list(answer, 'choices')[0], 'message');
  const calls = list(message, 'tool_calls');
  if (calls.length === 0) return null;
  return {
    ...first,
    tool_choice: undefined,
    messages: [
      ...list(first, 'messages'),
      { role: 'assistant', content: get(message, 'content') ?? null, tool_calls: calls },
      ...calls.map((call) => ({ role: 'tool', tool_call_id: get(call, 'id'), content: result })),
    ],
  };
}

function messagesResult(first: Fields, answer: unknown, result: string): Fields | null {
  const content = list(answer, 'content');
  const calls = content.filter((block) => get(block, 'type') === 'tool_use');
  if (calls.length === 0) return null;
  return {
    ...first,
    tool_choice: undefined,
    messages: [
      ...list(first, 'messages'),
      { role: 'assistant', content },
      {
        role: 'user',
        content: calls.map((call) => ({
          type: 'tool_result',
          tool_use_id: get(call, 'id'),
          content: result,
        })),
      },
    ],
  };
}

function generativeResult(first: Fields, answer: unknown, result: string): Fields | null {
  const content = get(list(answer, 'candidates')[0], 'content');
  const calls = list(content, 'parts')
    .map((part) => get(part, 'functionCall'))
    .filter((call) => call !== undefined);
  if (calls.length === 0) return null;
  return {
    ...first,
    toolConfig: undefined,
    contents: [
      ...list(first, 'contents'),
      // As it came: a part may carry a signature that has to come back.
      { ...record(content), role: 'model' },
      {
        role: 'user',
        parts: calls.map((call) => ({
          functionResponse: {
            ...(get(call, 'id') === undefined ? {} : { id: get(call, 'id') }),
            name: get(call, 'name'),
            response: { result },
          },
        })),
      },
    ],
  };
}

function get(value: unknown, name: string): unknown {
  return record(value)[name];
}

function list(value: unknown, name: string): readonly unknown[] {
  const member = get(value, name);
  return Array.isArray(member) ? member : [];
}

function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
