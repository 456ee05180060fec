import {
  at,
  isObject,
  listAt,
  type SchemaId,
  type StreamingProtocol,
} from '../../harness/index.ts';

/** How a protocol writes the call of a function in an answer. */
export interface CallForm {
  readonly schema: SchemaId;
  /** The calls in an output item, choice, content block or candidate. */
  callsIn(item: unknown): readonly unknown[];
  /** Where its arguments are JSON text; null where they are an object, as the schema says. */
  readonly argumentsText: string | null;
}

export const forms: Readonly<Record<StreamingProtocol, CallForm>> = {
  responses: {
    schema: 'responses/function-call',
    callsIn: (item) => (at(item, 'type') === 'function_call' ? [item] : []),
    argumentsText: 'arguments',
  },
  'chat-completions': {
    schema: 'chat-completions/tool-call',
    // `function_call` is the form of old; a call in it is a call, but not in the form of `tools`.
    callsIn: (choice) => {
      const old = at(choice, 'message.function_call');
      return [...listAt(choice, 'message.tool_calls'), ...(isObject(old) ? [old] : [])];
    },
    argumentsText: 'function.arguments',
  },
  messages: {
    schema: 'messages/tool-use',
    callsIn: (block) => (at(block, 'type') === 'tool_use' ? [block] : []),
    argumentsText: null,
  },
  generative: {
    schema: 'generative/function-call',
    callsIn: (candidate) =>
      listAt(candidate, 'content.parts').filter((part) => isObject(at(part, 'functionCall'))),
    argumentsText: null,
  },
};

/** Whether the arguments of a call that has the form are an object, or the JSON text of one. */
export function hasObject(call: unknown, { argumentsText }: CallForm): boolean {
  if (argumentsText === null) return true;
  try {
    return isObject(JSON.parse(String(at(call, argumentsText))));
  } catch {
    return false;
  }
}
