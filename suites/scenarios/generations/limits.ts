import {
  type Call,
  type CallOptions,
  type Exchange,
  each,
  type Fields,
  json,
  over,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  type View,
  view,
} from '../../../harness/index.ts';
import { baseline, besidesText } from '../baselines.ts';
import {
  clientForms,
  costOf,
  type InForms,
  sendInForms,
  streamedAt,
  withLimit,
} from '../requests/request-forms.ts';
import { longLimit } from '../stored/stored-responses.ts';
import {
  type Conversing,
  conversations,
  conversing,
  saying,
  spoken,
  type Truncated,
  type TruncatedConversation,
} from './conversations.ts';
import { askingBeyond, generation, ofOtherUser } from './generation-calls.ts';

interface AsClients {
  readonly clients: InForms;
}

/** Truncated answers in one JSON body: those to conversations of several turns. */
export const truncated: Readonly<Record<Conversing, View<Truncated & AsClients>>> = each(
  conversing,
  (protocol) =>
    view({ said: conversations[protocol] }, ({ said: { severalTurns, clients, limit } }) => ({
      answer: severalTurns,
      ...{ clients, limit },
    })),
);

const ofStreams = ['accept-json', 'http-2'] as const;

export const truncatedStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/truncated-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: [over('stream', protocol)] } },
      after: { spoken: spoken[protocol] },
      together: protocol,
      cost: costOf(ofStreams, { requests: 1, generations: 1 }),
    },
    async (io, { spoken }): Promise<TruncatedConversation & AsClients> => {
      const limit = io.target.limits.maxOutputTokens;
      const { asking, stream } = generation[protocol];
      const input = askingBeyond(limit, io);
      const body = { ...asking(input, limit), ...saying(io.longTexts, protocol, spoken, input) };
      // Another user's stream meets those of the owner, but where it has to be stored or to read a cached prefix.
      const isOwn = protocol === 'responses' || protocol === 'generative';
      const user = isOwn ? {} : ofOtherUser(io);
      const send = (as: CallOptions) =>
        stream(io, { ...body, ...besidesText[protocol] }, { ...user, ...as });
      return {
        ...(await sendInForms(io, ofStreams, send)),
        limit,
        spoken,
        model: io.model.id,
      };
    },
  ),
);

/**
 * One JSON body with snake_case member names such as `generation_config`, as the protocol definition spells them.
 * The JSON form of protocol buffers accepts both spellings.
 */
export const truncatedInSnakeCase = scenario(
  'generations/truncated-in-snake-case',
  { after: { spoken: spoken.generative }, cost: { requests: 1, generations: 1 } },
  async (io, { spoken }): Promise<TruncatedConversation> => {
    const limit = io.target.limits.maxOutputTokens;
    const input = askingBeyond(limit, io);
    const { asking, create } = generation.generative;
    const body = { ...asking(input, limit), ...saying(io.longTexts, 'generative', spoken, input) };
    const answer = await create(io, { generationConfig: undefined, ...snakeCased(body) });
    return { answer, limit, spoken, model: io.model.id };
  },
);

function snakeCased(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      json.isObject(value) ? snakeCased(value) : value,
    ]),
  );
}

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
      if (!model.supports.includes(over('stream', protocol))) {
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
  return { events: 1, holding: (data: string) => isText(textOf(json.parsed(data))) };
}

function isText(text: unknown): boolean {
  return typeof text === 'string' && text !== '';
}
