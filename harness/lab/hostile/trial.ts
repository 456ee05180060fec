import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { exitCode, messageOf, type RunResult } from '../../kernel/core/index.ts';
import { readReport } from '../../kernel/report/index.ts';
import { targetFileOf } from '../../kernel/targets/index.ts';
import { startReference } from '../../reference/index.ts';
import type { Attack } from './attack.ts';
import { type Called, called } from './called.ts';
import { startHostile } from './proxy.ts';

interface TrialOptions {
  readonly attacks: readonly Attack[];
  readonly seed: number;
  /** Inverse of the share of answers that are spoiled. */
  readonly every: number;
  readonly filters: readonly string[];
  readonly timeoutMs?: number;
  /** The run, and its second judgement, may each take so long. */
  readonly mostSeconds: number;
  /** Memory limit of the run, whatever is sent. */
  readonly mostMegabytes?: number | undefined;
}

export interface Trial {
  /** Answers that were spoiled, by the ids of the attacks. */
  readonly spoiled: ReadonlyMap<string, number>;
  readonly seconds: number;
  /** Most memory that the command, or its second judgement, has held. */
  readonly megabytes: number;
  readonly code: number | null;
  readonly verdict: RunResult['verdict'] | null;
  /** Violations of what must hold in any case. */
  readonly problems: readonly string[];
}

/** With signs that are written in more ways than one. */
const keys = {
  owner: 'canary+owner/5b"1f0c',
  sameUser: 'canary+same/8d"2e4a77',
  otherUser: 'canary+other/77"aa10',
  restricted: 'canary+restricted/e9"0d3c',
};
const reports = ['html', 'json', 'junit', 'markdown', 'ctrf', 'badge', 'record'] as const;

/** Judges a hostile gateway as a user would, and looks whether anything of it was lost, or got out. */
export async function tryAttacks(options: TrialOptions): Promise<Trial> {
  const { attacks, seed, every, filters, timeoutMs = 1_500, mostSeconds } = options;
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-hostile-'));
  const gateway = await startReference({ keys });
  // The first look is two requests to each region.
  const sparing = every === 1 ? 0 : 2 * gateway.regions.length;
  const hostile = await startHostile({ gateway, attacks, seed, every, sparing });
  try {
    const inFolder = (name: string): string => join(folder, name);
    const target = inFolder('target.yaml');
    writeFileSync(target, targetOf(targetFileOf(gateway), hostile.urls, timeoutMs));
    const written = reports.flatMap((name) => [`--${name}`, inFolder(`run.${name}`)]);
    const common = ['--no-color', '--github', ...filters];
    const line = ['run', '--target', target, '--seed', String(seed), ...written, ...common];
    const run = await kept(line, inFolder('run.out'), options);
    const problems = [...run.problems];
    const report = reportAt(inFolder('run.json'), problems);
    const calls = [run];
    if (run.code === 4) {
      // The proxy did not look like a gateway at first: nothing was judged, and nothing is written.
      if (report !== null) problems.push('exit code 4 with a report');
    } else {
      for (const name of reports) {
        if (!existsSync(inFolder(`run.${name}`))) problems.push(`there is no --${name}`);
      }
      problems.push(...problemsOf(run.code, report, 'run'));
    }
    if (report !== null) {
      const second = inFolder('again.json');
      const again = ['recheck', inFolder('run.record'), '--json', second, ...common];
      const rechecked = await kept(again, inFolder('again.out'), { mostSeconds });
      calls.push(rechecked);
      const judged = reportAt(second, problems);
      problems.push(...rechecked.problems, ...problemsOf(rechecked.code, judged, 'recheck'));
      problems.push(...differences(report, judged));
    }
    problems.push(...leaksIn(folder));
    return {
      spoiled: hostile.spoiled,
      seconds: Math.max(...calls.map(({ seconds }) => seconds)),
      megabytes: Math.max(...calls.map(({ megabytes }) => megabytes)),
      code: run.code,
      verdict: report?.verdict ?? null,
      problems,
    };
  } finally {
    await hostile.close();
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With the addresses of the hostile gateway, keys from the environment, and little patience; the probes are the right one's. */
function targetOf(text: string, urls: readonly string[], timeoutMs: number): string {
  const target = parse(text);
  return stringify(
    {
      ...target,
      regions: target.regions.map((region: object, index: number) => ({
        ...region,
        baseUrl: urls[index],
      })),
      keys: Object.fromEntries(Object.keys(keys).map((name) => [name, `\${${name}}`])),
      limits: { ...target.limits, timeoutMs, patienceMs: timeoutMs, consistencyMs: 100 },
    },
    { aliasDuplicateObjects: false },
  );
}

async function kept(
  line: readonly string[],
  file: string,
  { mostSeconds, mostMegabytes = 600 }: Pick<TrialOptions, 'mostSeconds' | 'mostMegabytes'>,
): Promise<Called> {
  const most = { mostSeconds, mostMegabytes };
  const ended = await called(line, { ...most, exitCodes: [0, 1, 2, 4], env: keys });
  writeFileSync(file, ended.printed);
  return ended;
}

/** Reads a report. Notes a problem and returns null where it cannot be read. */
export function reportAt(path: string, problems: string[]): RunResult | null {
  if (!existsSync(path)) return null;
  try {
    return readReport(readFileSync(path, 'utf8'), path);
  } catch (error) {
    problems.push(`a report that cannot be read: ${messageOf(error)}`);
    return null;
  }
}

/** Returns what contradicts an exit code in a report. */
export function problemsOf(code: number | null, report: RunResult | null, what: string): string[] {
  if (report === null) return [`${what}: no result, exit code ${code}`];
  const errors = report.checks.flatMap(({ id, verdict }) =>
    verdict.state === 'error'
      ? [`${what}: ${id} is an error: ${verdict.reason.slice(0, 300)}`]
      : [],
  );
  if (code !== exitCode(report.verdict)) errors.push(`${what}: ${report.verdict} with ${code}`);
  return errors;
}

/** Judged twice, the same comes out. */
function differences(first: RunResult, second: RunResult | null): string[] {
  const states = new Map(second?.checks.map(({ id, verdict }) => [id, verdict.state]));
  return first.checks.flatMap(({ id, verdict: { state } }) =>
    second === null || states.get(id) === state
      ? []
      : [`recheck: ${id} is ${states.get(id)}, and was ${state}`],
  );
}

/** Keys in what was written or printed, as they are or as JSON, HTML and XML write them. */
function leaksIn(folder: string): string[] {
  const forms = Object.values(keys).flatMap((key) => [
    key,
    JSON.stringify(key).slice(1, -1),
    key.replace('"', '&quot;'),
    key.replace('"', '&#34;'),
    key.replace('"', '\\u0022'),
  ]);
  return readdirSync(folder).flatMap((name) =>
    holdsOne(join(folder, name), forms) ? [`a key stands in ${name}`] : [],
  );
}

/** True if a file holds one of these texts. A recording of long answers is longer than a string may be. */
function holdsOne(path: string, texts: readonly string[]): boolean {
  const overlap = Math.max(...texts.map((text) => Buffer.byteLength(text)));
  const piece = Buffer.alloc(16 * 2 ** 20);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; ; at += piece.length - overlap) {
      const length = readSync(file, piece, 0, piece.length, at);
      const read = piece.subarray(0, length);
      if (texts.some((text) => read.includes(text))) return true;
      if (length < piece.length) return false;
    }
  } finally {
    closeSync(file);
  }
}
