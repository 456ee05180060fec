import {
  at,
  checkEach,
  type Exchange,
  ExpectationFailed,
  ending,
  expect,
  expectValue,
  Inconclusive,
  isObject,
  listAt,
  mustBeServed,
  outputItems,
  type SchemaId,
  type StreamingProtocol,
  textAt,
  toolCalls,
  violations,
} from '../../harness/index.ts';
import { answered, called, calledInStream } from './calls.ts';

interface CallForm {
  readonly schema: SchemaId;
  /** The calls in an output item, choice, content block or candidate. */
  callsIn(item: unknown): readonly unknown[];
  /** JSON text, or an object. */
  argumentsOf(call: unknown): unknown;
}

const forms: Readonly<Record<StreamingProtocol, CallForm>> = {
  responses: {
    schema: 'responses/function-call',
    callsIn: (item) => (at(item, 'type') === 'function_call' ? [item] : []),
    argumentsOf: (call) => jsonIn(at(call, 'arguments')),
  },
  'chat-completions': {
    schema: 'chat-completions/tool-call',
    callsIn: (choice) => listAt(choice, 'message.tool_calls'),
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

checkEach('tools/call.shape', (protocol: StreamingProtocol) => ({
  on: called[protocol],
  judge: ({ called }) => {
    mustBeServed(called);
    const { schema, callsIn, argumentsOf } = forms[protocol];
    const calls = outputItems(called).flatMap(callsIn);
    if (calls.length === 0) throw noCall(called);
    for (const call of calls) {
      const problems = violations(schema, call).map(({ path, problem }) => `${path} ${problem}`);
      if (problems.length > 0) {
        throw new ExpectationFailed(`a call in the form ${schema}`, problems.join('; '), called);
      }
      expectValue(argumentsOf(call), { as: 'arguments', of: called }).toBe('one object', isObject);
    }
  },
}));

checkEach('tools/stream.arguments-join', (protocol: StreamingProtocol) => ({
  on: calledInStream[protocol],
  judge: ({ called }) => {
    expect(called).toFollow('arguments-join');
    if (toolCalls(called).length === 0) throw noCall(called);
  },
}));

checkEach('tools/round-trip.result-served', (protocol: StreamingProtocol) => ({
  on: answered[protocol],
  judge: ({ called, answer }) => {
    mustBeServed(called);
    if (answer === null) throw noCall(called);
    expect(answer).toBeServed();
  },
}));

function noCall(exchange: Exchange): Inconclusive {
  return new Inconclusive(`the model made no call: it ended with ${ending(exchange)}`, exchange);
}

function jsonIn(text: unknown): unknown {
  try {
    return JSON.parse(textAt({ text }, 'text') ?? '');
  } catch {
    return text;
  }
}
