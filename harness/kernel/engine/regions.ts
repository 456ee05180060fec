import {
  type CheckState,
  type CheckVerdict,
  type Exchange,
  formatId,
  isTransient,
  type Points,
  redStates,
} from '../core/index.ts';
import { isServed } from '../judge/index.ts';
import { actsOnStored } from '../protocols/index.ts';
import type { WholeRun } from './whole-run.ts';

export interface InRegion {
  readonly region: string;
  readonly verdict: CheckVerdict;
}

/** The worst state first. "Not applicable" in one region says nothing of another, and comes last. */
const worstFirst: readonly CheckState[] = [
  'error',
  'fail',
  'warn',
  'inconclusive',
  'untestable',
  'note',
  'pass',
  'excluded',
  'not-applicable',
];

/** Joins the verdicts of all regions: the worst one, with the names of its regions. */
export function joined(all: readonly InRegion[]): CheckVerdict {
  const rank = ({ verdict }: InRegion): number => worstFirst.indexOf(verdict.state);
  const [worst] = all.toSorted((one, other) => rank(one) - rank(other));
  if (worst === undefined) throw new Error('A check is judged in one region at least');
  if (all.length === 1) return worst.verdict;
  const alike = all.filter((one) => rank(one) === rank(worst));
  const verdict = alike.length === all.length ? worst.verdict : named(alike, worst.verdict);
  return isJudged(verdict) ? { ...verdict, points: pointsOf(all) } : verdict;
}

type JudgedVerdict = Extract<CheckVerdict, { points?: Points }>;

function isJudged(verdict: CheckVerdict): verdict is JudgedVerdict {
  return ['pass', 'fail', 'warn', 'note'].includes(verdict.state);
}

/** Counts each region with a verdict as one point, unless it has several points there. */
function pointsOf(all: readonly InRegion[]): Points {
  const points = all
    .map(({ verdict }) => verdict)
    .filter(isJudged)
    .map(({ state, points }) => points ?? { judged: 1, broken: redStates.has(state) ? 1 : 0 });
  return {
    judged: points.reduce((sum, { judged }) => sum + judged, 0),
    broken: points.reduce((sum, { broken }) => sum + broken, 0),
  };
}

function named(regions: readonly InRegion[], verdict: CheckVerdict): CheckVerdict {
  // An internal error does not depend on the region.
  if (verdict.state === 'error') return verdict;
  const names = regions.map(({ region }) => region);
  const where = `in region${names.length > 1 ? 's' : ''} ${names.join(', ')}: `;
  if ('actual' in verdict) return { ...verdict, actual: `${where}${verdict.actual}` };
  if ('reason' in verdict) return { ...verdict, reason: `${where}${verdict.reason}` };
  return verdict;
}

/**
 * Returns the verdict for a region whose lists show the owner none of the models that the check needs. A failure
 * counts only if such a model was served against the rules.
 */
export function unlessServed(verdict: CheckVerdict): CheckVerdict {
  switch (verdict.state) {
    case 'fail':
    case 'warn':
      if (/^2/.test(verdict.evidence?.outcome ?? '')) return verdict;
      break;
    case 'inconclusive':
      if (isTransient(verdict.cause)) return verdict;
      break;
    case 'error':
    case 'untestable':
      return verdict;
  }
  return { state: 'not-applicable', reason: 'the region lists no model for it' };
}

/**
 * Returns the verdict for a further region. No source says that every region has every endpoint: if a region serves
 * nothing at the path of an ordinary request, checks that depend on it do not apply there. A request for a stored
 * response is excepted, because its 404 may have other reasons.
 *
 * @param whole returns all exchanges of the run
 */
export async function unlessMissing(
  verdict: CheckVerdict,
  whole: () => Promise<Pick<WholeRun, 'exchanges'>>,
): Promise<CheckVerdict> {
  if (verdict.state !== 'inconclusive' || isTransient(verdict.cause)) return verdict;
  const { outcome = '', exchange: id } = verdict.evidence ?? {};
  if (!/^(404|405|410)$/.test(outcome)) return verdict;
  const { exchanges } = await whole();
  const missing = exchanges.find((exchange) => formatId(exchange.id) === id);
  if (missing === undefined || actsOnStored(missing.about.operation)) return verdict;
  const place = placeOf(missing);
  const other = exchanges.find((one) => placeOf(one) === place && isServed(one));
  if (other === undefined) {
    return { state: 'not-applicable', reason: 'the region does not have the endpoint' };
  }
  return {
    ...verdict,
    reason: `${verdict.reason}; the region has it, for it served ${formatId(other.id)}`,
  };
}

/** Returns region, method and path, without the model that the path names. */
function placeOf({ about, request }: Exchange): string {
  const path = new URL(request.url).pathname.replace(/\/models\/[^:]*/, '/models/…');
  return [about.region, request.method, path].join(' ');
}
