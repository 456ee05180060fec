import {
  each,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
} from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { clientForms, costOf, sendInForms } from '../requests/client-forms.ts';
import { generation, storing } from './generation-calls.ts';

/** The baseline request with a system prompt. */
export const systemPrompt = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/system-prompt/${protocol}`,
    {
      after: { baseline: baseline[mainEndpoint[protocol]] },
      cost: { requests: 1, generations: 1 },
    },
    async (io, { baseline: { baseline: without, input } }) => {
      const { asking, create } = generation[protocol];
      const body = asking(input, io.target.limits.maxOutputTokens);
      const prompted = protocolModules[protocol].request.toldBefore(io.longTexts.system, input);
      return { without, prompted: await create(io, { ...body, ...prompted }) };
    },
  ),
);

/** A request with a two-part system prompt, and an equivalent request in another form. */
export const otherForm = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/equivalent-form/${protocol}`,
    {
      after: { system: systemPrompt[protocol], baseline: baseline[mainEndpoint[protocol]] },
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
