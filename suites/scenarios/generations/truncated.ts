import {
  type CallOptions,
  type Exchange,
  each,
  type Fields,
  isObject,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  streamOver,
  type View,
  view,
} from '../../../harness/index.ts';
import { besidesText } from '../baseline-streams.ts';
import { costOf, type InForms, sendInForms } from '../requests/client-forms.ts';
import { type Conversing, conversations, conversing } from './conversations.ts';
import { askingBeyond, generation, ofOtherUser } from './generation-calls.ts';
import { type Spoken, saying, spoken } from './whole-conversations.ts';

/** An answer to a prompt that needs far more tokens than the limit: only such an answer shows the limit. */
export interface Truncated {
  readonly answer: Exchange;
  readonly limit: number;
}

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

/** Truncated answer to a whole conversation rather than to a single turn. */
export interface TruncatedConversation extends Truncated {
  readonly spoken: Spoken;
  /** Model that the request names. */
  readonly model: string;
}

const ofStreams = ['accept-json', 'http-2'] as const;

export const truncatedStream = each(streamingProtocols, (protocol: StreamingProtocol) =>
  scenario(
    `generations/truncated-stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: [streamOver(protocol)] } },
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
      isObject(value) ? snakeCased(value) : value,
    ]),
  );
}
