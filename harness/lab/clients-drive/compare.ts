import { markdownTable } from 'markdown-table';
import type { KnownBreak } from './known.ts';

/** One call that failed. */
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

/** What breaks on a variant, and not on the reference as it is. */
export function brokenBy(breaks: readonly Break[]): readonly Break[] {
  const usual = new Set(
    breaks.filter(({ variant }) => variant === null).map(({ client, call }) => `${client} ${call}`),
  );
  return breaks.filter(
    ({ variant, client, call }) => variant === null || !usual.has(`${client} ${call}`),
  );
}

/** A line for each variant and client, in the order of the breaks: the calls, what was said, and whose fault it is. */
export function breaksTable(breaks: readonly Break[], known: readonly KnownBreak[]): string {
  if (breaks.length === 0) return 'None.';
  const groups = new Map<string, Break[]>();
  for (const found of breaks) {
    const { because = '' } = knownAs(found, known) ?? {};
    const name = JSON.stringify([found.variant, found.client, because]);
    groups.set(name, [...(groups.get(name) ?? []), found]);
  }
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { because = '**not looked at yet**', source = '' } = knownAs(first, known) ?? {};
    const calls = group.map(({ call }) => call).join(', ');
    const variant = first.variant === null ? 'none' : `\`${first.variant}\``;
    return [[variant, `\`${first.client}\``, calls, first.said.slice(0, 120), because, source]];
  });
  const titles = ['variant', 'client', 'calls', 'the first says', 'whose fault', 'source'];
  return markdownTable([
    titles,
    ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|'))),
  ]);
}
