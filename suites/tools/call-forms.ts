import {
  at,
  isObject,
  listAt,
  type SchemaId,
  type StreamingProtocol,
  textAt,
} from '../../harness/index.ts';

/** How a protocol writes the call of a function in an answer. */
export interface CallForm {
  readonly schema: SchemaId;
  /** The calls in an output item, choice, content block or candidate. */
  callsIn(item: unknown): readonly unknown[];
  /** JSON text, or an object. */
  argumentsOf(call: unknown): unknown;
}

export const forms: Readonly<Record<StreamingProtocol, CallForm>> = {
  responses: {
    schema: 'responses/function-call',
    callsIn: (item) => (at(item, 'type') === 'function_call' ? [item] : []),
    argumentsOf: (call) => jsonIn(at(call, 'arguments')),
  },
  'chat-completions': {
    schema: 'chat-completions/tool-call',
    // `function_call` is the form of old; a call in it is a call, but not in the form of `tools`.
    callsIn: (choice) => {
      const old = at(choice, 'message.function_call');
      return [...listAt(choice, 'message.tool_calls'), ...(isObject(old) ? [old] : [])];
    },
    argumentsOf: (call) => jsonIn(at(call, 'function.arguments')),
  },
  messages: {
    schema: 'messages/tool-use',
    callsIn: (block) => (at(block, 'type') === 'tool_use' ? [block] : []),
    argumentsOf: (call) => at(call, 'input'),
  },
  generative: {
    schema: 'generative/function-call',
    callsIn: (candidate) =>
      listAt(candidate, 'content.parts').filter((part) => isObject(at(part, 'functionCall'))),
    // Empty arguments may be left out of protobuf JSON.
    argumentsOf: (part) => at(part, 'functionCall.args') ?? {},
  },
};

function jsonIn(text: unknown): unknown {
  try {
    return JSON.parse(textAt({ text }, 'text') ?? '');
  } catch {
    return text;
  }
}
