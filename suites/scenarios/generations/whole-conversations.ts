import {
  type Captures,
  type Exchange,
  each,
  type Fields,
  type Io,
  isServed,
  protocolModules,
  type StreamingProtocol,
  streamingProtocols,
  view,
} from '../../../harness/index.ts';
import { baselineOf } from '../baselines.ts';
import { conversationInput, conversations, conversing } from './conversations.ts';
import { earlierTurns } from './generation-calls.ts';
import { otherForm, systemPrompt } from './system-prompts.ts';

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
