import {
  type Captures,
  type Exchange,
  each,
  type Fields,
  type Io,
  isRefused,
  isServed,
  protocolModules,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  view,
} from '../../../harness/index.ts';
import { baselineOf, conversationInput } from '../baselines.ts';
import { clientForms, costOf, sendInForms } from '../requests/request-forms.ts';
import { askingBeyond, earlierTurns, generation, storing } from './generation-calls.ts';

/** Protocols whose requests carry the whole conversation in one member. */
export const conversing = ['chat-completions', 'messages', 'generative'] as const;

export type Conversing = (typeof conversing)[number];

/** A conversation whose answer its limit truncates; the control is the baseline. */
export const conversations = each(conversing, (protocol: Conversing) =>
  scenario(
    `generation/conversations/${protocol}`,
    {
      after: { baseline: baselineOf[protocol] },
      cost: {
        ...costOf(clientForms.first, { requests: 1, generations: 1 }),
        refused: 1 + clientForms.first.length,
      },
    },
    async (io, { baseline: { baseline: control } }) => {
      const limit = io.target.limits.maxOutputTokens;
      const { create } = generation[protocol];
      const { conversation } = protocolModules[protocol].request;
      const last = { by: 'user', texts: [askingBeyond(limit, io)] } as const;
      const body = conversation([...earlierTurns(io.longTexts), last]);
      const { answer: severalTurns, clients } = await sendInForms(io, clientForms.first, (as) =>
        create(io, body, as),
      );
      return { control, severalTurns, clients, limit };
    },
  ),
);

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

/** A request in one JSON body with additional content, and the same request without it. */
interface Piece {
  readonly more: Exchange;
  readonly less: Exchange;
}

/**
 * Parts of a conversation before its last turn: a system prompt, earlier turns, a second part of the turn. Null for
 * a part that was not served in one JSON body. Other requests omit it, too.
 */
export interface Spoken {
  readonly short: Exchange;
  readonly told: Piece | null;
  readonly turns: Piece | null;
  readonly part: Piece | null;
}

const severalTurns: Readonly<Record<StreamingProtocol, Captures<Piece>>> = {
  responses: view({ conversationInput }, ({ conversationInput: { created, control } }) => ({
    more: created,
    less: control,
  })),
  ...each(conversing, (protocol) =>
    view({ conversations: conversations[protocol] }, ({ conversations: said }) => ({
      more: said.severalTurns,
      less: said.control,
    })),
  ),
};

export const spoken = each(streamingProtocols, (protocol: StreamingProtocol) =>
  view(
    {
      base: baselineOf[protocol],
      system: systemPrompt[protocol],
      other: otherForm[protocol],
      turns: severalTurns[protocol],
    },
    ({ base, system, other, turns }): Spoken => ({
      short: base.baseline,
      told: servedPiece({ more: system.prompted, less: system.without }),
      turns: servedPiece(turns),
      part: servedPiece({ more: other.other, less: other.prompted }),
    }),
  ),
);

function servedPiece(piece: Piece): Piece | null {
  return isServed(piece.more) && isServed(piece.less) ? piece : null;
}

/** Returns body members with all of these parts, followed by a last text. */
export function saying(
  longTexts: Io['longTexts'],
  protocol: StreamingProtocol,
  { told, turns, part }: Spoken,
  last: string,
): Fields {
  const { conversation, text, textValue } = protocolModules[protocol].request;
  const system = told === null ? [] : ([longTexts.system] as const);
  // No source says that Responses has to accept a list of items as input.
  if (turns === null && part === null && told === null) return { [text]: textValue(last) };
  const final = {
    by: 'user',
    texts: [...(part === null ? [] : [longTexts.firstTurn]), last],
  } as const;
  return conversation([...(turns === null ? [] : earlierTurns(longTexts)), final], ...system);
}

/** An answer to a prompt that needs far more tokens than the limit: only such an answer shows the limit. */
export interface Truncated {
  readonly answer: Exchange;
  readonly limit: number;
}

/** Truncated answer to a whole conversation rather than to a single turn. */
export interface TruncatedConversation extends Truncated {
  readonly spoken: Spoken;
  readonly model: string;
}
