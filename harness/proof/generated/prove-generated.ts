import { loadCatalogue } from '../../core/catalogue.ts';
import { redStates } from '../../core/verdict.ts';
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
}

/** Most gateways are judged by a part of the checks, and wait for themselves half of the time. */
const pace: Pick<JudgeOptions, 'window' | 'batch'> = { window: 8, batch: 300 };

export interface GeneratedOptions extends JudgeOptions {
  /** By every check, and not by the rows that a fault breaks. */
  readonly whole?: boolean;
  /** At every triple of the covering design. */
  readonly thorough?: boolean;
}

/**
 * Judges the reference gateway with each of these faults. Beside the rows that a fault breaks, others may
 * fail: which they are is recorded nowhere, for thousands of faults nobody would read it.
 */
export async function proveGenerated(
  chosen: readonly GeneratedFault[],
  { whole = false, thorough = false, ...options }: GeneratedOptions,
): Promise<readonly Noticing[]> {
  const ids = loadCatalogue().checks.map(({ id }) => id);
  const judged = await judgeTargets(
    [
      { ...sound, thorough },
      ...chosen.map(
        ({ id, breaks }): Subject => ({
          id,
          gateway: { kind: 'generated', id },
          selected: whole ? null : ids.filter((id) => covers(breaks, id)),
          thorough,
        }),
      ),
    ],
    { ...options, window: options.window ?? pace.window, batch: options.batch ?? pace.batch },
  );
  const before = judged.get(sound.id) ?? new Map();
  return chosen.flatMap((fault) => {
    const verdicts = judged.get(fault.id);
    return verdicts === undefined || verdicts.size === 0 ? [] : [noticing(fault, before, verdicts)];
  });
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
  return { fault, notice, failed, errors, verdicts };
}
