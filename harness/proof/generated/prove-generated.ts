import { loadCatalogue } from '../../core/catalogue.ts';
import { redStates } from '../../core/verdict.ts';
import { suiteChecks } from '../../engine/registry.ts';
import { type JudgeOptions, judgeTargets } from '../judge-targets.ts';
import { covers, type Verdicts } from '../matrix.ts';
import { type Subject, sound } from '../subject.ts';
import type { GeneratedFault } from './index.ts';

/** Who noticed a generated fault: a row that it breaks, another one, or nobody. */
export type Notice = 'right row' | 'other row' | 'unnoticed';

/** What judging the gateway with one generated fault came to. */
export interface Noticing {
  readonly fault: GeneratedFault;
  readonly notice: Notice;
  /** The checks that failed, and do not fail on the sound gateway. */
  readonly failed: readonly string[];
  /** Errors of Touchstone itself. */
  readonly errors: readonly string[];
  readonly verdicts: Verdicts;
  /** Judged at every triple: a run of pairs has not noticed it. */
  readonly thorough: boolean;
}

/** Most gateways are judged by a part of the checks, and wait for themselves half of the time. */
const pace: Pick<JudgeOptions, 'window' | 'batch'> = { window: 8, batch: 300 };

export interface GeneratedOptions extends JudgeOptions {
  /** By every check, and not by the rows that a fault breaks. */
  readonly whole?: boolean;
  /** What the rows do not notice is judged by more: it takes several times as long. Default: true. */
  readonly closer?: boolean;
  /** What a run does not notice is judged at every triple of the covering design. */
  readonly thorough?: boolean;
}

/**
 * Judges the reference gateway with each of these faults: by the rows that it breaks, and where none of
 * them notices it by all of their areas, or by every check. Beside the rows that a fault breaks, others may fail: which they
 * are is recorded nowhere, for thousands of faults nobody would read it.
 */
export async function proveGenerated(
  chosen: readonly GeneratedFault[],
  { whole = false, closer = true, thorough = false, ...options }: GeneratedOptions,
): Promise<readonly Noticing[]> {
  const ids = loadCatalogue().checks.map(({ id }) => id);
  const byRows = await judged(chosen, options, false, ({ breaks }) =>
    whole ? null : ids.filter((id) => covers(breaks, id)),
  );
  const left = byRows.filter(({ notice }) => notice === 'unnoticed').map(({ fault }) => fault);
  if (left.length === 0 || !closer || (whole && !thorough)) return byRows;
  const everywhere = (await suiteChecks()).filter((check) => check.everywhere === true);
  const byMore = await judged(left, options, thorough, ({ breaks }) => {
    const areas = [...new Set(breaks.map(areaOf))];
    // What is judged on every exchange of a run needs those of all other checks.
    const needsAll = everywhere.some(({ id }) => covers(breaks, id));
    return whole || needsAll ? null : ids.filter((id) => covers(areas, id));
  });
  const again = new Map(byMore.map((one) => [one.fault, one]));
  return byRows.map((one) => again.get(one.fault) ?? one);
}

async function judged(
  chosen: readonly GeneratedFault[],
  options: JudgeOptions,
  thorough: boolean,
  selected: (fault: GeneratedFault) => readonly string[] | null,
): Promise<readonly Noticing[]> {
  const subjects = chosen.map(
    (fault): Subject => ({
      id: fault.id,
      gateway: { kind: 'generated', id: fault.id },
      selected: selected(fault),
      thorough,
    }),
  );
  const needed = subjects.map((one) => one.selected);
  const ofAny = needed.includes(null) ? null : [...new Set(needed.flatMap((ids) => ids ?? []))];
  const verdicts = await judgeTargets([{ ...sound, selected: ofAny, thorough }, ...subjects], {
    ...options,
    window: options.window ?? pace.window,
    batch: options.batch ?? pace.batch,
  });
  const before = verdicts.get(sound.id) ?? new Map();
  return chosen.flatMap((fault) => {
    const own = verdicts.get(fault.id);
    if (own === undefined || own.size === 0) return [];
    return [{ ...noticing(fault, before, own), thorough }];
  });
}

/** `generation/responses-stream` of `generation/responses-stream.one-id`. */
function areaOf(id: string): string {
  return id.replace(/\..*/, '');
}

/** Compares the verdicts on a faulty gateway with those on the sound one. */
export function noticing(fault: GeneratedFault, before: Verdicts, verdicts: Verdicts): Noticing {
  const red = [...verdicts].filter(
    ([id, { state }]) => redStates.has(state) && before.get(id)?.state !== state,
  );
  const failed = red.filter(([, { state }]) => state !== 'error').map(([id]) => id);
  const errors = red.filter(([, { state }]) => state === 'error').map(([id]) => id);
  const right = failed.some((id) => covers(fault.breaks, id));
  const notice = right ? 'right row' : failed.length > 0 ? 'other row' : 'unnoticed';
  return { fault, notice, failed, errors, verdicts, thorough: false };
}
