import type { Sections } from './sections.ts';

/** A page with its generated sections made anew, and their names in the order of the page. */
export interface Renewed {
  readonly text: string;
  readonly names: readonly string[];
}

/** On lines of their own; elsewhere they are only spoken of. */
const marks = /^<!-- generated: (?<name>.*?) -->$|^<!-- \/generated -->$/gm;

/**
 * Puts each section between its two marks, `<!-- generated: NAME -->` and `<!-- /generated -->`, in
 * the place of what stands there.
 *
 * @throws {Error} naming the mark that has no other half, or a section that nobody can make
 */
export function renew(page: string, sections: Sections): Renewed {
  const pieces: string[] = [];
  const names: string[] = [];
  let from = 0;
  let open: string | null = null;
  for (const mark of page.matchAll(marks)) {
    const [text] = mark;
    const name = mark.groups?.name;
    if (name === undefined) {
      if (open === null) throw new Error(`"${text}" ends nothing: no section is open before it.`);
      open = null;
      pieces.push('\n\n', text);
    } else {
      if (open !== null) throw new Error(`"${open}" is still open before "${text}": end it first.`);
      const make = sections[name];
      if (make === undefined) {
        const known = Object.keys(sections).sort().join(', ');
        throw new Error(`"${text}": there is no section of that name, only ${known}.`);
      }
      open = name;
      names.push(name);
      pieces.push(page.slice(from, mark.index), text, '\n\n', make());
    }
    from = mark.index + text.length;
  }
  if (open !== null) throw new Error(`"${open}" does not end: put <!-- /generated --> after it.`);
  return { text: [...pieces, page.slice(from)].join(''), names };
}
