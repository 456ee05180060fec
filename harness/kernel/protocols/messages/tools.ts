import { at, listAt } from '../../core/index.ts';
import { calledFunction } from '../called-function.ts';
import { likeCall } from '../like-call.ts';
import type { ToolFacts } from '../module.ts';
import { input, outputLimit, userTurn } from './client.ts';

const { name, description, parameters } = calledFunction.definition;

const offered = (limit = calledFunction.limit, asked = calledFunction.question) => ({
  [input]: userTurn(asked),
  [outputLimit]: limit,
  tools: [{ name, description, input_schema: parameters }],
});

export const tools: ToolFacts = {
  forcedCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: { type: 'tool', name } }),
  requiredCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: { type: 'any' } }),
  forbiddenCall: (limit, asked) => ({ ...offered(limit, asked), tool_choice: { type: 'none' } }),
  offered,

  withResults(first, answer, result) {
    const made = listAt(answer, 'content');
    const content = [...made, ...made.filter(isCall).map((call) => likeCall(call, 'id'))];
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
