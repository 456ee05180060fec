import { covers, redStates } from '../../kernel/core/index.ts';
import { suiteChecks } from '../../kernel/engine/index.ts';
import { type JudgeOptions, judgeTargets } from '../judge-targets.ts';
import type { Verdicts } from '../matrix.ts';
import type { Subject } from '../subject.ts';
import type { GeneratedFault } from './index.ts';
import { type Look, Looks } from './looks.ts';
import { reachedBy } from './reached.ts';

/** Kind of row that noticed a generated fault: one that the fault breaks, another one, or none. */
export type Notice = 'right row' | 'other row' | 'unnoticed';

export interface Noticing {
  readonly fault: GeneratedFault;
  readonly notice: Notice;
  /** Checks that failed, but do not fail on the sound gateway. */
  readonly failed: readonly string[];
  /** Checks that passed on the sound gateway, but are undecided on this one. */
  readonly open: readonly string[];
  /** Errors of Touchstone itself. */
  readonly errors: readonly string[];
  readonly verdicts: Verdicts;
  /** True if a request of the run meets the fault. */
  readonly isMet: boolean;
}

/** Pace for gateways that are mostly judged by a part of the checks, and wait half of the time. */
const pace: Pick<JudgeOptions, 'window' | 'batch'> = { window: 8, batch: 300 };

interface GeneratedOptions extends JudgeOptions {
  /** True to judge by every check, even where the fault is never met. */
  readonly whole?: boolean;
}

/**
 * Judges the reference gateway with each of these faults. One run against the sound gateway shows which requests
 * meet which fault, and so where it can be noticed at all. The search starts with the few cheapest acts and checks,
 * and ends when the fault is noticed or everything that these requests affect was judged. Failures of other rows
 * than the broken ones are not recorded, because records for thousands of faults would not be reviewed.
 */
export async function proveGenerated(
  chosen: readonly GeneratedFault[],
  { whole = false, ...options }: GeneratedOptions,
): Promise<readonly Noticing[]> {
  const reached = await reachedBy(options.seed);
  const looks = new Looks(reached, await suiteChecks());
  const everything: Look = { selected: null, besides: [] };
  const left = new Map(
    chosen.map((fault) => [fault, whole ? [everything] : [...looks.at(fault)]] as const),
  );
  const found = new Map<GeneratedFault, Noticing>(
    chosen.map((fault) => {
      const isMet = reached.scenariosAt(fault).length > 0;
      return [fault, { ...noticing(fault, new Map(), new Map()), isMet }];
    }),
  );
  for (;;) {
    const next = [...left].flatMap(
      ([fault, ahead]): readonly (readonly [GeneratedFault, Look])[] => {
        const look = found.get(fault)?.notice === 'unnoticed' ? ahead.shift() : undefined;
        return look === undefined ? [] : [[fault, look]];
      },
    );
    if (next.length === 0) break;
    const judged = await judgeTargets(
      next.map(
        ([{ id }, look]): Subject => ({
          ...{ id, gateway: { kind: 'generated', id } },
          ...look,
        }),
      ),
      { ...options, window: options.window ?? pace.window, batch: options.batch ?? pace.batch },
    );
    for (const [fault] of next) {
      const own = judged.get(fault.id);
      // An interrupted judgement is not a result.
      if (own === undefined) found.delete(fault);
      else found.set(fault, noticing(fault, reached.verdicts, own));
    }
    if (options.signal?.aborted === true) break;
  }
  return [...found.values()];
}

/** Compares the verdicts on a faulty gateway with those on the sound one. */
export function noticing(fault: GeneratedFault, before: Verdicts, verdicts: Verdicts): Noticing {
  const red = [...verdicts].filter(
    ([id, { state }]) => redStates.has(state) && before.get(id)?.state !== state,
  );
  const failed = red.filter(([, { state }]) => state !== 'error').map(([id]) => id);
  const errors = red.filter(([, { state }]) => state === 'error').map(([id]) => id);
  const open = [...verdicts].flatMap(([id, { state }]) =>
    state === 'inconclusive' && before.get(id)?.state === 'pass' ? [id] : [],
  );
  const right = failed.some((id) => covers(fault.breaks, id));
  const notice = right ? 'right row' : failed.length > 0 ? 'other row' : 'unnoticed';
  return { fault, notice, failed, open, errors, verdicts, isMet: true };
}
