import {
  type Call,
  type Exchange,
  each,
  parsed,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamOver,
} from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { withLimit } from '../requests/bad-bodies.ts';
import { clientForms, costOf, type InForms, sendInForms } from '../requests/client-forms.ts';
import { streamedAt } from '../requests/request-modes.ts';
import { longLimit } from '../running/long-runs.ts';
import { generation } from './generation-calls.ts';

/** Protocols whose output limit is optional. Interrupted streams of Responses have none, either. */
const limited = ['chat-completions', 'generative'] as const;

/**
 * A generation without an output limit, as the specification asks of every client. If the model streams, the suite
 * disconnects at the first text: nothing else limits the cost of the generation.
 */
export const unlimited = each(limited, (protocol) => {
  const plain = protocolModules[protocol].mainEndpoint;
  return scenario(
    `generations/unlimited/${protocol}`,
    {
      after: { baseline: baseline[plain] },
      together: protocol,
      cost: { ...costOf(clientForms.second, { requests: 1, generations: 1 }), outputTokens: null },
    },
    async (io): Promise<{ readonly answer: Exchange; readonly clients: InForms }> => {
      const { ask, model } = io;
      const { name, form } = streamedAt(protocol);
      const { request } = protocolModules[protocol];
      const without = (call: Call): Call => withLimit(call, request.outputLimit, undefined);
      if (!model.supports.includes(streamOver(protocol))) {
        return sendInForms(io, clientForms.second, (as) => ask(plain, { change: without }, as));
      }
      const cut = atText(protocol);
      const change = (call: Call): Call => form(without(call));
      return sendInForms(io, clientForms.second, (as) => ask(name, { change }, { cut, ...as }));
    },
  );
});

/** A stream of Messages, which requires a limit; the suite disconnects at its first text. */
export const droppedMessages = scenario(
  'generations/dropped/messages',
  {
    needs: { model: { speaks: 'messages', supports: ['stream:messages'] } },
    together: 'messages',
    cost: (target) => ({ requests: 1, generations: 1, outputTokens: longLimit(target) }),
  },
  async (io): Promise<{ readonly answer: Exchange }> => {
    const { asking } = generation.messages;
    const body = asking(io.text(400, io.word()), longLimit(io.target));
    return { answer: await io.messages.stream(body, { cut: atText('messages') }) };
  },
);

/** Returns the cut of a stream at its first text. */
function atText(protocol: StreamingProtocol) {
  const { textOf } = protocolModules[protocol].stream;
  return { events: 1, holding: (data: string) => isText(textOf(parsed(data))) };
}

function isText(text: unknown): boolean {
  return typeof text === 'string' && text !== '';
}
