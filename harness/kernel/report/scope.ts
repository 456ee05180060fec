import {
  cutLine,
  type JudgedModels,
  partInWords,
  printable,
  protocols,
  protocolsLeftOut,
  protocolTitles,
  type RunResult,
  scopeOf,
  timesAsked,
} from '../core/index.ts';
import { counted } from './words.ts';

/** Describes the scope of a verdict. All wording about it is in this module. */

const noProfile = 'no profile';

/**
 * Scope of a run for the line of its verdict: `profile gateway; single-region`. Null for a partial run, which says
 * nothing about a profile.
 */
export function claimInWords(result: RunResult): string | null {
  const { target, filters, observed, conversations = [] } = result;
  if (filters.length > 0 || partInWords(result) !== null || observed !== undefined) return null;
  if (target.client !== undefined) {
    const spoken = new Set(
      conversations.filter((one) => timesAsked(one) > 0).map(({ protocol }) => protocol),
    );
    const titles = protocols.filter((one) => spoken.has(one)).map((one) => protocolTitles[one]);
    return [
      titles.join(', ') || 'no protocol',
      ...(target.client.upstreamOf === undefined
        ? [target.client.tasks ? 'texts and tasks' : 'texts alone']
        : []),
    ].join('; ');
  }
  const { claims } = target;
  if (claims === undefined) return null;
  const { profiles } = claims;
  const named =
    profiles.length === 0
      ? noProfile
      : `${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(', ')}`;
  return [named, ...restrictionsOf(result)].join('; ');
}

/** `single-region, without-probes`, as a list of at most one entry. */
function restrictionsOf(result: RunResult): string[] {
  const { restrictions } = scopeOf(result);
  return restrictions.length === 0 ? [] : [restrictions.join(', ')];
}

/** `3 of 9 listed models`. Null if nothing is known about models. */
export function modelsInWords({ target: { models } }: Pick<RunResult, 'target'>): string | null {
  if (models === undefined) return null;
  const { judged, listed, leftOut } = models;
  if (listed === null) return counted(judged.length, 'model');
  return `${listed - leftOut} of ${counted(listed, 'listed model')}`;
}

/** `670 of 683 MUSTs` */
export function mustsInWords(result: Pick<RunResult, 'target' | 'checks'>): string {
  const { musts } = scopeOf(result);
  return `${musts.judged} of ${counted(musts.all, 'MUST')}`;
}

/** Describes the scope of a run in sentences: judged parts, open parts, and additionally listed parts. */
export function scopeInWords(result: RunResult): readonly string[] {
  const { target, catalogue, verdict } = result;
  if (target.claims === undefined && target.client === undefined) return [];
  const { restrictions, musts } = scopeOf(result);
  const { models } = target;
  // The preceding sentence counts the passed checks and those that do not apply.
  const isCounted = verdict === 'conformant' || verdict === 'known-failures';
  const parts = [
    modelsInWords(result),
    isCounted ? null : mustsInWords(result),
    musts.leftOpen.length === 0
      ? null
      : `${counted(musts.leftOpen.length, 'MUST')} left open by ${restrictions.join(', ')}: ${areasOf(musts.leftOpen)}`,
    musts.unclaimed === 0 ? null : `${counted(musts.unclaimed, 'MUST')} not claimed`,
    `catalogue revision ${catalogue.revision}`,
  ].filter((part) => part !== null);
  return [
    `Scope: ${parts.join('; ')}.`,
    ...(claimInWords(result)?.startsWith(noProfile) === true
      ? ['What the models declare is too little for any profile.']
      : []),
    ...(models === undefined ? [] : leftOutInWords(models)),
    ...besidesInWords(result),
  ];
}

/** The listed models that were not judged: a sentence, or none. */
function leftOutInWords({ leftOut, named }: JudgedModels): string[] {
  if (leftOut === 0) return [];
  const rest = leftOut - named.length;
  // The gateway provides these names.
  const shown = named.map((id) => `"${cutLine(printable(id), 60)}"`).join(', ');
  return [`Listed, and not judged: ${shown}${rest === 0 ? '' : ` and ${rest} more`}.`];
}

/** The protocols that the gateway serves and its target file omits: a sentence, or none. */
function besidesInWords({ checks }: Pick<RunResult, 'checks'>): string[] {
  const titles = protocolsLeftOut(checks).map((protocol) => protocolTitles[protocol]);
  return titles.length === 0
    ? []
    : [`Served, and left out by the target file: ${titles.join(', ')}.`];
}

/** `metering/ledger (7), storage/responses (6)` */
function areasOf(ids: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const area = id.slice(0, id.indexOf('.'));
    counts.set(area, (counts.get(area) ?? 0) + 1);
  }
  return [...counts].map(([area, count]) => `${area} (${count})`).join(', ');
}

/** The whole scope in one line, for formats without more space. */
export function inOneLine(result: RunResult): string {
  const claim = claimInWords(result);
  return [...(claim === null ? [] : [`${claim}.`]), ...scopeInWords(result)].join(' ');
}
