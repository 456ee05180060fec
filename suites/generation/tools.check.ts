import {
  answerOf,
  assumeServed,
  calledFunction,
  check,
  contentOf,
  type Everywhere,
  type Exchange,
  ExpectationFailed,
  everywhere,
  expect,
  expectValue,
  findingsOf,
  Inconclusive,
  json,
  NothingToJudge,
  protocolBy,
  protocolModules,
  type StreamingProtocol,
} from '../../harness/index.ts';
import { baselineOf } from '../scenarios/baselines.ts';
import { isSuccess } from '../scenarios/exchanges.ts';
import {
  answered,
  type CallForm,
  called,
  calledBy,
  calledInStream,
  toolResultWords,
} from '../scenarios/generations/tool-calls.ts';
import { expectCounted } from '../scenarios/token-counts.ts';
import {
  callsOf,
  constantOf,
  isDamaged,
  isSeveralObjects,
  missingArgument,
  problemOf,
  readCallsOf,
} from './judged-calls.ts';

check.each('generation/tools.shape', (form: CallForm) => ({
  on: calledBy[form],
  judge: ({ called }) => {
    const protocol = protocolBy.form(form);
    const problem = problemOf(called, protocol);
    if (problem === null) return;
    throw new ExpectationFailed(
      `a call in the form ${protocolModules[protocol].tools.schema}`,
      problem,
      called,
    );
  },
}));

check.each('generation/tools.offered-function', (form: CallForm) => ({
  on: calledBy[form],
  judge: ({ called }) => {
    for (const { name } of readCallsOf(called, protocolBy.form(form))) {
      if (name === null) throw new Inconclusive('a call names no function', called);
      const as = 'the function that is called';
      expectValue(name, { as, of: called }).toEqual(calledFunction.definition.name);
    }
  },
}));

check.each('generation/tools.required-arguments', (form: CallForm) => ({
  on: calledBy[form],
  judge: ({ called }) => {
    const protocol = protocolBy.form(form);
    const calls = readCallsOf(called, protocol);
    const problem = problemOf(called, protocol);
    if (problem !== null) throw new Inconclusive(`what was called is no call: ${problem}`, called);
    for (const call of calls) {
      const missing = missingArgument(call);
      if (missing === null) continue;
      throw new ExpectationFailed('the arguments that the function requires', missing, called);
    }
  },
}));

type MessageForm = 'messages' | 'messages-stream';

everywhere.each('generation/tools.messages-stop-reason', (form: MessageForm) =>
  ofMessages(form, 'tool_use, or max_tokens', (reason) =>
    ['tool_use', 'max_tokens'].includes(reason),
  ),
);

everywhere.each('generation/tools.messages-call-not-over', (form: MessageForm) =>
  ofMessages(
    form,
    'none that says that the model has finished',
    (reason) => !['end_turn', 'stop_sequence'].includes(reason),
  ),
);

/** Judges the `stop_reason` of every message of a run that has a call. */
function ofMessages(
  form: MessageForm,
  what: string,
  holds: (reason: string) => boolean,
): Everywhere {
  return {
    least: calledBy[form],
    which: (exchange) =>
      exchange.about.protocol === 'messages' &&
      isSuccess(exchange) &&
      (answerOf(exchange).form === 'events') === (form === 'messages-stream'),
    judge: (answer) => {
      if (contentOf(answer).toolCalls.length === 0) throw new NothingToJudge('it has no call');
      const end = contentOf(answer).ending;
      if (end === null) throw new Inconclusive('the message does not say why it ended', answer);
      expectValue(end, { as: 'stop_reason', of: answer }).toBe(what, () => holds(end));
    },
  };
}

check.each('generation/tools.no-call-without-tools', (protocol: StreamingProtocol) => ({
  on: baselineOf[protocol],
  judge: ({ baseline }) => {
    assumeServed(baseline);
    const items = contentOf(baseline).items;
    const calls = [
      ...items.flatMap(protocolModules[protocol].tools.callsIn),
      ...items.filter(isServerCall),
    ];
    expectValue(calls, { as: 'calls that were not asked for', of: baseline }).toEqual([]);
  },
}));

/** True for `web_search_call` on Responses, `server_tool_use` on Messages. */
function isServerCall(item: unknown): boolean {
  const type = String(json.at(item, 'type'));
  return type.endsWith('_search_call') || type === 'server_tool_use';
}

check.each('generation/tools-stream.arguments-join', (protocol: StreamingProtocol) => ({
  on: calledInStream[protocol],
  judge: ({ called }) => {
    // On generative-content, arguments arrive complete, as an object.
    if (protocol === 'generative') expect(called).toStream();
    else expect(called).toFollow('arguments-join');
    if (contentOf(called).toolCalls.length === 0) callsOf(called, protocol);
  },
}));

check.each('generation/tools-stream.constant-joins', (protocol: StreamingProtocol) => ({
  on: { whole: called[protocol], stream: calledInStream[protocol] },
  judge: ({ whole, stream: { called: streamed } }) => {
    for (const call of readCallsOf(streamed, protocol)) {
      const said = constantOf(call);
      if (said === null) throw new Inconclusive('a call lacks the argument', streamed);
      if (isDamaged(said)) {
        assumeRepeated(whole.called, protocol);
        const actual = `with pieces lost or doubled: ${said}`;
        throw new ExpectationFailed('the only value that the argument may have', actual, streamed);
      }
      if (said !== calledFunction.terms)
        throw new NothingToJudge('the model put it in other words');
    }
  },
}));

/** @throws {Inconclusive} if the model does not repeat the argument in one JSON body either */
function assumeRepeated(called: Exchange, protocol: StreamingProtocol): void {
  if (readCallsOf(called, protocol).every((call) => constantOf(call) === calledFunction.terms))
    return;
  throw new Inconclusive('in one body, too, the model has not said it word for word', called);
}

check.each('generation/tools-stream.parallel-calls-separate', (protocol: StreamingProtocol) => ({
  on: calledInStream[protocol],
  judge: ({ called }) => {
    callsOf(called, protocol);
    const rule = protocolModules[protocol].stream.shapeRule;
    if (findingsOf(called)?.violations.some((violation) => violation.rule === rule)) {
      throw new Inconclusive('which call an event belongs to is not known', called);
    }
    const calls = contentOf(called).toolCalls;
    const merged = calls.find(({ arguments: text }) => isSeveralObjects(text));
    if (merged !== undefined) {
      const expected = 'the arguments of each call by themselves';
      throw new ExpectationFailed(expected, `those of two in one: ${merged.arguments}`, called);
    }
    if (calls.length === 1) throw new NothingToJudge('the model made one call');
    const ids = calls.flatMap(({ id }) => (id === null ? [] : [id]));
    const twice = ids.filter((id, n) => ids.indexOf(id) !== n);
    expectValue(twice, { as: 'ids that two calls have', of: called }).toEqual([]);
  },
}));

check.each('generation/tools.result-served', (protocol: StreamingProtocol) => ({
  on: answered[protocol],
  judge: ({ called, answer }) => {
    const problem = problemOf(called, protocol);
    if (problem !== null)
      throw new Inconclusive(`what was sent back is no call: ${problem}`, called);
    if (answer === null) throw new Inconclusive('the call came in no body to send back', called);
    expect(answer).toBeServed();
  },
}));

check.each('generation/tools.result-read', (protocol: StreamingProtocol) => ({
  on: answered[protocol],
  judge: ({ called, answer }) => {
    callsOf(called, protocol);
    if (answer === null) throw new Inconclusive('the call came in no body to send back', called);
    // The call goes back twice, each time with a result.
    expectCounted(2 * toolResultWords, answer, called);
  },
}));
