import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { Draws } from './chance.ts';
import { payload, written } from './payload.ts';

/** Something that a stranger does to a file before it is given. */
export interface FileAttack {
  readonly id: string;
  /** Writes the spoiled file. */
  readonly write: (path: string, good: Buffer, draws: Draws) => void;
}

const bytes = (
  id: string,
  change: (good: Buffer, draws: Draws) => Buffer | string,
): FileAttack => ({
  id,
  write: (path, good, draws) => writeFileSync(path, change(good, draws)),
});
const text = (id: string, change: (good: string, draws: Draws) => string): FileAttack =>
  bytes(id, (good, draws) => change(good.toString(), draws));

/** Changes one member that is drawn, of a line that is drawn; of YAML one value. */
const member = (id: string, change: (name: string, value: string) => string): FileAttack =>
  text(id, (good, draws) => {
    const members = [
      ...good.matchAll(/("[\w-]+"):(\s*)("(?:[^"\\]|\\.)*"|[\d.]+|true|false|null)/g),
    ];
    const lines = [...good.matchAll(/^(\s*(?:- )?[\w-]+):( )(\S.*)$/gm)];
    const all = members.length > 0 ? members : lines;
    if (all.length === 0) return change('x', '1') + good;
    const { 0: whole, 1: name = '', 2: blank = '', 3: value = '', index } = draws.one(all);
    return (
      good.slice(0, index) + change(`${name}:${blank}`, value) + good.slice(index + whole.length)
    );
  });

const deep = 200_000;
/** Members of objects that a merge could pollute. */
const prototype = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
const ofType = ['null', '[]', '{}', '-1', '1e400', '""', 'true', `"${'a'.repeat(100_000)}"`];

export const fileAttacks: readonly FileAttack[] = [
  text('empty', () => ''),
  text('blank', () => ' \n\t\n'),
  bytes('nul', (good) => Buffer.concat([good, Buffer.alloc(1_000)])),
  bytes('not-utf-8', (good) => Buffer.concat([good, Buffer.from([0xc3, 0x28, 0xff, 0xfe])])),
  bytes('utf-16', (good) => Buffer.from(`\ufeff${good.toString()}`, 'utf16le')),
  text('byte-order-mark', (good) => `\ufeff${good}`),
  text('carriage-returns', (good) => good.replaceAll('\n', '\r\n')),
  text('cut-in-half', (good) => good.slice(0, good.length / 2)),
  text('cut-at-the-end', (good) => good.slice(0, -2)),
  text('twice', (good) => good + good),
  text('million-lines', (good) => good + '\n'.repeat(1_000_000)),
  text('longest-text', () => `{"a":"${'a'.repeat(64 * 2 ** 20 - 16)}"}\n`),
  text('most-values', () => `[${'{},'.repeat(1_999_000)}0]\n`),
  text('long-line', (good) => `${good}"${'a'.repeat(80_000_000)}"`),
  text('deep-lists', () => '['.repeat(deep)),
  text('deep-objects', () => `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`),
  text('deep-yaml', () => Array.from({ length: 3_000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')),
  text('wide', () => `{${Array.from({ length: 600_000 }, (_, n) => `"k${n}":0`).join()}}`),
  text(
    'aliases',
    () =>
      `a0: &a0 [x]\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`).join('\n')}\n`,
  ),
  text('tags', (good) => `x: !!js/function 'function () { process.exit(9) }'\n${good}`),
  text('prototype', (good) => good.replaceAll('{', `{${prototype},`).replace(/,(\s*\})/g, '$1')),
  text('payload', () => payload),
  text('payload-as-json', () => `{"${written}":"${written}"}\n`),
  member('payload-in-a-member', (name) => `${name}"${written}"`),
  member('unknown-member', (name, value) => `${name}${value}, "unknown": 1`),
  member('member-twice', (name, value) => `${name}${value}, ${name}${value}`),
  ...ofType.map((value, n) => member(`other-value-${n + 1}`, (name) => name + value)),
  ...[1, 2, 3, 4].map((n) =>
    bytes(`flipped-bits-${n}`, (good, draws) => {
      const changed = Buffer.from(good);
      for (let flips = 4 ** n; flips > 0 && changed.length > 0; flips--) {
        const at = draws.below(changed.length);
        changed[at] = (changed[at] ?? 0) ^ (1 << draws.below(8));
      }
      return changed;
    }),
  ),
  { id: 'device', write: (path) => symlinkSync('/dev/zero', path) },
  { id: 'dangling-link', write: (path) => symlinkSync('/nowhere/at/all', path) },
  { id: 'link-to-itself', write: (path) => symlinkSync(path, path) },
  { id: 'folder', write: (path) => mkdirSync(path) },
  { id: 'pipe', write: (path) => execFileSync('mkfifo', [path]) },
  {
    id: 'sparse',
    write: (path, good) => {
      writeFileSync(path, good);
      truncateSync(path, 20 * 1024 ** 3);
    },
  },
];
