import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { covers, packageRoot } from '../kernel/core/index.ts';

export interface OtherFailures {
  /** Checks that fail in every run. */
  readonly always: ReadonlySet<string>;
  /** Checks, rows, areas or suites that fail in some runs only, each with the reason. */
  readonly sometimes: ReadonlyMap<string, string>;
}

/** Failures by the id of the fault; no entry for a fault without other failures. */
export type RecordedFailures = ReadonlyMap<string, OtherFailures>;

export const noOtherFailures: OtherFailures = { always: new Set(), sometimes: new Map() };

/** Path of the reviewed file, from the root of the package. */
export const recordedFile = 'harness/proof/recorded-failures.txt';

const head = `\
# What fails under each fault, beside what it is meant to break.
# Written by \`touchstone prove --whole --update\`; read every change of it before you commit it.
# row:a,b  these values of a row; row:*  all that the fault does not break itself.
# ~ checks, rows, areas or suites  # why they fail in some runs only: written by hand, and kept.
`;

interface Broken {
  readonly id: string;
  readonly breaks: readonly string[];
}

/** Reads the file. @param checks ids of the catalogue */
export function readRecorded(
  faults: readonly Broken[],
  checks: readonly string[],
): RecordedFailures {
  return parseRecorded(readFileSync(join(packageRoot, recordedFile), 'utf8'), faults, checks);
}

/** Writes the file. @param checks ids of the catalogue */
export function writeRecorded(
  recorded: RecordedFailures,
  faults: readonly Broken[],
  checks: readonly string[],
): void {
  writeFileSync(join(packageRoot, recordedFile), formatRecorded(recorded, faults, checks));
}

/** @throws {Error} for a line that has none of the three forms */
export function parseRecorded(
  text: string,
  faults: readonly Broken[],
  checks: readonly string[],
): RecordedFailures {
  const breaks = new Map(faults.map((fault) => [fault.id, fault.breaks]));
  const recorded = new Map<string, { always: Set<string>; sometimes: Map<string, string> }>();
  let fault = '';
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const failures = recorded.get(fault);
    const unsure = /^ {2}~ (.+?) +# (\S.*)$/.exec(line);
    if (/^\S+$/.test(line)) {
      fault = line;
      recorded.set(fault, { always: new Set(), sometimes: new Map() });
    } else if (failures !== undefined && unsure !== null) {
      const [, names = '', reason = ''] = unsure;
      for (const name of names.split(' ')) failures.sometimes.set(name, reason);
    } else if (failures !== undefined && /^ {2}\S+$/.test(line)) {
      const known = others(checks, breaks.get(fault));
      for (const check of expand(line.trim(), known)) failures.always.add(check);
    } else {
      throw new Error(`${recordedFile} has a line that means nothing: ${JSON.stringify(line)}`);
    }
  }
  return recorded;
}

/** Formats the failures in order, with the values of a row on one line. */
export function formatRecorded(
  recorded: RecordedFailures,
  faults: readonly Broken[],
  checks: readonly string[],
): string {
  const sorted = faults.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const blocks = sorted.flatMap(({ id, breaks }) => {
    const { always, sometimes } = recorded.get(id) ?? noOtherFailures;
    const known = others(checks, breaks);
    const reasons = [...new Set(sometimes.values())].toSorted();
    const lines = [
      ...grouped([...always], known).map((line) => `  ${line}`),
      ...reasons.map((reason) => {
        const unsure = [...sometimes].filter(([, why]) => why === reason).map(([name]) => name);
        return `  ~ ${unsure.toSorted().join(' ')}  # ${reason}`;
      }),
    ];
    return lines.length === 0 ? [] : [`\n${[id, ...lines].join('\n')}\n`];
  });
  return head + blocks.join('');
}

interface Found {
  readonly id: string;
  /** Failed checks other than those that the fault breaks. */
  readonly failed: readonly string[];
  /** Checks that were not judged, whose records stay unchanged. */
  readonly kept: readonly string[];
}

/** Returns the recorded failures after a run. */
export function updated(recorded: RecordedFailures, found: readonly Found[]): RecordedFailures {
  const now = new Map(recorded);
  for (const { id, failed, kept } of found) {
    const { always, sometimes } = recorded.get(id) ?? noOtherFailures;
    const still = kept.filter((check) => always.has(check));
    const each = failed.filter((check) => !isUnsure(check, sometimes));
    now.set(id, { always: new Set([...still, ...each]), sometimes });
  }
  return now;
}

function others(checks: readonly string[], breaks: readonly string[] = []): readonly string[] {
  return checks.filter((check) => !covers(breaks, check));
}

/**
 * Expands a name to its checks. A name that is no longer in the catalogue stays unchanged, and is reported as missing.
 */
function expand(name: string, known: readonly string[]): readonly string[] {
  const [row = '', values] = name.split(':');
  if (values === undefined) return [name];
  const all = known.filter((check) => rowOf(check) === row);
  if (values === '*') return all.length === 0 ? [name] : all;
  return values.split(',').map((value) => `${row}:${value}`);
}

function grouped(checks: readonly string[], known: readonly string[]): readonly string[] {
  const sorted = checks.toSorted();
  return [...new Set(sorted.map(rowOf))].map((row) => {
    if (sorted.includes(row)) return row;
    const some = sorted.filter((check) => rowOf(check) === row);
    const all = known.filter((check) => rowOf(check) === row);
    if (some.length > 1 && some.length === all.length) return `${row}:*`;
    return `${row}:${some.map((check) => check.slice(row.length + 1)).join(',')}`;
  });
}

/** True if the check is recorded as failing, in every run or in some. */
export function isRecorded(check: string, { always, sometimes }: OtherFailures): boolean {
  return always.has(check) || isUnsure(check, sometimes);
}

/** True if the check is recorded as failing in some runs only. */
function isUnsure(check: string, sometimes: OtherFailures['sometimes']): boolean {
  return covers([...sometimes.keys()], check);
}

/** Returns the id of a check without the value of an axis. */
export function rowOf(check: string): string {
  return check.replace(/:.*/, '');
}
