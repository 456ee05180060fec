import {
  type CheckResult,
  type CheckVerdict,
  type Conversation,
  type CredentialHeader,
  countsOf,
  durationOf,
  type Exchange,
  flagsOf,
  isAskedFor,
  type Lag,
  longestLags,
  type Provenance,
  type RestrictionFlags,
  type RunResult,
  restrictionsSaid,
  runVerdict,
  type ScenarioTime,
  shownCredentials,
  suiteOf,
  suiteVersion,
  type TargetSummary,
  type Traffic,
} from '../core/index.ts';
import { recognisableIn } from '../drawn/index.ts';
import type { Selection } from '../recordings/index.ts';
import type { Target } from '../targets/index.ts';
import { claimsOf, leftOpenBy } from './claims.ts';
import { isLoad } from './load/load.ts';
import { loadReport } from './load/load-report.ts';
import { scenariosAt } from './registry.ts';
import type { RunHead } from './run-head.ts';
import type { Scenario } from './scenario.ts';
import { judgedModels } from './shown-models.ts';
import { withoutKeys } from './without-keys.ts';

interface Parts extends RunHead {
  readonly target: Pick<
    Target,
    | 'name'
    | 'regions'
    | 'profiles'
    | 'models'
    | 'thorough'
    | 'names'
    | 'acceptsAlso'
    | 'alsoServes'
    | 'client'
    | 'keys'
    | 'headers'
    | 'protocols'
    | 'providers'
    | 'gateway'
  > &
    RestrictionFlags;
  readonly verdicts: ReadonlyMap<string, CheckVerdict>;
  readonly traffic: Traffic;
  readonly provenance?: Provenance | undefined;
  /** Late answers, by the scenarios that waited for them. */
  readonly lags: ReadonlyMap<Scenario, readonly Lag[]>;
  /** All exchanges; absent for a run that judges a client or sends nothing. */
  readonly exchanges?: readonly Exchange[];
  /** Starts of the client. Absent unless the run judges a client. */
  readonly conversations?: readonly Conversation[];
  readonly interrupted: boolean;
  readonly durationMs: number;
}

/**
 * Assembles the result of a run. Its denominator is the catalogue: a check that did not run is `excluded` if the
 * user left it out, and an `error` otherwise.
 */
export function assemble(parts: Parts): RunResult {
  const { catalogue, target, filters, only, selected, verdicts, conversations, load } = parts;
  const all = parts.exchanges;
  // The load is no evidence for or against a requirement.
  const exchanges = all?.filter((exchange) => !isLoad(exchange));
  const recognisable = exchanges === undefined ? null : recognisableIn(exchanges);
  const traffic: Traffic = {
    ...parts.traffic,
    ...(conversations === undefined ? {} : { scenarios: timesOf(conversations) }),
    ...(recognisable === null ? {} : { recognisable }),
    ...(load === undefined ? {} : { load: loadReport(load, all ?? []) }),
  };
  const bound = new Map(parts.checks.map((check) => [check.id, check]));
  const checks = catalogue.checks.map(({ id, requirement, level, basis }): CheckResult => {
    const check = bound.get(id);
    const { everywhere } = check ?? {};
    const scenarios = check === undefined ? [] : scenariosAt(check, target);
    const names = scenarios.map(({ name }) => name);
    const durationMs = durationOf(names, traffic);
    const late = longestLags(scenarios.flatMap((one) => parts.lags.get(one) ?? []));
    return {
      id,
      suite: suiteOf(id),
      requirement: requirement.id,
      level,
      text: requirement.text,
      basis,
      scenarios: names,
      ...(durationMs === undefined ? {} : { durationMs }),
      verdict:
        verdicts.get(id) ??
        (selected === null || selected.has(id) ? unbound : excluded(id, target, filters, only)),
      ...(late.length === 0 ? {} : { lags: late }),
      ...(everywhere === undefined ? {} : { everywhere: true }),
    };
  });
  return withoutKeys({
    suiteVersion,
    target: summaryOf(target, exchanges),
    seed: parts.seed,
    runId: parts.runId,
    ...(parts.challenge === undefined ? {} : { challenge: parts.challenge }),
    startedAt: parts.startedAt,
    durationMs: parts.durationMs,
    verdict: runVerdict(checks, { strict: parts.strict }),
    strict: parts.strict,
    interrupted: parts.interrupted,
    filters,
    counts: countsOf(checks),
    traffic,
    ...(parts.provenance === undefined ? {} : { provenance: parts.provenance }),
    specification: catalogue.specification,
    catalogue: { revision: catalogue.revision, sha256: catalogue.digest },
    checks,
    unchecked: catalogue.requirements.flatMap(({ id, text, judges, unchecked }) =>
      unchecked === null || (judges === 'client') !== (catalogue.side === 'client')
        ? []
        : [{ id, text, reason: unchecked }],
    ),
    ...(conversations === undefined ? {} : { conversations }),
  });
}

function timesOf(conversations: readonly Conversation[]): readonly ScenarioTime[] {
  const times = new Map<string, number>();
  for (const { scenario, took } of conversations) {
    times.set(scenario, (times.get(scenario) ?? 0) + took);
  }
  return [...times].map(([name, durationMs]) => ({ name, durationMs }));
}

function summaryOf(target: Parts['target'], exchanges?: readonly Exchange[]): TargetSummary {
  const { name, regions, acceptsAlso, alsoServes = [], names, thorough } = target;
  const { client, keys, headers: custom, protocols } = target;
  const headers: Record<CredentialHeader, string> = {
    bearer: 'Authorization: Bearer',
    'x-api-key': 'x-api-key',
    'vendorB-api-key': `x-${names.vendorB}-api-key`,
  };
  const also = shownCredentials.flatMap((protocol) => {
    const named = acceptsAlso[protocol].map((header) => headers[header]);
    return named.length === 0 ? [] : [{ protocol, headers: named }];
  });
  const places = [protocols, ...regions.map((region) => region.protocols ?? {})];
  const sent = [
    ...new Set(
      [
        custom,
        ...regions.map((region) => region.headers ?? {}),
        ...places.flatMap((of) => Object.values(of).map((place) => place.headers ?? {})),
      ].flatMap((given) => Object.keys(given)),
    ),
  ].sort();
  return {
    name,
    regions: regions.map(({ name: region, baseUrl }) => ({ name: region, baseUrl })),
    ...(client === undefined ? { claims: claimsOf(target) } : { client }),
    ...(target.providers === undefined ? {} : { providers: playedIn(target.providers) }),
    ...(target.gateway === undefined ? {} : { declares: declaredIn(target.gateway) }),
    ...(exchanges === undefined ? {} : { models: judgedModels(target, exchanges) }),
    ...flagsOf(restrictionsSaid(target)),
    ...(thorough ? { thorough: true } : {}),
    ...(keys.owner === undefined ? { takesNoKeys: true } : {}),
    ...(sent.length === 0 ? {} : { headers: sent }),
    ...(alsoServes.length === 0 ? {} : { alsoServes }),
    ...(also.length === 0 ? {} : { acceptsAlso: also }),
  };
}

/** Returns the routes whose provider is Touchstone. */
function playedIn({
  routes,
}: NonNullable<Target['providers']>): NonNullable<TargetSummary['providers']> {
  return routes.map(({ model, asks, as }) => ({ model, asks, as }));
}

/** Returns what the target file declares that the gateway does on purpose, in words. */
function declaredIn({
  retries = [],
  fallback,
  adds = [],
  drops = [],
}: NonNullable<Target['gateway']>): readonly string[] {
  return [
    ...retries.map(({ on, times }) => `asks a provider again after ${on.join(', ')}: ${times}×`),
    ...(fallback === undefined ? [] : [`asks another provider after ${fallback.on.join(', ')}`]),
    ...adds.map((what) => `adds ${what}`),
    ...(drops.length === 0 ? [] : [`drops ${drops.join(', ')}`]),
  ];
}

const unbound: CheckVerdict = {
  state: 'error',
  reason: 'The catalogue has this requirement, but no check is bound to it',
};

function excluded(
  id: string,
  target: Parts['target'],
  filters: readonly string[],
  only?: Selection,
): CheckVerdict {
  if (only?.elsewhere?.includes(id) === true) {
    return { state: 'excluded', reason: 'In another part of the run', elsewhere: true };
  }
  const open = filters.length === 0 ? leftOpenBy(id, target) : null;
  if (open !== null) {
    return {
      state: 'not-applicable',
      reason: `\`${open.field}: true\` leaves it open`,
      restriction: open.name,
    };
  }
  const asked = filters.length === 0 || filters.some((filter) => isAskedFor(id, filter));
  const reason = 'Left out by the ids that the run was asked for';
  return { state: 'excluded', reason: asked ? (only?.others ?? reason) : reason };
}
