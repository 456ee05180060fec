import { type Exchange, endsTurn, type Io, scenario, textAt } from '../../../harness/index.ts';
import { type Spoken, saying, spoken } from '../generations/whole-conversations.ts';

/**
 * A second `response.create` sent right behind a first one, and how both ended. It says all that can be said. Where
 * the first ended, and then nothing came until the time ran out: the same on two more connections.
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

/** One turn was served, and the other got nothing until the time ran out. */
export function isSilent({ talk, ends }: Overlapped): boolean {
  return talk.failure?.kind === 'timeout' && ends.length === 1;
}
