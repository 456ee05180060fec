import { at, isObject, listAt } from '../../core/index.ts';
import { calledFunction } from '../called-function.ts';
import { fieldsAt } from '../defaults.ts';
import { likeCall } from '../like-call.ts';
import type { ToolFacts } from '../module.ts';
import { input, outputLimit, userTurn } from './client.ts';

const offered = (limit = calledFunction.limit, asked = calledFunction.question) => ({
  [input]: userTurn(asked),
  ...fieldsAt(outputLimit, limit),
  tools: [{ functionDeclarations: [calledFunction.definition] }],
});

export const tools: ToolFacts = {
  forcedCall: (limit, asked) => ({
    ...offered(limit, asked),
    toolConfig: {
      functionCallingConfig: {
        mode: 'ANY',
        allowedFunctionNames: [calledFunction.definition.name],
      },
    },
  }),
  requiredCall: (limit, asked) => ({
    ...offered(limit, asked),
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  }),
  forbiddenCall: (limit, asked) => ({
    ...offered(limit, asked),
    toolConfig: { functionCallingConfig: { mode: 'NONE' } },
  }),
  offered,

  withResults(first, answer, result) {
    const content = at(answer, 'candidates[0].content');
    const made = listAt(content, 'parts');
    // Only the first call of a turn carries a signature.
    const second = made
      .flatMap((part) => at(part, 'functionCall') ?? [])
      .map((call) => ({ functionCall: likeCall(call, 'id') }));
    if (second.length === 0) return null;
    const parts = [...made, ...second];
    const calls = parts.flatMap((part) => at(part, 'functionCall') ?? []);
    return {
      ...first,
      toolConfig: undefined,
      contents: [
        ...listAt(first, 'contents'),
        // Sent back unchanged, because a part may carry a signature that must be returned.
        { ...(isObject(content) ? content : {}), parts, role: 'model' },
        {
          role: 'user',
          parts: calls.map((call) => ({
            functionResponse: {
              ...(at(call, 'id') === undefined ? {} : { id: at(call, 'id') }),
              name: at(call, 'name'),
              response: { result },
            },
          })),
        },
      ],
    };
  },

  schema: 'generative/function-call',
  callsIn: (candidate) =>
    listAt(candidate, 'content.parts').filter((part) => isObject(at(part, 'functionCall'))),
  isCall: (value) => isObject(at(value, 'functionCall')),
  argumentsText: null,
};
