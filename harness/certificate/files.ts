import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sideOf } from '../core/result.ts';

/** What a bundle is made of: of a gateway with `target`, of a client with `client`. Each is there, and nothing else is. */
export const bundleFiles = {
  report: 'report.json',
  html: 'report.html',
  exchanges: 'exchanges.jsonl',
  target: 'target.yaml',
  client: 'client.json',
  environment: 'environment.json',
  reproduce: 'REPRODUCE.md',
  attestation: 'attestation.json',
  sums: 'SHA256SUMS',
} as const;

/** The file that describes what was judged. */
export type SubjectFile = typeof bundleFiles.target | typeof bundleFiles.client;

/** Which of the two a result needs. */
export function subjectFileOf(judged: Parameters<typeof sideOf>[0]): SubjectFile {
  return sideOf(judged) === 'gateway' ? bundleFiles.target : bundleFiles.client;
}

/** Which of the two a folder has. */
export function subjectFileIn(folder: string): SubjectFile {
  return readdirSync(folder).includes(bundleFiles.client) ? bundleFiles.client : bundleFiles.target;
}

/** The files that the attestation is about: all but itself and the list of sums. */
export function attestedFiles(subject: SubjectFile): readonly string[] {
  return [
    bundleFiles.report,
    bundleFiles.html,
    bundleFiles.exchanges,
    subject,
    bundleFiles.environment,
    bundleFiles.reproduce,
  ];
}

/** SHA-256, in hexadecimal digits, by the names of files. */
export type Sums = ReadonlyMap<string, string>;

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The sums of some files of a folder. */
export function sumsOf(folder: string, names: readonly string[]): Sums {
  return new Map(names.map((name) => [name, sha256(readFileSync(join(folder, name)))]));
}

/** Sums as `sha256sum --check` reads them. */
export function writtenSums(sums: Sums): string {
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join('');
}

/** What a folder holds beside the list of sums, as problems: what is missing, extra, or changed. */
export function fileProblems(folder: string): string[] {
  const expected = [...attestedFiles(subjectFileIn(folder)), bundleFiles.attestation];
  const there = readdirSync(folder);
  const problems: string[] = [];
  for (const name of [...expected, bundleFiles.sums]) {
    if (!there.includes(name)) problems.push(`${name} is missing`);
    else if (!lstatSync(join(folder, name)).isFile())
      problems.push(`${name} is not a regular file`);
  }
  for (const name of there) {
    if (name !== bundleFiles.sums && !expected.includes(name)) {
      problems.push(`${name} does not belong to a bundle`);
    }
  }
  return problems.length > 0 ? problems : sumProblems(folder, expected);
}

function sumProblems(folder: string, expected: readonly string[]): string[] {
  const stated = new Map<string, string>();
  for (const line of readFileSync(join(folder, bundleFiles.sums), 'utf8').split('\n')) {
    if (line === '') continue;
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined || stated.has(name)) {
      return [`${bundleFiles.sums}: this line states no sum of one more file: ${line}`];
    }
    stated.set(name, sum);
  }
  const actual = sumsOf(folder, expected);
  const unknown = [...stated.keys()].filter((name) => !actual.has(name));
  return [
    ...unknown.map(
      (name) => `${bundleFiles.sums} names ${name}, which does not belong to a bundle`,
    ),
    ...expected.flatMap((name) => {
      if (!stated.has(name)) return [`${bundleFiles.sums} does not name ${name}`];
      if (stated.get(name) === actual.get(name)) return [];
      return [`${name} was changed: its SHA-256 is not the one in ${bundleFiles.sums}`];
    }),
  ];
}
