import {
  answerId,
  type Exchange,
  ending,
  isServed,
  listAt,
  outputItems,
  scenario,
  textAt,
} from '../../harness/index.ts';
import { requestBody } from '../scenarios/exchanges.ts';
import { type Look, lastLook, turnsIn } from '../scenarios/last-look.ts';

/** Input items of a stored response at the end of a run. */
interface LastRead {
  /** Traits of the response that no other one of these has. */
  readonly words: string;
  readonly items: Exchange;
}

/** Maximum number of responses whose input is read. */
const most = 10;

/**
 * Reads the input of some of the responses that other scenarios made. They are chosen so that each trait of what a run
 * stores is among them: the members of the request, the kinds of items in input and output, the ending, a cut
 * connection, a deleted parent.
 */
export const lastReads = scenario(
  'last-reads',
  {
    last: true,
    after: { looks: lastLook },
    cost: { requests: most, generations: 0, chain: 1 },
  },
  async (io, { looks }): Promise<readonly LastRead[]> => {
    const turns = turnsIn(await io.sent());
    const made = new Map(turns.map((turn) => [answerId(turn), turn] as const));
    const gone = new Set(looks.filter(({ seen }) => seen === 'deleted').map(({ id }) => id));
    const here = io.target.regions[0]?.name;
    const kinds = looks.flatMap((look) => {
      const turn = made.get(look.id);
      const isThere = look.seen === 'there' || look.seen === 'cancelled';
      if (turn === undefined || turn.about.region !== here) return [];
      if (!isThere || !isServed(look.now)) return [];
      return [{ look, traits: traitsOf(look, turn, gone) }];
    });
    const reads = fewest(kinds).map(async ({ one: { look }, traits }) => {
      const items = await io.lane(look.id).responses.inputItems(look.id);
      return { words: traits.join(', '), items };
    });
    return Promise.all(reads);
  },
);

/** Members that say nothing of the kind of a response. */
const common: ReadonlySet<string> = new Set(['type', 'model', 'input', 'store']);

function traitsOf({ now }: Look, turn: Exchange, gone: ReadonlySet<string>): readonly string[] {
  const body = requestBody(turn) ?? {};
  const previous = textAt(body, 'previous_response_id');
  const members = Object.keys(body).filter((name) => !common.has(name));
  return [
    ...members,
    ...listAt(body, 'input').map((item) => `input of ${textAt(item, 'type') ?? 'a message'}`),
    ...outputItems(now).map((item) => `output of ${textAt(item, 'type')}`),
    `${ending(now)}`,
    ...(turn.socket === null ? [] : ['over WebSocket']),
    ...(turn.failure === null ? [] : ['cut']),
    ...(previous !== null && gone.has(previous) ? ['of a deleted one'] : []),
  ];
}

interface OfKind {
  readonly traits: readonly string[];
}

/** Returns few of them that have all traits, each with those that none before it has. */
function fewest<One extends OfKind>(
  all: readonly One[],
): { readonly one: One; readonly traits: readonly string[] }[] {
  const chosen: { one: One; traits: readonly string[] }[] = [];
  const had = new Set<string>();
  const newIn = ({ traits }: OfKind) => [...new Set(traits)].filter((one) => !had.has(one));
  while (chosen.length < most) {
    const [one] = all.toSorted((a, b) => newIn(b).length - newIn(a).length);
    const traits = one === undefined ? [] : newIn(one);
    if (one === undefined || traits.length === 0) break;
    chosen.push({ one, traits });
    for (const trait of traits) had.add(trait);
  }
  return chosen;
}
