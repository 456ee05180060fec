import { madeNow } from '../proof/index.ts';

/**
 * Puts each table between its marks, `<!-- COMMAND: NAME -->` and `<!-- / -->`, after a line that says when it was made.
 *
 * @param command what renews them, as in `npm run clients`
 * @throws {Error} when the page has no place for one
 */
export function renewed(
  page: string,
  command: string,
  tables: Readonly<Record<string, string>>,
): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const mark = `<!-- ${command}: ${name} -->`;
    const from = text.indexOf(mark);
    const to = text.indexOf('<!-- / -->', from);
    if (from === -1 || to === -1) throw new Error(`The page has no "${mark}" … "<!-- / -->".`);
    return `${text.slice(0, from)}${mark}\n\n${madeNow()}\n\n${table}\n\n${text.slice(to)}`;
  }, page);
}
