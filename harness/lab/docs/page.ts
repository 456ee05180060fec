import { withAge } from '../../proof/index.ts';

/** Generated sections of the pages, by the name between two marks. */
export type Sections = Readonly<Record<string, Section>>;

interface Section {
  readonly make: () => string;
  /** True if the section counts requirements or checks, which change with every new one. */
  readonly counts?: boolean;
}

interface RenewOptions {
  /** Leaves a section of counts as it is when nothing but the counts has changed. */
  readonly keepCounts: boolean;
}

export interface Renewed {
  readonly text: string;
  /** The sections that the page has. */
  readonly names: readonly string[];
}

/** Matches marks on lines of their own. Elsewhere, marks are only mentioned. */
const marks = /^<!-- generated: (?<name>.*?) -->$|^<!-- \/generated -->$/gm;

/**
 * Puts each section between its two marks, `<!-- generated: NAME -->` and `<!-- /generated -->`, in
 * the place of what stands there. Where the suites have changed since a table was made, the line above it says so.
 *
 * @throws {Error} naming the mark that has no other half, or a section that nobody can make
 */
export function renew(page: string, sections: Sections, { keepCounts }: RenewOptions): Renewed {
  const pieces: string[] = [];
  const names: string[] = [];
  let from = 0;
  let open: { readonly mark: string; readonly section: Section } | null = null;
  for (const match of page.matchAll(marks)) {
    const [mark] = match;
    const name = match.groups?.name;
    if (name === undefined) {
      if (open === null) throw new Error(`"${mark}" ends nothing: no section is open before it.`);
      const { make, counts = false } = open.section;
      const [old, made] = [page.slice(from, match.index), `\n\n${make()}\n\n`];
      const keep = counts && keepCounts && withoutCounts(old) === withoutCounts(made);
      pieces.push(keep ? old : made, mark);
      open = null;
    } else {
      if (open !== null) {
        throw new Error(`"${open.mark}" is still open before "${mark}": end it first.`);
      }
      const section = sections[name];
      if (section === undefined) {
        const known = Object.keys(sections).sort().join(', ');
        throw new Error(`"${mark}": there is no section of that name, only ${known}.`);
      }
      open = { mark, section };
      names.push(name);
      pieces.push(page.slice(from, match.index), mark);
    }
    from = match.index + mark.length;
  }
  if (open !== null) {
    throw new Error(`"${open.mark}" does not end: put <!-- /generated --> after it.`);
  }
  return { text: withAge([...pieces, page.slice(from)].join('')), names };
}

/**
 * Makes texts equal that differ only in numbers, and in the spaces and dashes of a table whose columns are
 * wider for them. A number may also be added to a column that had none.
 */
export function withoutCounts(text: string): string {
  return text.replaceAll(/\d+/g, '').replaceAll(/-{2,}/g, '-').replaceAll(/\s+/g, ' ').trim();
}
