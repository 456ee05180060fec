import { type Exchange, endsTurn, type Io, scenario, textAt } from '../../../harness/index.ts';
import { type Spoken, saying, spoken } from '../generations/conversations.ts';

/**
 * A second `response.create` sent immediately after a first one with every part of a conversation, and the end of
 * each turn. If only the first ended before the timeout, two more connections repeat the attempt.
 */
export const overlapping = scenario(
  'websocket/connection/overlapping',
  {
    needs: { model: { speaks: 'responses', supports: ['websocket'] } },
    after: { spoken: spoken.responses },
    cost: { requests: 3, generations: 2, fallback: 4, outputTokens: 64 },
  },
  async (io, { spoken }) => {
    const first = await overlapped(io, spoken);
    const again: Overlapped[] = [];
    while (isSilent(first) && again.length < 2) again.push(await overlapped(io, spoken));
    return { ...first, again, spoken, model: io.model.id };
  },
);

interface Overlapped {
  readonly talk: Exchange;
  readonly ends: readonly string[];
}

async function overlapped(
  { longTexts, responses, text, word }: Io,
  spoken: Spoken,
): Promise<Overlapped> {
  const session = await responses.connect();
  const ends: string[] = [];
  const inputs = [text(40, word()), text(40, word())] as const;
  const second = saying(longTexts, 'responses', spoken, inputs[1]);
  for (const said of [{ input: inputs[0] }, second]) {
    session.send(responses.frame({ ...said, max_output_tokens: 64 }));
  }
  await session.receive(({ json }) => {
    const type = textAt(json, 'type');
    if (type !== null && endsTurn(type)) ends.push(type);
    return ends.length === 2;
  });
  return { talk: await session.exchange(), ends };
}

/** True if one turn ended, and the other got no answer before the timeout. */
export function isSilent({ talk, ends }: Overlapped): boolean {
  return talk.failure?.kind === 'timeout' && ends.length === 1;
}
