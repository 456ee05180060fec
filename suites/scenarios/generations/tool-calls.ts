import {
  type Captures,
  callLimit,
  type Exchange,
  each,
  eachStream,
  ending,
  type Fields,
  idOf,
  isRefused,
  isServed,
  jsonBody,
  type LongTexts,
  outputItems,
  present,
  protocolModules,
  type StreamForm,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
  type Target,
  textAt,
  toolCalls,
} from '../../../harness/index.ts';
import { clientForms, costOf, type InForms, sendInForms } from '../requests/client-forms.ts';
import { longText, longTextWords } from './counted-input.ts';
import { generation, storing } from './generation-calls.ts';

/** Enough for calls of a small function, and for a model that thinks before it calls. */
export function callLimitAt({ limits }: Target): number {
  return Math.max(callLimit, limits.maxOutputTokens);
}

/** A request for a call in one body, and what came of it. */
interface Asked {
  /** The members that ask for it. */
  readonly fields: Fields;
  readonly answer: Exchange;
}

/** Answers to requests for a call in one body. */
interface Called {
  /** The answer with the call; or the last one, where none has any. */
  readonly called: Exchange;
  /** Members of the request that was answered. */
  readonly fields: Fields;
  readonly model: string;
  /** All that was asked: first a call that is forced, last one that the model is free to make. */
  readonly tried: readonly Asked[];
}

/**
 * A function call that the request forces, in one body; on Responses it is stored. A model may decline: it
 * refuses to be forced while it thinks, or answers in prose. Then any call is required, and at last the model is
 * free.
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

/** The function is offered and asked for, and the request forbids to call it; in one body. */
export const forbidden = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/call-forbidden/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools'] } },
      cost: (target) => ({ requests: 1, generations: 1, outputTokens: callLimitAt(target) }),
    },
    async (io) => {
      const { forbiddenCall } = protocolModules[protocol].tools;
      const body = forbiddenCall(callLimitAt(io.target), io.callQuestion());
      return { answer: await generation[protocol].create(io, body) };
    },
  ),
);

/** True if an answer holds a call in any form. Other checks judge the form. */
export function isCalled(answer: Exchange, protocol: StreamingProtocol): boolean {
  const { callsIn } = protocolModules[protocol].tools;
  return toolCalls(answer).length > 0 || outputItems(answer).flatMap(callsIn).length > 0;
}

/** True if a model made no call, and may make one if it is asked in another way. */
function declines(answer: Exchange, protocol: StreamingProtocol): boolean {
  if (isRefused(answer, { capability: true })) return true;
  const { limit } = protocolModules[protocol].endings;
  return isServed(answer) && !isCalled(answer, protocol) && ending(answer) !== limit;
}

/** Answer to an offer of the function in a stream. */
interface CalledInStream extends Pick<Called, 'called' | 'model'> {
  readonly clients: InForms;
}

/** Offers the same function, and asks for a call, as a stream. */
export const calledInStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/called-in-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools', streamOver(protocol)] } },
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

/** A call in one body, or as a stream. */
export type CallForm = StreamingProtocol | StreamForm;

/** Scenarios with a call, by its form. */
export const calledBy: Readonly<Record<CallForm, Captures<Pick<Called, 'called' | 'model'>>>> = {
  ...called,
  ...eachStream((protocol) => calledInStream[protocol]),
};

/**
 * Returns the result of the function. It is far longer than a call, so that the usage shows if it was read.
 */
function toolResult(texts: LongTexts): string {
  return `${longText(texts)} ${longText(texts)}`;
}

/** Number of words of the result. */
export const toolResultWords = 2 * longTextWords;

/** The call, sent back with its result. Null when the model made none. */
export const answered = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/tool-result/${protocol}`,
    {
      after: { call: called[protocol] },
      cost: (target) => ({ requests: 1, generations: 1, outputTokens: callLimitAt(target) }),
    },
    async (io, { call }) => {
      const { withResult } = protocolModules[protocol].tools;
      const body = withResult(call.fields, jsonBody(call.called), toolResult(io.longTexts));
      const answer = body === null ? null : await generation[protocol].create(io, body);
      return { called: call.called, answer };
    },
  ),
);

/** The stored call, continued with its result alone. Null when there is none that a result can name. */
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
    const ids = outputItems(called)
      .flatMap(callsIn)
      .map((call) => textAt(call, 'call_id'));
    const result = toolResult(longTexts);
    if (ids.length === 0 || ids.includes(null)) return { called, result, next: null };
    const input = ids.map((id) => ({
      type: 'function_call_output',
      call_id: id,
      output: result,
    }));
    const body = { ...offered(callLimitAt(target)), input, store: true };
    return {
      called,
      result,
      next: await responses.create({ ...body, previous_response_id: idOf(called) }),
    };
  },
);
