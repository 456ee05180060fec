import { table } from '../docs/table.ts';
import type { KnownBreak } from './known.ts';

export interface Break {
  readonly variant: string | null;
  readonly client: string;
  readonly call: string;
  readonly said: string;
}

export function knownAs(found: Break, known: readonly KnownBreak[]): KnownBreak | undefined {
  return known.find(
    ({ variants, client = '', calls, says }) =>
      variants.some((id) => id === found.variant) &&
      found.client.startsWith(client) &&
      (calls === 'all' || calls.includes(found.call)) &&
      says.test(found.said),
  );
}

/** Returns the calls that break on a variant, and not on the unchanged reference. */
export function brokenBy(breaks: readonly Break[]): readonly Break[] {
  const usual = new Set(
    breaks.filter(({ variant }) => variant === null).map(({ client, call }) => `${client} ${call}`),
  );
  return breaks.filter(
    ({ variant, client, call }) => variant === null || !usual.has(`${client} ${call}`),
  );
}

/** Calls that a row names; how many more there are is said. */
const mostCalls = 4;

/** A line for each cause, in the order of the breaks: who breaks, under what, which calls, and what the first said. */
export function breaksTable(breaks: readonly Break[], known: readonly KnownBreak[]): string {
  if (breaks.length === 0) return 'None.';
  const groups = new Map<string, { readonly cause: readonly string[]; readonly all: Break[] }>();
  for (const found of breaks) {
    const { because, source = '' } = knownAs(found, known) ?? {};
    const cause =
      because === undefined
        ? ['**not looked at yet**', `${found.variant}, ${found.client}`]
        : [because, source];
    const name = JSON.stringify(cause);
    const group = groups.get(name) ?? { cause, all: [] };
    group.all.push(found);
    groups.set(name, group);
  }
  const rows = [...groups.values()].map(({ cause: [because = '', source = ''], all }) => {
    const calls = namesIn(all, ({ call }) => call);
    const more = calls.length - mostCalls;
    return [
      because,
      namesIn(all, ({ client }) => `\`${client}\``).join(', '),
      namesIn(all, ({ variant }) => (variant === null ? 'none' : `\`${variant}\``)).join(', '),
      `${calls.slice(0, mostCalls).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
      all[0]?.said.slice(0, 120) ?? '',
      source,
    ];
  });
  const titles = ['whose fault', 'clients', 'variants', 'calls', 'the first says', 'source'];
  return table(titles, rows);
}

/** Distinct names of these breaks, in their order. */
function namesIn(breaks: readonly Break[], nameOf: (one: Break) => string): string[] {
  return [...new Set(breaks.map(nameOf))];
}
