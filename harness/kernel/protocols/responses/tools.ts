import { at, listAt } from '../../core/index.ts';
import { calledFunction } from '../called-function.ts';
import { likeCall } from '../like-call.ts';
import type { ToolFacts } from '../module.ts';
import { input, outputLimit } from './client.ts';

const offered = (limit = calledFunction.limit, asked = calledFunction.question) => ({
  [input]: asked,
  [outputLimit]: limit,
  tools: [{ type: 'function', ...calledFunction.definition }],
});

export const tools: ToolFacts = {
  forcedCall: (limit, asked) => ({
    ...offered(limit, asked),
    tool_choice: { type: 'function', name: calledFunction.definition.name },
  }),
  requiredCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: 'required' }),
  forbiddenCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: 'none' }),
  offered,

  /**
   * Calls are returned without the ids of their items. Ids refer to a stored response, and a reasoning model would
   * require the matching reasoning items.
   */
  withResults(first, answer, result) {
    const made = listAt(answer, 'output').filter(isCallItem);
    if (made.length === 0) return null;
    const calls = [...made, ...made.map((call) => likeCall(call, 'call_id'))];
    const asked =
      typeof first.input === 'string'
        ? [{ role: 'user', content: first.input }]
        : listAt(first, 'input');
    return {
      ...first,
      tool_choice: undefined,
      input: [
        ...asked,
        ...calls.map((call) => ({
          type: 'function_call',
          call_id: at(call, 'call_id'),
          name: at(call, 'name'),
          arguments: at(call, 'arguments'),
        })),
        ...calls.map((call) => ({
          type: 'function_call_output',
          call_id: at(call, 'call_id'),
          output: result,
        })),
      ],
    };
  },

  schema: 'responses/function-call',
  callsIn: (item) => (isCallItem(item) ? [item] : []),
  isCall: isCallItem,
  argumentsText: 'arguments',
};

function isCallItem(item: unknown): boolean {
  return at(item, 'type') === 'function_call';
}
