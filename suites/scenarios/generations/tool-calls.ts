import {
  callLimit,
  type Exchange,
  each,
  idOf,
  jsonBody,
  outputItems,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
  textAt,
} from '../../../harness/index.ts';
import { clientForms, costOf, type InForms, sendInForms } from '../requests/client-forms.ts';
import { firstAnswer, firstTurn, systemText } from './counted-input.ts';
import { generation } from './generation-calls.ts';

/** A function call that the request forces, in one body; on Responses it is stored. */
export const called = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/called/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools'] } },
      cost: { requests: 1, generations: 1, outputTokens: callLimit },
    },
    async (io): Promise<{ readonly called: Exchange }> => {
      const stored = protocol === 'responses' ? { store: true } : {};
      const body = { ...protocolModules[protocol].tools.forcedCall(), ...stored };
      return { called: await generation[protocol].create(io, body) };
    },
  ),
);

/** The same function offered, and asked for; as a stream. */
export const calledInStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/called-in-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: ['tools', streamOver(protocol)] } },
      cost: {
        ...costOf(clientForms.first, { requests: 1, generations: 1 }),
        outputTokens: callLimit,
      },
    },
    async (io): Promise<{ readonly called: Exchange; readonly clients: InForms }> => {
      const { tools, stream } = protocolModules[protocol];
      const body = { ...tools.offered(), ...stream.askingForUsage };
      const { clients, answer } = await sendInForms(io, clientForms.first, (as) =>
        generation[protocol].stream(io, body, as),
      );
      return { called: answer, clients };
    },
  ),
);

/** What the function says. It is far longer than a call, so that the usage shows whether it was read. */
export const toolResult = [firstTurn, firstAnswer, systemText].join(' ').repeat(2);

/** The call, sent back with its result. Null when the model made none. */
export const answered = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generation/tool-result/${protocol}`,
    {
      after: { call: called[protocol] },
      cost: { requests: 1, generations: 1, outputTokens: callLimit },
    },
    async (io, { call }) => {
      const { forcedCall, withResult } = protocolModules[protocol].tools;
      const body = withResult(forcedCall(), jsonBody(call.called), toolResult);
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
    cost: { requests: 1, generations: 1, continues: 1, outputTokens: callLimit },
  },
  async ({ responses }, { call: { called } }) => {
    const { callsIn, forcedCall } = protocolModules.responses.tools;
    const ids = outputItems(called)
      .flatMap(callsIn)
      .map((call) => textAt(call, 'call_id'));
    if (ids.length === 0 || ids.includes(null)) return { called, next: null };
    const input = ids.map((id) => ({
      type: 'function_call_output',
      call_id: id,
      output: toolResult,
    }));
    const body = { ...forcedCall(), tool_choice: undefined, input };
    return {
      called,
      next: await responses.create({ ...body, previous_response_id: idOf(called) }),
    };
  },
);
