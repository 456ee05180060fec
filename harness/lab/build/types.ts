import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledPackages, packageNameOf } from './bundled.ts';

/** `export { type A, b } from './c.ts';`, on a line. */
const named = /^(import|export) (type )?\{ (.*?),? \} from '([^']+)';$/gm;
const inline = /import\("([^"]+)"\)/g;

/**
 * Leaves the declarations that some modules need below a folder, and deletes the others. An index re-exports only
 * what they need. Declarations of internals may name types of bundled packages, which users do not have: nobody
 * checks these.
 *
 * @param doors paths of the modules that users import
 */
export function keepDeclarations(folder: string, doors: readonly string[]): void {
  const texts = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => [join(folder, file), readFileSync(join(folder, file), 'utf8')] as const),
  );
  /** Names that are needed of each file; of all but an index, all are. */
  const needed = new Map<string, Set<string>>();
  const fileOf = (from: string, specifier: string): string =>
    join(dirname(from), specifier.replace(/\.ts$/, '.d.ts'));
  const isIndex = (file: string): boolean =>
    (texts.get(file) ?? '').replace(named, '').trim() === '';
  const visit = (file: string, names: readonly string[]): void => {
    const text = texts.get(file);
    if (text === undefined) return;
    const known = needed.get(file);
    const more = names.filter((name) => known?.has(name) !== true);
    if (known !== undefined && (more.length === 0 || !isIndex(file))) return;
    needed.set(file, new Set([...(known ?? []), ...more]));
    for (const [, , , list = '', specifier = ''] of text.matchAll(named)) {
      const own = namesOfList(list).filter((name) => !isIndex(file) || more.includes(name));
      if (own.length > 0) visit(fileOf(file, specifier), own);
    }
    for (const [, specifier = ''] of text.matchAll(inline)) visit(fileOf(file, specifier), []);
  };
  for (const door of doors) visit(join(folder, door), []);
  for (const [file, text] of texts) {
    const names = needed.get(file);
    if (names === undefined) rmSync(file);
    else if (isIndex(file)) writeFileSync(file, withOnly(text, names));
    else if (bundledPackages.some((name) => importsPackage(text, name))) {
      writeFileSync(file, `// @ts-nocheck\n${text}`);
    }
  }
}

/** The names in `type A, b as c`, as the other module exports them. */
function namesOfList(list: string): string[] {
  return list.split(', ').map((one) => one.replace(/^type /, '').replace(/ as .*$/, ''));
}

function withOnly(index: string, names: ReadonlySet<string>): string {
  return index.replace(named, (_line, how, type = '', list: string, specifier) => {
    const kept = list
      .split(', ')
      .filter((one) => namesOfList(one).every((name) => names.has(name)));
    return kept.length === 0 ? '' : `${how} ${type}{ ${kept.join(', ')} } from '${specifier}';`;
  });
}

function importsPackage(text: string, name: string): boolean {
  return [...text.matchAll(named)].some(
    ([, , , , specifier = '']) => packageNameOf(specifier) === name,
  );
}
