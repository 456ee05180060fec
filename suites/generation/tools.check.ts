import {
  assumeServed,
  at,
  check,
  checkEach,
  type Exchange,
  ExpectationFailed,
  ending,
  expect,
  expectValue,
  findingsOf,
  Inconclusive,
  outputItems,
  type StreamingProtocol,
  toolCalls,
  violations,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { type CallForm, forms, hasObject } from './call-forms.ts';
import { answered, called, calledBesideText, calledInStream } from './calls.ts';

/** The rule of each grammar that its events have what they must have. */
const eventShape = {
  responses: 'known-event-shapes',
  'chat-completions': 'chunk-shape',
  messages: 'known-event-shapes',
  generative: 'chunk-shape',
} as const;

checkEach('generation/tools.shape', (protocol: StreamingProtocol) => ({
  on: called[protocol],
  judge: ({ called }) => {
    const problem = problemOf(called, forms[protocol]);
    if (problem === null) return;
    throw new ExpectationFailed(`a call in the form ${forms[protocol].schema}`, problem, called);
  },
}));

check('generation/tools.messages-stop-reason', called.messages, ({ called }) => {
  assumeServed(called);
  const end = ending(called);
  if (outputItems(called).flatMap(forms.messages.callsIn).length === 0) throw noCall(called);
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
    const calls = [...items.flatMap(forms[protocol].callsIn), ...items.filter(isServerCall)];
    expectValue(calls, { as: 'calls that nobody asked for', of: baseline }).toEqual([]);
  },
}));

/** `web_search_call` on Responses, `server_tool_use` on Messages. */
function isServerCall(item: unknown): boolean {
  const type = String(at(item, 'type'));
  return type.endsWith('_search_call') || type === 'server_tool_use';
}

checkEach('generation/tools-stream.arguments-join', (protocol: StreamingProtocol) => ({
  on: calledInStream[protocol],
  judge: ({ called }) => {
    expect(called).toFollow('arguments-join');
    if (toolCalls(called).length === 0) throw noCall(called);
  },
}));

checkEach('generation/tools-stream.known-event-shapes', (protocol: StreamingProtocol) => ({
  on: calledBesideText[protocol],
  judge: ({ called, text }) => {
    const rule = eventShape[protocol];
    if (findingsOf(text)?.violations.some((broken) => broken.rule === rule)) {
      throw new Inconclusive(`the stream of a text breaks ${rule} already`, text);
    }
    expect(called).toFollow(rule);
    if (toolCalls(called).length === 0) throw noCall(called);
  },
}));

checkEach('generation/tools.result-served', (protocol: StreamingProtocol) => ({
  on: answered[protocol],
  judge: ({ called, answer }) => {
    const problem = problemOf(called, forms[protocol]);
    if (problem !== null)
      throw new Inconclusive(`what was sent back is no call: ${problem}`, called);
    if (answer === null) throw new Inconclusive('the call came in no body to send back', called);
    expect(answer).toBeServed();
  },
}));

/** What is wrong with the calls of an answer; null when there are some and all are well. */
function problemOf(answer: Exchange, form: CallForm): string | null {
  assumeServed(answer);
  const calls = outputItems(answer).flatMap(form.callsIn);
  if (calls.length === 0) throw noCall(answer);
  for (const call of calls) {
    const [wrong] = violations(form.schema, call);
    if (wrong !== undefined) return `${wrong.path} ${wrong.problem}`.trim();
    if (!hasObject(call, form)) return `arguments that are no object: ${JSON.stringify(call)}`;
  }
  return null;
}

function noCall(exchange: Exchange): Inconclusive {
  return new Inconclusive(`the model made no call: it ended with ${ending(exchange)}`, exchange);
}
