import { compareIds } from '../../kernel/core/index.ts';
import { type Check, ExchangePoints, scenariosIn } from '../../kernel/engine/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import type { Sent } from './perform.ts';
import { against, type Violation } from './violation.ts';

interface Judging {
  readonly check: Check;
  readonly by: NonNullable<Check['everywhere']>;
  readonly probes: ReadonlySet<string>;
}

/** Judges every exchange of a history by the checks that the suites apply to every exchange of a run. */
export class EverywhereJudge {
  readonly #target: Target;
  readonly #judgings: readonly Judging[];

  constructor(target: Target, checks: readonly Check[]) {
    this.#target = target;
    this.#judgings = checks.flatMap((check) =>
      check.everywhere === undefined
        ? []
        : [{ check, by: check.everywhere, probes: probesOf(check) }],
    );
  }

  /** Returns the violations of answers, judged individually or against the other answers of the history. */
  violationsIn(sent: readonly Sent[]): readonly Violation[] {
    // Turns of a WebSocket share their exchange.
    const wholes = new Map(sent.toReversed().map(({ act, whole }) => [whole, act] as const));
    const exchanges = [...wholes.keys(), ...sent.flatMap(({ besides }) => besides)].sort(
      (one, other) => compareIds(one.id, other.id),
    );
    const whole = { target: this.#target, exchanges };
    const asked = new Set<string>(sent.map(({ act }) => act.kind));
    const judgings = this.#judgings.filter(({ probes }) =>
      [...probes].every((probe) => asked.has(probe)),
    );
    const violations: Violation[] = [];
    // Most exchanges add no point, so one collection is reused until a check fails.
    let points = new ExchangePoints();
    for (const [exchange, act] of wholes) {
      for (const { check, by } of judgings) {
        points.judge(by, exchange, whole);
        if (points.all.offence === null) continue;
        const { expected, actual } = points.all.offence;
        violations.push(against(check.id, { n: act.n, exchange, expected, actual }));
        points = new ExchangePoints();
      }
    }
    return violations;
  }
}

function probesOf({ on }: Check): ReadonlySet<string> {
  return new Set(scenariosIn(on).flatMap(({ needs }) => needs.probes ?? []));
}
