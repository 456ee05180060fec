import {
  lackingFor,
  loadCatalogue,
  profilesNamed,
  type RunResult,
  scopeOf,
  sideOf,
} from '../../kernel/core/index.ts';
import { counted, quoted } from '../../kernel/report/index.ts';
import type { Environment } from './environment.ts';

export interface OriginDemands {
  readonly maxAgeDays?: number;
  /** Hosts of the regions, with or without a port. */
  readonly hosts?: readonly string[];
}

/** Demands of a verifier on an intact certificate, in the form of `fixtures/policy.schema.json`. */
export interface Policy extends OriginDemands {
  readonly $schema?: string;
  /** Names of `fixtures/profiles.yaml`. */
  readonly profiles?: readonly string[];
  /** Accepted restrictions. Default: none. */
  readonly restrictions?: readonly string[];
  readonly models?: { readonly atLeast?: number; readonly allListed?: boolean };
  readonly strict?: boolean;
  readonly suite?: { readonly versions?: readonly string[]; readonly builds?: readonly string[] };
  readonly catalogueRevision?: number;
  /** Paths of files. */
  readonly publicKeys?: readonly string[];
  readonly challenge?: boolean;
}

interface Verified {
  readonly report: RunResult;
  readonly environment: Pick<Environment, 'suite'>;
  /** True if the run was made for the challenge of this verifier. */
  readonly isChallenged: boolean;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** Lists the demands of a policy that a certificate does not meet. Signatures are checked before. */
export function policyProblems(
  policy: Policy,
  { report, environment, isChallenged }: Verified,
  now: Date,
): readonly string[] {
  const { restrictions = [], suite = {}, catalogueRevision = 0 } = policy;
  const { catalogue } = report;
  const problems: string[] = [];
  const demand = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  demand(
    sideOf(report) === 'gateway' || policy.profiles === undefined,
    'it is the certificate of a client, which has no profiles',
  );
  if (sideOf(report) === 'gateway')
    problems.push(...profileProblems(policy.profiles ?? [], report));
  for (const name of scopeOf(report).restrictions) {
    demand(
      restrictions.includes(name),
      `it is restricted: ${name}, which the policy does not allow`,
    );
  }
  problems.push(...modelProblems(policy.models ?? {}, report));
  demand(policy.strict !== true || report.strict, 'it is not strict: a SHOULD may not hold');
  const { version, sha256 } = environment.suite;
  demand(
    suite.versions === undefined || suite.versions.includes(version),
    `it was judged by version ${quoted(version)} of the suite, and not by ${quotedNames(suite.versions)}`,
  );
  demand(
    suite.builds === undefined || suite.builds.includes(sha256),
    `it was judged by another build of the suite: SHA-256 ${quoted(sha256)}`,
  );
  demand(
    catalogue.revision >= catalogueRevision,
    `it was judged by revision ${catalogue.revision} of the catalogue, and not by ${catalogueRevision} or later`,
  );
  problems.push(...originProblems(policy, report, now));
  demand(
    policy.challenge !== true || isChallenged,
    'it was not made for a challenge of yours: give --challenge TEXT',
  );
  return problems;
}

/** Lists the demands on host and age that a run does not meet, a sentence for each. */
export function originProblems(
  { maxAgeDays, hosts }: OriginDemands,
  { startedAt, target }: Pick<RunResult, 'startedAt' | 'target'>,
  now: Date,
): readonly string[] {
  const problems: string[] = [];
  const days = (now.getTime() - Date.parse(startedAt)) / dayMs;
  if (maxAgeDays !== undefined && days > maxAgeDays) {
    problems.push(`it is ${Math.round(10 * days) / 10} days old: ${maxAgeDays} are allowed`);
  }
  for (const { name, baseUrl } of target.client === undefined ? target.regions : []) {
    const { host, hostname } = URL.canParse(baseUrl)
      ? new URL(baseUrl)
      : { host: baseUrl, hostname: baseUrl };
    if (hosts === undefined || hosts.includes(host) || hosts.includes(hostname)) continue;
    problems.push(
      `its region ${quoted(name)} is at ${quoted(host)}, and not at ${quotedNames(hosts)}`,
    );
  }
  return problems;
}

/** Number of missing MUSTs of a profile that are named. */
const shownMusts = 3;

/** Lists what a run lacks for its profiles, a sentence for each. */
export function profileProblems(
  names: readonly string[],
  report: Pick<RunResult, 'checks'>,
): readonly string[] {
  return profilesNamed(names, loadCatalogue().claims).flatMap((profile) => {
    const lacking = lackingFor(profile, report);
    if (lacking.length === 0) return [];
    const shown = lacking.slice(0, shownMusts).map(({ id, why }) => `${id} (${why})`);
    const rest = lacking.length - shown.length;
    return [
      `it does not meet the profile ${profile.name}: ${counted(lacking.length, 'MUST')} missing: ` +
        `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    ];
  });
}

function modelProblems(
  { atLeast = 0, allListed = false }: NonNullable<Policy['models']>,
  { target: { models } }: RunResult,
): readonly string[] {
  if (atLeast === 0 && !allListed) return [];
  if (models === undefined) return ['it says nothing of models'];
  const { judged, listed: all, leftOut, named } = models;
  return [
    ...(judged.length >= atLeast
      ? []
      : [`${counted(judged.length, 'model')} judged: ${atLeast} are demanded`]),
    ...(allListed && all === null ? ['the gateway showed no list of models'] : []),
    ...(allListed && leftOut > 0
      ? [`${counted(leftOut, 'listed model')} not judged: ${quotedNames(named.slice(0, 5))}`]
      : []),
  ];
}

export function quotedNames(names: readonly string[] = []): string {
  return names.map(quoted).join(', ');
}
