import type { Compared, Sitting } from './sitting.ts';

/** A figure of the bench: a ratio of two measurements of one sitting, and the most that it should be. */
interface Figure {
  readonly name: string;
  readonly goal: number;
  /** Ratio that is reached while the goal is missed. The gate holds it. */
  readonly reached?: number;
  /** Undefined: not measured. */
  readonly ratio: (sitting: Sitting) => number | undefined;
}

/** Factor over its goal, or over what is reached, at which a figure fails the gate: machines differ, and are never quite quiet. */
const tolerance = 1.25;

const besideEmpty = ({ cpu, empty }: Compared): number => cpu / empty;

const figures: readonly Figure[] = [
  { name: '`--help` ÷ empty process', goal: 3.5, ratio: ({ help }) => besideEmpty(help) },
  { name: '`list` ÷ empty process', goal: 5, ratio: ({ list }) => besideEmpty(list) },
  {
    name: 'one free check ÷ empty process',
    goal: 15,
    ratio: ({ oneCheck }) => besideEmpty(oneCheck),
  },
  {
    name: 'whole run ÷ empty process',
    goal: 100,
    reached: 217,
    ratio: ({ whole }) => besideEmpty(whole),
  },
  {
    name: 'a request of the whole run ÷ bare request',
    goal: 94,
    ratio: ({ whole }) => whole.cpu / whole.requests / whole.bareRequest,
  },
  {
    name: 'peak memory of the whole run ÷ empty process',
    goal: 7,
    reached: 8,
    ratio: ({ whole, empty }) => whole.peak / empty.peak,
  },
  {
    name: 'span of a run at 100 ms ÷ its longest chain',
    goal: 1.15,
    reached: 1.5,
    ratio: ({ delayed }) => delayed.span / delayed.chain,
  },
  {
    name: '`recheck` of the whole run ÷ empty process',
    goal: 45,
    ratio: ({ further }) => further && besideEmpty(further.recheck),
  },
  {
    name: 'an act of `explore` ÷ bare request',
    goal: 66,
    ratio: ({ further, whole }) =>
      further && further.explore.cpu / further.explore.acts / whole.bareRequest,
  },
  {
    name: 'the same, of the gateway that it explores',
    goal: 35,
    ratio: ({ further, whole }) =>
      further && further.explore.gateway / further.explore.acts / whole.bareRequest,
  },
];

/** Returns the figures that are more than the tolerance over their goal, in words. */
export function missed(sitting: Sitting): readonly string[] {
  return figures.flatMap(({ name, goal, reached = goal, ratio }) => {
    const value = ratio(sitting);
    return value === undefined || value <= reached * tolerance
      ? []
      : [`${name}: ${value.toFixed(2)}, more than ${tolerance} × ${reached}`];
  });
}

/** Returns the figures as a table in Markdown. @param before the sitting of another build */
export function tableOf(sitting: Sitting, before?: Sitting): string {
  const inWords = (value = Number.NaN): string => value.toFixed(2);
  const rows = figures.flatMap(({ name, goal, ratio }) => {
    const now = ratio(sitting);
    if (now === undefined) return [];
    const then = before === undefined ? [] : [inWords(ratio(before))];
    return [[name, ...then, inWords(now), `≤ ${goal}${now > goal ? ', missed' : ''}`]];
  });
  const head = ['ratio', ...(before === undefined ? [] : ['before']), 'now', 'goal'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
