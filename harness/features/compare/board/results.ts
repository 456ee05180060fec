import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, type RunResult, sideOf } from '../../../kernel/core/index.ts';
import { titleOf } from '../../../kernel/report/index.ts';
import { reportAt } from '../../../kernel/terminal/index.ts';

/** Result of one run, with what is known of its origin. */
export interface BoardResult {
  readonly file: string;
  readonly result: RunResult;
  /** `report`: anybody may have written it. Else a word and a level of `verify`: `VERIFIED, signed`. */
  readonly trust: string;
}

/** Results of a gateway, the newest first. */
export interface BoardGateway {
  readonly name: string;
  /** Name of its page without the ending, which no other gateway has. */
  readonly page: string;
  readonly results: readonly [BoardResult, ...BoardResult[]];
}

export interface Board {
  readonly gateways: readonly BoardGateway[];
  /** Files that are not shown, with the reason. */
  readonly leftOut: readonly { readonly file: string; readonly why: string }[];
}

/** Verifies a bundle. `result` is null if it is not trusted at all. */
type VerifyBundle = (
  folder: string,
) => Promise<{ readonly worth: string; readonly why: string; readonly result: RunResult | null }>;

/** Most entries of the folder that are looked at, and how deep. */
const [mostEntries, mostDepth] = [5_000, 4];

/** Reads all reports and bundles of a folder and the folders in it. Links are not followed. */
export async function readBoard(folder: string, verify: VerifyBundle): Promise<Board> {
  const read: BoardResult[] = [];
  const leftOut: { file: string; why: string }[] = [];
  const leave = (file: string, why: string): void => void leftOut.push({ file, why });
  for (const { path, file, isBundle } of placesIn(folder, '', mostDepth)) {
    try {
      const { worth, why, result } = isBundle
        ? await verify(path)
        : { worth: 'report', why: '', result: reportAt(path) };
      if (result === null) leave(file, `${worth}: ${why}`);
      else if (sideOf(result) === 'client') leave(file, 'It is the report of a client.');
      else if (result.shard !== undefined) leave(file, 'It is a part of a split run: merge it.');
      else read.push({ file, result, trust: worth });
    } catch (error) {
      leave(file, messageOf(error));
    }
  }
  return { gateways: byName(read), leftOut };
}

interface Place {
  readonly path: string;
  /** Path below the folder. */
  readonly file: string;
  readonly isBundle: boolean;
}

function placesIn(folder: string, below: string, depth: number): readonly Place[] {
  const found: Place[] = [];
  const opened = opendirSync(folder);
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      const [path, file] = [join(folder, entry.name), below + entry.name];
      if (entry.isFile() && entry.name.endsWith('.json'))
        found.push({ path, file, isBundle: false });
      else if (entry.isDirectory() && isBundleAt(path)) found.push({ path, file, isBundle: true });
      else if (entry.isDirectory() && depth > 1)
        found.push(...placesIn(path, `${file}/`, depth - 1));
      if (found.length >= mostEntries) break;
    }
  } finally {
    opened.closeSync();
  }
  return found.sort((one, other) => one.file.localeCompare(other.file)).slice(0, mostEntries);
}

function isBundleAt(folder: string): boolean {
  return lstatSync(join(folder, 'attestation.json'), { throwIfNoEntry: false })?.isFile() === true;
}

function byName(read: readonly BoardResult[]): readonly BoardGateway[] {
  const groups = new Map<string, BoardResult[]>();
  for (const one of read) {
    const name = titleOf(one.result);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const pages = new Set<string>();
  return [...groups]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, results]) => {
      const newestFirst = results.sort((one, other) =>
        other.result.startedAt.localeCompare(one.result.startedAt),
      ) as [BoardResult, ...BoardResult[]];
      return { name, page: pageFor(name, pages), results: newestFirst };
    });
}

/** Returns a file name for a text from any source, and adds it to those that are taken. */
export function pageFor(text: string, taken: Set<string>): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ['page'];
  const plain = words.join('-').slice(0, 80);
  let name = plain;
  for (let n = 2; taken.has(name); n++) name = `${plain}-${n}`;
  taken.add(name);
  return name;
}

/** The newest result of a gateway. */
export const newestOf = ({ results: [newest] }: BoardGateway): BoardResult => newest;
