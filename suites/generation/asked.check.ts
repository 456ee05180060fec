import {
  type Ask,
  checkEach,
  constantArgument,
  type Exchange,
  ExpectationFailed,
  ending,
  expect,
  isServed,
  NothingToJudge,
  outputItems,
  over,
  present,
  promptTokens,
  protocolModules,
  type StreamingProtocol,
  toolCalls,
  type View,
  view,
} from '../../harness/index.ts';
import { called, calledInStream } from '../scenarios/generations/tool-calls.ts';
import { askedFor } from './asked-requests.ts';
import { type Shown, shownBy } from './shown.ts';

/** How the catalogue names what can be asked for beside a text. */
const asks = {
  stop: 'stop',
  'structured-output': 'structured_output',
  logprobs: 'logprobs',
  candidates: 'candidates',
  images: 'images',
} as const satisfies Readonly<Record<string, Ask>>;

type Asked = keyof typeof asks | 'tool-choice' | 'tools';

/** What one thing that was asked for is judged on. */
interface Subject {
  /** Null: the target file says that the model does it. */
  readonly undeclared: string | null;
  readonly answers: readonly Exchange[];
  /** The same without asking for it; null where none was refused. */
  readonly control: Exchange | null;
  shown(answer: Exchange): Shown;
}

function subject(protocol: StreamingProtocol, asked: Asked): View<Subject> {
  if (asked === 'tool-choice') {
    return view({ called: called[protocol] }, ({ called: { called } }) => ({
      ...declared(called),
      shown: (answer) => forcedCallIn(answer, protocol),
    }));
  }
  if (asked === 'tools') {
    return view({ offered: calledInStream[protocol] }, ({ offered: { called } }) => ({
      ...declared(called),
      shown: (answer) => offeredCallIn(answer, protocol),
    }));
  }
  const ask = asks[asked];
  return view({ asked: askedFor[protocol] }, ({ asked }) => {
    const { model, answers, without, control } = present(asked.get(ask), `request for ${ask}`);
    const isDeclared = model.supports.includes(over(ask, protocol));
    const undeclared = isDeclared ? null : `${model.id} is not said to support \`${ask}\``;
    return {
      undeclared,
      answers,
      control,
      shown: (answer) => shownBy(answer, ask, protocol, without),
    };
  });
}

/** Tools are asked of models only that are said to support them. */
function declared(answer: Exchange) {
  return { undeclared: null, answers: [answer], control: null };
}

checkEach('generation/asked.supported-served', (protocol: StreamingProtocol, asked: Asked) => ({
  on: subject(protocol, asked),
  judge: ({ undeclared, answers, shown }) => {
    if (undeclared !== null) throw new NothingToJudge(undeclared);
    for (const answer of answers) expect(answer).toBeServed();
    expectDone(answers, shown);
  },
}));

checkEach('generation/asked.not-ignored', (protocol: StreamingProtocol, asked: Asked) => ({
  on: subject(protocol, asked),
  judge: ({ answers, control, shown }) => {
    const served = answers.filter((one) => isServed(one));
    for (const answer of answers) {
      if (served.includes(answer)) continue;
      expect(answer).toBeRefused({ capability: true, control: control ?? [] });
    }
    expectDone(served, shown);
  },
}));

function expectDone(answers: readonly Exchange[], shown: Subject['shown']): void {
  const all = answers.map((answer) => ({ answer, ...shown(answer) }));
  for (const one of all) {
    if (one.state === 'not done') {
      throw new ExpectationFailed(one.expected, one.actual, one.answer);
    }
  }
  if (all.some(({ state }) => state === 'done')) return;
  for (const one of all) if (one.state === 'open') throw new NothingToJudge(one.why);
}

/** In whatever form it comes: that is judged by itself. */
function isCalled(answer: Exchange, protocol: StreamingProtocol): boolean {
  const { callsIn } = protocolModules[protocol].tools;
  return toolCalls(answer).length > 0 || outputItems(answer).flatMap(callsIn).length > 0;
}

/** The request leaves the model no choice. */
function forcedCallIn(answer: Exchange, protocol: StreamingProtocol): Shown {
  if (isCalled(answer, protocol)) return { state: 'done' };
  if (ending(answer) === protocolModules[protocol].endings.limit) {
    return { state: 'open', why: 'the answer came to its limit before it called' };
  }
  const actual = `an answer without any, that ended with ${ending(answer)}`;
  return { state: 'not done', expected: 'the call that the request forces', actual };
}

/**
 * Whether to call is for the model to say, but whether it has been told of the function shows in what it
 * was charged for: no tokenizer puts two words into one token.
 */
function offeredCallIn(answer: Exchange, protocol: StreamingProtocol): Shown {
  if (isCalled(answer, protocol)) return { state: 'done' };
  const words = constantArgument.split(' ').length;
  const tokens = promptTokens(answer);
  if (tokens === null || tokens >= words) {
    return { state: 'open', why: `the model made no call: it ended with ${ending(answer)}` };
  }
  return {
    state: 'not done',
    expected: `a call, or ${words} input tokens at least: so many words the function has`,
    actual: `no call, and ${tokens} input tokens`,
  };
}
