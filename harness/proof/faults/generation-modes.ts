import type { Call } from '../../reference/call.ts';
import type { DialectName } from '../../reference/dialect.ts';
import type { JsonObject } from '../../reference/json.ts';
import type { Defect } from '../../reference/seams.ts';
import { changed, memberAt, set } from '../editing.ts';
import { bodies, eachData, eachEvent } from '../planting.ts';
import type { Fault } from './fault.ts';
import { limited } from './generations.ts';
import { responseAt } from './response-bodies.ts';

// What is right of an answer in one body, and wrong of one that was asked for in another way.

type Override = Defect['override'];
type Change = (answer: JsonObject) => JsonObject;

/** One way to ask for an answer, and what of its answers a fault can change. */
interface Way {
  readonly asked: string;
  readonly isAsked: (call: Call) => boolean;
  /** Rewrites what says how the answer came out: a whole response, or the data of an event. */
  readonly answers: (change: Change) => Override;
  /** The answer was not cut short. */
  readonly untold: Change;
  /** The usage, and the total and the count of the output in it; null where there is no total. */
  readonly total: string | null;
  readonly output: string;
}

const response = {
  total: 'usage.total_tokens',
  output: 'usage.output_tokens',
  untold: (body: JsonObject): JsonObject =>
    body.status === 'incomplete'
      ? { ...body, status: 'completed', incomplete_details: null }
      : body,
};

/** Rewrites the response in each event that has one, and names the event after its status. */
function responseEvents(isAsked: (call: Call) => boolean): Way['answers'] {
  return (change) =>
    eachEvent('responses', ({ call }) => (event) => {
      const { data } = event;
      if (!isAsked(call) || typeof data === 'string') return event;
      const next = changed(data, 'response', (old) => change(Object(old)));
      const name = `response.${memberAt(next, 'response.status')}`;
      const ends = data.type === 'response.incomplete';
      if (memberAt(data, 'response') === undefined) return event;
      return ends ? { name, data: set(next, 'type', name) } : { ...event, data: next };
    });
}

const isPlainStream = ({ operation, body }: Call): boolean =>
  operation === 'responses.create' && body.stream === true && body.background !== true;
const isSocket = ({ operation }: Call): boolean => operation === 'responses.websocket';
const isBackground = ({ body }: Call): boolean => body.background === true;
const isContinuation = ({ operation, body }: Call): boolean =>
  operation === 'responses.create' && typeof body.previous_response_id === 'string';

function streamed(dialect: DialectName, reason: string, whole: readonly [string, string]) {
  const [cut, complete] = whole;
  return {
    asked: `${dialect}-stream`,
    isAsked: ({ dialect: { name }, body, operation }: Call) =>
      name === dialect && (body.stream === true || operation === 'generative.stream'),
    answers: (change: Change) => eachData(dialect, change),
    untold: (data: JsonObject) =>
      memberAt(data, reason) === cut ? set(data, reason, complete) : data,
  };
}

const ways: readonly Way[] = [
  {
    asked: 'responses-stream',
    isAsked: isPlainStream,
    answers: responseEvents(isPlainStream),
    ...response,
  },
  {
    ...streamed('chat-completions', 'choices.0.finish_reason', ['length', 'stop']),
    total: 'usage.total_tokens',
    output: 'usage.completion_tokens',
  },
  {
    ...streamed('messages', 'delta.stop_reason', ['max_tokens', 'end_turn']),
    total: null,
    output: 'usage.output_tokens',
  },
  {
    ...streamed('generative', 'candidates.0.finishReason', ['MAX_TOKENS', 'STOP']),
    total: 'usageMetadata.totalTokenCount',
    output: 'usageMetadata.candidatesTokenCount',
  },
  { asked: 'websocket', isAsked: isSocket, answers: responseEvents(isSocket), ...response },
  {
    asked: 'background',
    isAsked: isBackground,
    answers: (change) => responseAt(['responses.lookup'], 'background', change),
    ...response,
  },
  {
    asked: 'continuation',
    isAsked: isContinuation,
    answers: (change) =>
      bodies('responses.response', (body, { call }) =>
        isContinuation(call) ? change(body) : body,
      ),
    ...response,
  },
];

/** Which calls are which way to ask. */
export const waysAsked: readonly Pick<Way, 'asked' | 'isAsked'>[] = ways;

export const generationModeFaults: readonly Fault[] = ways.flatMap((way): Fault[] => {
  const { asked, isAsked, answers, untold, total, output } = way;
  const faults: Fault[] = [
    {
      id: `limits.ignored-on-${asked}`,
      what: `The output limit is forgotten on the way of a ${asked}.`,
      breaks: [`generation/limits.kept-by-creation-mode:${asked}`],
      override: limited(isAsked, () => null),
    },
    {
      id: `limits.untold-on-${asked}`,
      what: `An answer that its limit cut short ends as if it were whole, on the way of a ${asked}.`,
      breaks: [`generation/limits.reported-by-creation-mode:${asked}`],
      override: answers(untold),
    },
  ];
  if (total !== null) {
    faults.push({
      id: `metering.wrong-total-on-${asked}`,
      what: `The total of the usage counts one token too many, on the way of a ${asked}.`,
      breaks: [`generation/usage.adds-up-by-creation-mode:${asked}`],
      override: answers((answer) => counted(answer, total, 1)),
    });
  }
  if (way.untold === response.untold) {
    faults.push({
      id: `metering.no-usage-on-${asked}`,
      what: `A response does not show its usage, on the way of a ${asked}.`,
      breaks: [`generation/usage.reported-by-creation-mode:${asked}`],
      override: answers((answer) => ({ ...answer, usage: null })),
    });
  }
  if (!asked.endsWith('-stream') && total !== null) {
    faults.push({
      id: `metering.output-uncounted-on-${asked}`,
      what: `The usage shows no tokens of the output, on the way of a ${asked}.`,
      breaks: [`generation/usage.counts-output-by-creation-mode:${asked}`],
      override: answers((answer) => {
        const count = memberAt(answer, output);
        if (typeof count !== 'number') return answer;
        return set(counted(answer, total, -count), output, 0);
      }),
    });
  }
  return faults;
});

/** With so many tokens more, where there is a count. */
function counted(answer: JsonObject, path: string, more: number): JsonObject {
  const count = memberAt(answer, path);
  return typeof count === 'number' ? set(answer, path, count + more) : answer;
}
