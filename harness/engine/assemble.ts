import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../core/catalogue.ts';
import { packageRoot } from '../core/package-root.ts';
import {
  type CheckResult,
  countsOf,
  type RunResult,
  suiteOf,
  type Traffic,
} from '../core/result.ts';
import { type CheckVerdict, runVerdict } from '../core/verdict.ts';
import type { CheckMeta } from './check.ts';
import type { RunOrder } from './order.ts';
import type { Selection } from './run.ts';

export interface Parts {
  readonly catalogue: Catalogue;
  readonly order: RunOrder;
  readonly metas: readonly CheckMeta[];
  readonly traffic: Traffic;
  readonly filters: readonly string[];
  readonly only?: Selection;
  readonly strict: boolean;
  readonly interrupted: boolean;
  readonly startedAt: string;
  readonly durationMs: number;
}

/**
 * The result of a run. Its denominator is the catalogue: a check that did not run is `excluded` when
 * the user left it out, and an `error` when nobody did.
 */
export function assemble(parts: Parts): RunResult {
  const { catalogue, order, traffic, filters, only } = parts;
  const ran = new Map(parts.metas.map((meta) => [meta.id, meta]));
  const selected = order.selected === null ? null : new Set(order.selected);
  const checks = catalogue.checks.map(({ id, requirement, level, basis }): CheckResult => {
    const meta = ran.get(id);
    return {
      id,
      suite: suiteOf(id),
      requirement: requirement.id,
      level,
      text: requirement.text,
      basis,
      scenarios: meta?.scenarios ?? [],
      verdict:
        meta?.verdict ??
        (selected === null || selected.has(id) ? unbound : excluded(id, filters, only)),
    };
  });
  const [target] = order.targets;
  if (target === undefined) throw new Error('A run has at least one target');
  return {
    suiteVersion,
    target: { name: target.name, regions: target.regions },
    seed: order.seed,
    runId: order.runId,
    startedAt: parts.startedAt,
    durationMs: parts.durationMs,
    verdict: runVerdict(checks, { strict: parts.strict }),
    strict: parts.strict,
    interrupted: parts.interrupted,
    filters,
    counts: countsOf(checks),
    traffic,
    specification: catalogue.specification,
    checks,
    unchecked: catalogue.requirements.flatMap(({ id, text, unchecked }) =>
      unchecked === null ? [] : [{ id, text, reason: unchecked }],
    ),
  };
}

const unbound: CheckVerdict = {
  state: 'error',
  reason: 'The catalogue has this requirement, but no check is bound to it',
};

function excluded(id: string, filters: readonly string[], only?: Selection): CheckVerdict {
  if (only?.elsewhere?.includes(id) === true) {
    return { state: 'excluded', reason: 'In another shard', elsewhere: true };
  }
  const asked = filters.length === 0 || filters.some((prefix) => id.startsWith(prefix));
  const reason = 'Left out by the ids that the run was asked for';
  return { state: 'excluded', reason: asked ? (only?.others ?? reason) : reason };
}

/** The version of this suite, from `package.json`. */
export const suiteVersion: string = (() => {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  return version;
})();
