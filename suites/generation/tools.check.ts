import {
  assumeServed,
  at,
  callLimit,
  check,
  checkEach,
  type Exchange,
  ExpectationFailed,
  each,
  ending,
  expect,
  expectValue,
  Inconclusive,
  isObject,
  jsonBody,
  outputItems,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
  toolCalls,
  violations,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { generation } from '../scenarios/generations/generation-calls.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';

/** A function call that the request forces, in one body. */
const called = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/called/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools'] } },
      cost: { requests: 1, generations: 1, outputTokens: callLimit },
    },
    async (io) => ({
      called: await generation[protocol].create(io, protocolModules[protocol].tools.forcedCall()),
    }),
  ),
);

checkEach('generation/tools.shape', (protocol: StreamingProtocol) => ({
  on: called[protocol],
  judge: ({ called }) => {
    const problem = problemOf(called, protocol);
    if (problem === null) return;
    throw new ExpectationFailed(
      `a call in the form ${protocolModules[protocol].tools.schema}`,
      problem,
      called,
    );
  },
}));

/** What is wrong with the calls of an answer; null when there are some and all are well. */
function problemOf(answer: Exchange, protocol: StreamingProtocol): string | null {
  const { callsIn, schema, argumentsText } = protocolModules[protocol].tools;
  assumeServed(answer);
  const calls = outputItems(answer).flatMap(callsIn);
  if (calls.length === 0) throw noCall(answer);
  for (const call of calls) {
    const [wrong] = violations(schema, call);
    if (wrong !== undefined) return `${wrong.path} ${wrong.problem}`.trim();
    if (!hasObject(call, argumentsText))
      return `arguments that are no object: ${JSON.stringify(call)}`;
  }
  return null;
}

function noCall(exchange: Exchange): Inconclusive {
  return new Inconclusive(`the model made no call: it ended with ${ending(exchange)}`, exchange);
}

/** Whether the arguments of a call that has its shape are an object, or the JSON text of one. */
function hasObject(call: unknown, argumentsText: string | null): boolean {
  if (argumentsText === null) return true;
  try {
    return isObject(JSON.parse(String(at(call, argumentsText))));
  } catch {
    return false;
  }
}

check('generation/tools.messages-stop-reason', called.messages, ({ called }) => {
  assumeServed(called);
  const end = ending(called);
  if (outputItems(called).flatMap(protocolModules.messages.tools.callsIn).length === 0)
    throw noCall(called);
  if (end === null) throw new Inconclusive('the message does not say why it ended', called);
  expectValue(end, { as: 'stop_reason', of: called }).toBe('tool_use, or max_tokens', (reason) =>
    ['tool_use', 'max_tokens'].includes(String(reason)),
  );
});

checkEach('generation/tools.no-call-without-tools', (protocol: StreamingProtocol) => ({
  on: baseline[mainEndpoint[protocol]],
  judge: ({ baseline }) => {
    assumeServed(baseline);
    const items = outputItems(baseline);
    const calls = [
      ...items.flatMap(protocolModules[protocol].tools.callsIn),
      ...items.filter(isServerCall),
    ];
    expectValue(calls, { as: 'calls that were not asked for', of: baseline }).toEqual([]);
  },
}));

/** `web_search_call` on Responses, `server_tool_use` on Messages. */
function isServerCall(item: unknown): boolean {
  const type = String(at(item, 'type'));
  return type.endsWith('_search_call') || type === 'server_tool_use';
}

/** The same as a stream. */
const calledInStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/called-in-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools', streamOver(protocol)] } },
      cost: { requests: 1, generations: 1, outputTokens: callLimit },
    },
    async (io) => ({
      called: await generation[protocol].stream(io, protocolModules[protocol].tools.forcedCall()),
    }),
  ),
);

checkEach('generation/tools-stream.arguments-join', (protocol: StreamingProtocol) => ({
  on: calledInStream[protocol],
  judge: ({ called }) => {
    // On generative-content they come whole, as an object.
    if (protocol === 'generative') expect(called).toStream();
    else expect(called).toFollow('arguments-join');
    if (toolCalls(called).length === 0) throw noCall(called);
  },
}));

/** The call, sent back with its result. Null when the model made none. */
const answered = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/tool-result/${protocol}`,
    {
      after: { call: called[protocol] },
      cost: { requests: 1, generations: 1, outputTokens: callLimit },
    },
    async (io, { call }) => {
      const result = 'It is 18 degrees and sunny.';
      const { forcedCall, withResult } = protocolModules[protocol].tools;
      const body = withResult(forcedCall(), jsonBody(call.called), result);
      const answer = body === null ? null : await generation[protocol].create(io, body);
      return { called: call.called, answer };
    },
  ),
);

checkEach('generation/tools.result-served', (protocol: StreamingProtocol) => ({
  on: answered[protocol],
  judge: ({ called, answer }) => {
    const problem = problemOf(called, protocol);
    if (problem !== null)
      throw new Inconclusive(`what was sent back is no call: ${problem}`, called);
    if (answer === null) throw new Inconclusive('the call came in no body to send back', called);
    expect(answer).toBeServed();
  },
}));
