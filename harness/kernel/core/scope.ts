import { loadCatalogue } from './catalogue.ts';
import { isOf, type Profile, profilesNamed } from './profiles.ts';
import type { Protocol } from './protocol.ts';
import type { CheckResult, RunResult } from './result.ts';
import { protocolsLeftOut } from './served-note.ts';
import { type CheckVerdict, type Restriction, restrictionOf, restrictionsSaid } from './verdict.ts';

export interface Scope {
  /** Profiles that the gateway claims, with the number of MUSTs of each; empty for a client. */
  readonly profiles: readonly ProfileScope[];
  readonly restrictions: readonly Restriction[];
  /** Protocols that the gateway served in the run, but that no model of the target file declares. */
  readonly leftOut: readonly Protocol[];
  /** MUSTs of the catalogue. */
  readonly musts: {
    readonly all: number;
    /** Number of MUSTs that were judged, whatever the verdict. */
    readonly judged: number;
    /** Ids of those that a restriction leaves open. */
    readonly leftOpen: readonly string[];
    /** Number of those that do not apply. */
    readonly notApplicable: number;
    /** Number of unclaimed MUSTs. Zero, except in reports of earlier catalogues. */
    readonly unclaimed: number;
  };
}

interface ProfileScope {
  readonly name: string;
  readonly musts: number;
  readonly judged: number;
}

export function scopeOf({ target, checks }: Pick<RunResult, 'target' | 'checks'>): Scope {
  const musts = checks.filter(({ level }) => level === 'MUST');
  const idsOf = (are: (verdict: CheckVerdict) => boolean): string[] =>
    musts.filter(({ verdict }) => are(verdict)).map(({ id }) => id);
  const claimed = profilesNamed(target.claims?.profiles ?? [], loadCatalogue().claims);
  return {
    profiles: claimed.map((profile) => {
      const own = musts.filter(({ id }) => isOf(id, profile));
      return { name: profile.name, musts: own.length, judged: own.filter(wasJudged).length };
    }),
    restrictions: restrictionsSaid(target),
    leftOut: protocolsLeftOut(checks),
    musts: {
      all: musts.length,
      judged: musts.filter(wasJudged).length,
      leftOpen: idsOf((verdict) => restrictionOf(verdict) !== null),
      notApplicable: idsOf(isNotApplicable).length,
      unclaimed: idsOf((verdict) => verdict.state === 'excluded' && verdict.unclaimed === true)
        .length,
    },
  };
}

function wasJudged({ verdict: { state } }: Pick<CheckResult, 'verdict'>): boolean {
  return state === 'pass' || state === 'fail' || state === 'warn' || state === 'note';
}

function isNotApplicable(verdict: CheckVerdict): boolean {
  return verdict.state === 'not-applicable' && restrictionOf(verdict) === null;
}

/** A MUST of a profile that does not hold or is undecided, with the reason. */
interface Lacking {
  readonly id: string;
  readonly why: string;
}

/**
 * Returns the MUSTs that a run lacks for a profile, whatever the gateway claims: those that do not hold, were not
 * judged, or do not apply because no model declares what the profile needs. A MUST that a restriction leaves open
 * is not lacking, unless the profile refuses that restriction.
 */
export function lackingFor(
  profile: Profile,
  { checks }: Pick<RunResult, 'checks'>,
): readonly Lacking[] {
  return checks
    .filter(({ id, level }) => level === 'MUST' && isOf(id, profile))
    .flatMap(({ id, verdict }) => {
      const why = whyLacking(verdict, profile);
      return why === null ? [] : [{ id, why }];
    });
}

function whyLacking(verdict: CheckVerdict, { needs, refuses }: Profile): string | null {
  const restriction = restrictionOf(verdict);
  if (restriction !== null) {
    return refuses.includes(restriction) ? `${restriction} leaves it open` : null;
  }
  switch (verdict.state) {
    case 'pass':
    case 'note':
      return null;
    case 'not-applicable': {
      const missing = verdict.gap?.names.some((name) => needs.includes(name)) ?? false;
      return missing ? verdict.reason : null;
    }
    case 'fail':
    case 'warn':
      return 'it does not hold';
    default:
      return verdict.reason;
  }
}
