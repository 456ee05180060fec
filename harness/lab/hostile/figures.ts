import { table } from '../docs/table.ts';
import type { Trial } from './trial.ts';

/** A run against a hostile gateway, by what it did. */
export interface Tried extends Pick<Trial, 'seconds' | 'megabytes' | 'problems' | 'verdict'> {
  readonly name: string;
  /** The attacks that came to something. */
  readonly ids: readonly string[];
  /** Number of spoiled answers. */
  readonly answers: number;
}

export function figuresOf(tried: readonly Tried[]): string {
  const families = new Map<string, Tried[]>();
  for (const one of tried) {
    const [family = ''] = one.name.split('/');
    families.set(family, [...(families.get(family) ?? []), one]);
  }
  const groups: (readonly [string, readonly Tried[]])[] = [...families, ['all', tried]];
  const rows = groups.map(([name, runs]) => {
    const sum = runs.reduce((all, one) => all + one.answers, 0);
    const most = (of: (one: Tried) => number): number => Math.ceil(Math.max(0, ...runs.map(of)));
    const attacks = new Set(runs.flatMap(({ ids }) => ids)).size;
    const lost = runs.filter(({ problems }) => problems.length > 0).length;
    const [megabytes, seconds] = [most((one) => one.megabytes), most((one) => one.seconds)];
    return [
      name,
      ...[attacks, runs.length, sum, lost].map(String),
      `${megabytes} MB`,
      `${seconds} s`,
    ];
  });
  const [spoiled, lost] = ['spoiled answers or files', 'runs with a problem'];
  const head = ['attacks on', 'attacks', 'runs', spoiled, lost, 'most memory', 'longest run'];
  return table(head, rows);
}
