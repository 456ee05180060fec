import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageRoot } from '../kernel/core/index.ts';
import { madeNow } from '../proof/index.ts';

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Returns what the command line names, or all. Ends the process if it names anything else. */
export function namedIn<T>(
  command: Command,
  all: readonly T[],
  nameOf: (one: T) => string,
): readonly T[] {
  const unknown = command.args.filter((name) => all.every((one) => nameOf(one) !== name));
  if (unknown.length > 0) command.error(`There is no ${unknown.join(', ')}. See --help.`);
  return all.filter((one) => command.args.length === 0 || command.args.includes(nameOf(one)));
}

/**
 * Puts tables into the README.md of a folder of `harness/`.
 *
 * @param script of npm that renews them
 * @returns the path of the page
 */
export function renewPage(
  folder: string,
  script: string,
  tables: Readonly<Record<string, string>>,
): string {
  const page = join(packageRoot, 'harness', folder, 'README.md');
  writeFileSync(page, renewed(readFileSync(page, 'utf8'), `npm run ${script}`, tables));
  return page;
}

/**
 * Puts each table between its marks, `<!-- COMMAND: NAME -->` and `<!-- / -->`, after a line that says when it was made.
 *
 * @param command what renews them, as in `npm run clients`
 * @throws {Error} when the page has no place for one
 */
function renewed(page: string, command: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const mark = `<!-- ${command}: ${name} -->`;
    const from = text.indexOf(mark);
    const to = text.indexOf('<!-- / -->', from);
    if (from === -1 || to === -1) throw new Error(`The page has no "${mark}" … "<!-- / -->".`);
    return `${text.slice(0, from)}${mark}\n\n${madeNow()}\n\n${table}\n\n${text.slice(to)}`;
  }, page);
}
