import { at, listAt } from '../../core/index.ts';
import { calledFunction, callLimit, question } from '../called-function.ts';
import type { ToolFacts } from '../module.ts';
import { input, outputLimit, userTurn } from './client.ts';

const { name, description, parameters } = calledFunction;

const offered = (limit = callLimit, asked = question) => ({
  [input]: userTurn(asked),
  [outputLimit]: limit,
  tools: [{ name, description, input_schema: parameters }],
});

export const tools: ToolFacts = {
  forcedCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: { type: 'tool', name } }),
  requiredCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: { type: 'any' } }),
  forbiddenCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: { type: 'none' } }),
  offered,

  withResult(first, answer, result) {
    const content = listAt(answer, 'content');
    const calls = content.filter(isCall);
    if (calls.length === 0) return null;
    return {
      ...first,
      tool_choice: undefined,
      messages: [
        ...listAt(first, 'messages'),
        { role: 'assistant', content },
        {
          role: 'user',
          content: calls.map((call) => ({
            type: 'tool_result',
            tool_use_id: at(call, 'id'),
            content: result,
          })),
        },
      ],
    };
  },

  schema: 'messages/tool-use',
  callsIn: (block) => (isCall(block) ? [block] : []),
  isCall,
  argumentsText: null,
};

function isCall(block: unknown): boolean {
  return at(block, 'type') === 'tool_use';
}
