import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../kernel/core/index.ts';

/** Returns 8 hexadecimal digits of the checks and what they judge by: `suites/` and `fixtures/` without pages and tests. */
function suitesDigest(): string {
  const hash = createHash('sha256');
  const paths = ['suites', 'fixtures'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.md$|\.test\.ts$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  for (const path of paths.sort()) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 8);
}

/** Returns a line that says when, and with what, figures are measured: ``Made on 2026-11-29, commit `…`, suites `…`.`` */
export function madeNow(): string {
  const day = new Date().toISOString().slice(0, 10);
  const commit = execFileSync('git', ['-C', packageRoot, 'rev-parse', '--short=8', 'HEAD']);
  return `Made on ${day}, commit \`${`${commit}`.trim()}\`, suites \`${suitesDigest()}\`.`;
}

/** Returns the text, in which each line of `madeNow` says whether the suites have changed since. */
export function withAge(text: string): string {
  const now = suitesDigest();
  return text.replace(/^(Made on .*, suites `(\w{8})`).*\.$/gm, (_, made, digest) =>
    digest === now ? `${made}.` : `${made}, with another suite than today's.`,
  );
}

interface RecordOptions<Row> {
  /** Path from the root of the package. */
  readonly file: string;
  /** Comment lines that say what the rows are. */
  readonly head: string;
  readonly told: (row: Row) => string;
  /** Matches the line of a row. */
  readonly line: RegExp;
  /** Returns the row of the groups that a line matches. */
  readonly row: (groups: readonly string[]) => Row;
}

/** A file with a row for each result of a proof, under a head that says when and with what they were made. */
export class ProofRecord<Row> {
  readonly #options: RecordOptions<Row>;

  constructor(options: RecordOptions<Row>) {
    this.#options = options;
  }

  /** Returns when, and with what, the rows were made. */
  get made(): string {
    return this.#text.match(/(?<=^# )Made on .*$/m)?.[0] ?? 'It is not recorded when it was made.';
  }

  get rows(): Row[] {
    return this.parse(this.#text);
  }

  write(rows: readonly Row[]): void {
    writeFileSync(this.#path, this.format(rows));
  }

  format(rows: readonly Row[]): string {
    const { head, told } = this.#options;
    return `${head}# ${madeNow()}\n${rows.map((row) => `${told(row)}\n`).join('')}`;
  }

  /** @throws {Error} for an invalid line */
  parse(text: string): Row[] {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return lines.map((line) => {
      const [, ...groups] = this.#options.line.exec(line) ?? [];
      if (groups.length > 0) return this.#options.row(groups);
      throw new Error(`${this.#options.file} has a line that is no row: ${line}`);
    });
  }

  get #text(): string {
    return readFileSync(this.#path, 'utf8');
  }

  get #path(): string {
    return join(packageRoot, this.#options.file);
  }
}
