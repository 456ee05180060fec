import { at, isObject, listAt } from '../../core/index.ts';
import { calledFunction } from '../called-function.ts';
import { likeCall } from '../like-call.ts';
import type { ToolFacts } from '../module.ts';
import { input, outputLimit, userTurn } from './client.ts';

const offered = (limit = calledFunction.limit, asked = calledFunction.question) => ({
  [input]: userTurn(asked),
  [outputLimit]: limit,
  tools: [{ type: 'function', function: calledFunction.definition }],
});

export const tools: ToolFacts = {
  forcedCall: (limit, asked) => ({
    ...offered(limit, asked),
    tool_choice: { type: 'function', function: { name: calledFunction.definition.name } },
  }),
  requiredCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: 'required' }),
  forbiddenCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: 'none' }),
  offered,

  withResults(first, answer, result) {
    const message = at(answer, 'choices[0].message');
    const made = listAt(message, 'tool_calls');
    if (made.length === 0) return null;
    const calls = [...made, ...made.map((call) => likeCall(call, 'id'))];
    return {
      ...first,
      tool_choice: undefined,
      messages: [
        ...listAt(first, 'messages'),
        { role: 'assistant', content: at(message, 'content') ?? null, tool_calls: calls },
        ...calls.map((call) => ({ role: 'tool', tool_call_id: at(call, 'id'), content: result })),
      ],
    };
  },

  schema: 'chat-completions/tool-call',
  // `function_call` is the legacy form: a call, but not in the form of `tools`.
  callsIn(choice) {
    const old = at(choice, 'message.function_call');
    return [...listAt(choice, 'message.tool_calls'), ...(isObject(old) ? [old] : [])];
  },
  isCall: (value) => typeof at(value, 'function.arguments') === 'string',
  argumentsText: 'function.arguments',
};
