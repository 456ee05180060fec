import type { Exchange } from '../core/exchange.ts';
import { pointsOfExchanges } from '../engine/everywhere-pass.ts';
import { type Check, type Everywhere, suiteChecks } from '../engine/registry.ts';
import { scenariosIn } from '../engine/scenario.ts';
import { inOrder } from '../engine/sent.ts';
import type { ExpectationFailed } from '../judge/failure.ts';
import type { Target } from '../target/target.ts';
import type { Sent } from './perform.ts';
import { clauseOf, type Violation } from './violation.ts';

/** A check that is judged on every exchange, whoever has sent it. */
interface Judging {
  readonly check: Check;
  readonly by: Everywhere;
}

/** What the suites judge on every exchange of a run, judged on every exchange of a history. */
export class EverywhereJudge {
  readonly #target: Target;
  readonly #judgings: readonly Judging[];

  static async of(target: Target): Promise<EverywhereJudge> {
    return new EverywhereJudge(target, await suiteChecks());
  }

  constructor(target: Target, checks: readonly Check[]) {
    this.#target = target;
    this.#judgings = checks.flatMap((check) =>
      check.everywhere === undefined || isProbed(check) ? [] : [{ check, by: check.everywhere }],
    );
  }

  /** What an answer breaks by itself or beside the others of its history. */
  violationsIn(sent: readonly Sent[]): readonly Violation[] {
    const whole = {
      target: this.#target,
      exchanges: inOrder(sent.map(({ exchange }) => exchange)),
    };
    const violations: Violation[] = [];
    // Most add nothing that is looked at: one is enough until something does not hold.
    let points = pointsOfExchanges();
    for (const { act, exchange } of sent) {
      for (const { check, by } of this.#judgings) {
        by.judgeAt(exchange, whole, points);
        if (points.offence === null) continue;
        violations.push(violationOf(act.n, check, points.offence, exchange));
        points = pointsOfExchanges();
      }
    }
    return violations;
  }
}

/** It rests on what a probe says, which a history does not ask. */
function isProbed(check: Check): boolean {
  return scenariosIn(check.on).some(({ needs }) => needs.probes?.length);
}

function violationOf(
  n: number,
  { definition }: Check,
  { expected, actual }: ExpectationFailed,
  exchange: Exchange,
): Violation {
  const { id, level, requirement } = definition;
  return {
    ...{ n, level, row: id, clause: clauseOf(definition), kind: requirement.id },
    ...{ expected, actual, exchange },
  };
}
