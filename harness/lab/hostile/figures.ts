import type { Trial } from './trial.ts';

/** A run against a hostile gateway, by what it did. */
export interface Tried extends Pick<Trial, 'seconds' | 'megabytes' | 'problems' | 'verdict'> {
  readonly name: string;
  /** The attacks that came to something. */
  readonly ids: readonly string[];
  /** Number of spoiled answers. */
  readonly answers: number;
}

/** Summarizes all runs for the documentation. */
export function figuresOf(tried: readonly Tried[]): string {
  const families = new Map<string, Tried[]>();
  for (const one of tried) {
    const family = one.name.split('/')[0] ?? '';
    const name = family.startsWith('all') ? 'several at once' : family;
    families.set(name, [...(families.get(name) ?? []), one]);
  }
  const groups: (readonly [name: string, runs: readonly Tried[]])[] = [
    ...families,
    ['together', tried],
  ];
  const rows = groups.map(([name, runs]) => {
    const sum = runs.reduce((all, one) => all + one.answers, 0);
    const most = (of: (one: Tried) => number): number => Math.ceil(Math.max(0, ...runs.map(of)));
    const attacks = new Set(runs.flatMap(({ ids }) => ids)).size;
    const lost = runs.filter(({ problems }) => problems.length > 0).length;
    return `| ${name} | ${attacks} | ${runs.length} | ${sum} | ${lost} | ${most(({ megabytes }) => megabytes)} MB | ${most(({ seconds }) => seconds)} s |`;
  });
  return [
    '| attacks on | attacks | runs | spoiled answers | runs with a problem | most memory | longest run |',
    '| ---------- | ------- | ---- | --------------- | ------------------- | ----------- | ----------- |',
    ...rows,
  ].join('\n');
}
