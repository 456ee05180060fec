import {
  answerOf,
  type Captures,
  contentOf,
  type Exchange,
  each,
  eachStream,
  type Fields,
  type Io,
  idOf,
  isRefused,
  isServed,
  json,
  over,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../../harness/index.ts';
import { present } from '../exchanges.ts';
import { clientForms, costOf, type InForms, sendInForms } from '../requests/request-forms.ts';
import {
  callLimitAt,
  featuredCost,
  generation,
  longText,
  longTextWords,
  sendCarried,
  storing,
} from './generation-calls.ts';

/** Request for a call in one JSON body, and its answer. */
interface Asked {
  readonly fields: Fields;
  readonly answer: Exchange;
}

interface Called {
  /** Answer with the call, or the last answer if none has a call. */
  readonly called: Exchange;
  /** Members of the request that got `called`. */
  readonly fields: Fields;
  readonly model: string;
  /** All attempts in order: forced call first, free choice last. */
  readonly tried: readonly Asked[];
}

/**
 * A function call that the request forces, in one JSON body; on Responses it is stored. A model may refuse a forced
 * call while it thinks, or answer in prose. The next attempt requires any call, and the last one leaves the model
 * free to choose.
 */
export const called = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/called/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools'] } },
      cost: (target) => ({
        requests: 3,
        generations: 1,
        fallback: 2,
        outputTokens: callLimitAt(target),
      }),
    },
    async (io): Promise<Called> => {
      const { forcedCall, requiredCall, offered } = protocolModules[protocol].tools;
      const tried: Asked[] = [];
      const question = io.callQuestion();
      for (const asking of [forcedCall, requiredCall, offered]) {
        const fields = asking(callLimitAt(io.target), question);
        const answer = await generation[protocol].create(io, { ...fields, ...storing(protocol) });
        tried.push({ fields, answer });
        if (!declines(answer, protocol)) break;
      }
      const last = present(tried.at(-1), 'request for a call');
      return { called: last.answer, fields: last.fields, model: io.model.id, tried };
    },
  ),
);

/** Offers the function and prompts for a call, but forbids calls; in one JSON body. */
export const forbidden = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/call-forbidden/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools'] } },
      cost: (target) => featuredCost(target, 1),
    },
    (io) => {
      const { forbiddenCall } = protocolModules[protocol].tools;
      const plain = () =>
        generation[protocol].create(io, forbiddenCall(callLimitAt(io.target), io.callQuestion()));
      return sendCarried(io, protocol, 'call-forbidden', plain);
    },
  ),
);

/** True if an answer holds a call in any form, because other checks judge the form. */
export function isCalled(answer: Exchange, protocol: StreamingProtocol): boolean {
  const { callsIn } = protocolModules[protocol].tools;
  return (
    contentOf(answer).toolCalls.length > 0 || contentOf(answer).items.flatMap(callsIn).length > 0
  );
}

/** True if a model made no call, but may make one when the request is phrased differently. */
function declines(answer: Exchange, protocol: StreamingProtocol): boolean {
  if (isRefused(answer, { capability: true })) return true;
  const { limit } = protocolModules[protocol].endings;
  return isServed(answer) && !isCalled(answer, protocol) && contentOf(answer).ending !== limit;
}

/** Streamed answer to an offer of the function. */
interface CalledInStream extends Pick<Called, 'called' | 'model'> {
  readonly clients: InForms;
}

/** Offers the same function and requests a call, as a stream. */
export const calledInStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/called-in-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools', over('stream', protocol)] } },
      cost: (target) => ({
        ...costOf(clientForms.first, { requests: 1, generations: 1 }),
        outputTokens: callLimitAt(target),
      }),
    },
    async (io): Promise<CalledInStream> => {
      const { tools, stream } = protocolModules[protocol];
      const body = {
        ...tools.offered(callLimitAt(io.target), io.callQuestion()),
        ...stream.askingForUsage,
      };
      const { clients, answer } = await sendInForms(io, clientForms.first, (as) =>
        generation[protocol].stream(io, body, as),
      );
      return { called: answer, clients, model: io.model.id };
    },
  ),
);

/** A call in one JSON body, or as a stream. */
export type CallForm = StreamingProtocol | `${StreamingProtocol}-stream`;

export const calledBy: Readonly<Record<CallForm, Captures<Pick<Called, 'called' | 'model'>>>> = {
  ...called,
  ...eachStream((protocol) => calledInStream[protocol]),
};

/**
 * Returns the result of the function. It is far longer than a call, so that the usage shows that the gateway read it.
 */
function toolResult(texts: Io['longTexts']): string {
  return `${longText(texts)} ${longText(texts)}`;
}

export const toolResultWords = 2 * longTextWords;

/** Sends the call and one like it back, each with its result. Null if the model made no call. */
export const answered = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/tool-result/${protocol}`,
    {
      after: { call: called[protocol] },
      cost: (target) => featuredCost(target, 1),
    },
    async (io, { call }) => {
      const { withResults } = protocolModules[protocol].tools;
      const body = withResults(call.fields, answerOf(call.called).value, toolResult(io.longTexts));
      if (body === null) return { called: call.called, answer: null };
      const plain = () => generation[protocol].create(io, body);
      const { answer } = await sendCarried(io, protocol, 'tool-result', plain, { body });
      return { called: call.called, answer };
    },
  ),
);

/** Continues the stored call with its result alone. Null if no call has an id for the result. */
export const continuedWithResult = scenario(
  'stored/continued-with-tool-result',
  {
    after: { call: called.responses },
    cost: (target) => ({
      requests: 1,
      generations: 1,
      continues: 1,
      outputTokens: callLimitAt(target),
    }),
  },
  async ({ longTexts, responses, target }, { call: { called } }) => {
    const { callsIn, offered } = protocolModules.responses.tools;
    const ids = contentOf(called)
      .items.flatMap(callsIn)
      .map((call) => json.text(call, 'call_id'));
    const result = toolResult(longTexts);
    if (ids.length === 0 || ids.includes(null)) return { called, result, next: null };
    const input = ids.map((id) => ({ type: 'function_call_output', call_id: id, output: result }));
    const body = { ...offered(callLimitAt(target)), input, store: true };
    return {
      called,
      result,
      next: await responses.create({ ...body, previous_response_id: idOf(called) }),
    };
  },
);
