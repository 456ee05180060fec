import { createHash } from 'node:crypto';
import { closeSync, lstatSync, opendirSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { budgets, cut, readForeign, sideOf, UnfitFile } from '../../kernel/core/index.ts';
import { quoted } from '../../kernel/report/index.ts';

/**
 * Files of a bundle: that of a gateway has `target`, that of a client has `client`. All others are required, and no
 * further file is allowed: every file is verified, so a bundle has no page and no instructions. `verify` creates
 * these itself.
 */
export const bundleFiles = {
  report: 'report.json',
  exchanges: 'exchanges.jsonl',
  target: 'target.yaml',
  client: 'client.json',
  environment: 'environment.json',
  attestation: 'attestation.json',
  sums: 'SHA256SUMS',
} as const;

/** The file that describes the subject of the run. */
export type SubjectFile = typeof bundleFiles.target | typeof bundleFiles.client;

export function subjectFileOf(judged: Parameters<typeof sideOf>[0]): SubjectFile {
  return sideOf(judged) === 'gateway' ? bundleFiles.target : bundleFiles.client;
}

export function subjectFileIn(folder: string): SubjectFile {
  return isIn(folder, bundleFiles.client) ? bundleFiles.client : bundleFiles.target;
}

function isIn(folder: string, name: string): boolean {
  return lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
}

/** True if a folder contains folders and no file of a bundle. */
export function isFolderOfBundles(folder: string): boolean {
  const hasOwn = Object.values(bundleFiles).some((name) => isIn(folder, name));
  return !hasOwn && bundlesIn(folder).length > 0;
}

/** Names of the folders in a folder, and of links. Each counts as a bundle, so that none is skipped. */
export function bundlesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.'))
    .sort();
}

/** Files covered by the attestation: all but the attestation and the list of sums. */
export function attestedFiles(subject: SubjectFile): readonly string[] {
  return [bundleFiles.report, bundleFiles.exchanges, subject, bundleFiles.environment];
}

/** SHA-256 in hexadecimal digits, by file name. */
export type Sums = ReadonlyMap<string, string>;

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Computes the sums of some files of a folder. */
export function sumsOf(folder: string, names: readonly string[]): Sums {
  return new Map(names.map((name) => [name, sha256OfFile(join(folder, name))]));
}

/** Reads piece by piece, so that memory use does not depend on the size of the file. */
function sha256OfFile(path: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(1 << 20);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      hash.update(piece.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** Maximum size of the files of a bundle, in bytes. A larger file is not read. */
const mostBytes: Readonly<Record<string, number>> = {
  [bundleFiles.exchanges]: 4 * budgets.exchange.bytes,
  [bundleFiles.report]: budgets.report.bytes,
};

/** Explains why a file cannot be part of a bundle, without reading its content. Null if it can. */
function unfitness(folder: string, name: string): string | null {
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
  if (found === undefined) return `${name} is missing`;
  return found.isFile() ? null : `${name} is not a regular file`;
}

/** @throws {UnfitFile} if a file is over the limit of its name */
export function assertReadable(folder: string, name: string): void {
  const { size } = lstatSync(join(folder, name));
  const most = mostBytes[name] ?? budgets.small.bytes;
  if (size <= most) return;
  throw new UnfitFile(`${name} is too large: it has ${size} bytes, and may have ${most}`);
}

/** Sums in the format of `sha256sum --check`. */
export function writtenSums(sums: Sums): string {
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join('');
}

/** Maximum number of names that are looked at in a bundle. */
const mostNames = 100;

function namesIn(folder: string): string[] {
  const names: string[] = [];
  const opened = opendirSync(folder);
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      if (names.push(entry.name) >= mostNames) break;
    }
  } finally {
    opened.closeSync();
  }
  return names.sort();
}

/**
 * Compares a folder with its list of sums and returns the problems: missing, extra and changed files.
 *
 * @throws {UnfitFile} if a file is over the limit of its name
 */
export function fileProblems(folder: string): string[] {
  const expected = [...attestedFiles(subjectFileIn(folder)), bundleFiles.attestation];
  const all = [...expected, bundleFiles.sums];
  const problems = [
    ...all.flatMap((name) => unfitness(folder, name) ?? []),
    ...namesIn(folder)
      .filter((name) => !all.includes(name))
      .map((name) => `${quoted(name)} does not belong to a bundle`),
  ];
  if (problems.length > 0) return problems;
  for (const name of all) assertReadable(folder, name);
  const stated = readForeign(join(folder, bundleFiles.sums), budgets.small);
  const actual = sumsOf(folder, expected);
  return stated === writtenSums(actual) ? [] : sumProblems(stated, actual);
}

/** Explains how a list of sums differs from that of the files. */
function sumProblems(text: string, actual: Sums): string[] {
  const stated = new Map<string, string>();
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined || stated.has(name)) {
      return [
        `${bundleFiles.sums}: this line states no sum of one more file: ${quoted(cut(line, 120))}`,
      ];
    }
    stated.set(name, sum);
  }
  const unknown = [...stated.keys()].filter((name) => !actual.has(name));
  const problems = [
    ...unknown.map(
      (name) =>
        `${bundleFiles.sums} names ${quoted(cut(name, 120))}, which does not belong to a bundle`,
    ),
    ...[...actual].flatMap(([name, sum]) => {
      if (!stated.has(name)) return [`${bundleFiles.sums} does not name ${name}`];
      if (stated.get(name) === sum) return [];
      return [`${name} was changed: its SHA-256 is not the one in ${bundleFiles.sums}`];
    }),
  ];
  const otherwise = `${bundleFiles.sums}: its lines have to be sorted by name, and each to end with a line feed`;
  return problems.length > 0 ? problems : [otherwise];
}
