import {
  each,
  isRefused,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../../harness/index.ts';
import { baselineOf } from '../baselines.ts';
import { clientForms, costOf, sendInForms } from '../requests/client-forms.ts';
import { askingBeyond, generation, storing } from './generation-calls.ts';

/** The baseline request with a system prompt; over Chat Completions a longer one, with the older limit. */
export const systemPrompt = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/system-prompt/${protocol}`,
    {
      after: { baseline: baselineOf[protocol] },
      cost: { requests: 3, generations: 1, fallback: 2 },
    },
    async (io, { baseline: { baseline: without, input: short } }) => {
      const { asking, create } = generation[protocol];
      const limit = io.target.limits.maxOutputTokens;
      // Many clients still send the older name of the limit.
      const older = protocol === 'chat-completions' && {
        ...{ max_completion_tokens: undefined, max_tokens: limit },
      };
      const input = older ? askingBeyond(limit, io) : short;
      // A stored response can be continued without its instructions.
      const body = { ...asking(input, limit), ...storing(protocol) };
      const told = protocolModules[protocol].request.toldBefore(io.longTexts.system, input);
      const both = await create(io, { ...body, ...told, ...older });
      if (!older || !isRefused(both)) return { without, prompted: both, limited: both, limit };
      const prompted = await create(io, { ...body, ...told });
      const limited = isRefused(prompted) ? await create(io, { ...body, ...older }) : both;
      return { without, prompted, limited, limit };
    },
  ),
);

/** A request with a two-part system prompt, and an equivalent request in another form. */
export const otherForm = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/equivalent-form/${protocol}`,
    {
      after: { system: systemPrompt[protocol], baseline: baselineOf[protocol] },
      cost: costOf(clientForms.second, { requests: 1, generations: 1 }),
    },
    async (io, { system: { prompted }, baseline: { input } }) => {
      const { asking, create } = generation[protocol];
      const body = asking(input, io.target.limits.maxOutputTokens);
      const { firstTurn, system } = io.longTexts;
      const texts = [input, firstTurn];
      const told = inTwo(system);
      const inOtherWords = protocolModules[protocol].request.toldOtherwise(told, texts);
      // Responses are stored, so that a check can also look up their input.
      const { answer, clients } = await sendInForms(io, clientForms.second, (as) =>
        create(io, { ...body, ...inOtherWords, ...storing(protocol) }, as),
      );
      return { prompted, other: answer, clients, texts: [...told, ...texts] };
    },
  ),
);

/** Splits a text into two halves at the end of a sentence. */
function inTwo(text: string): readonly string[] {
  const sentences = text.split(/(?<=\.) /);
  const half = sentences.length / 2;
  return [sentences.slice(0, half), sentences.slice(half)].map((some) => some.join(' '));
}
