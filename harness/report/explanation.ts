import { type CheckResult, type RunResult, suiteOf } from '../core/result.ts';
import type { CheckState } from '../core/verdict.ts';
import { lacksParts } from './merge.ts';
import { brokenIn, counted, excusedIn } from './tally.ts';

/** A run's verdict in words, for every report that people read. */
export interface Explanation {
  /** `NONCONFORMANT` */
  readonly verdict: string;
  /** What the verdict rests on, in a sentence or two. */
  readonly why: string;
  /** What to do next. */
  readonly next: string;
  /** The end of `next` that is to be typed; null when nothing is. */
  readonly typed: string | null;
}

/** Says why a run has its verdict, and what to do next. */
export function explain(result: RunResult): Explanation {
  const known = excusedIn(result).length;
  const exception = known === 0 ? '' : ` but for ${counted(known, 'known failure')}`;
  const word = result.verdict.toUpperCase();
  return {
    // Nobody shall take it for a clean result.
    verdict: result.verdict === 'conformant' ? `${word}${exception}` : word,
    why: why(result),
    next: next(result),
    typed: rerun(result),
  };
}

function why(result: RunResult): string {
  const { counts, strict } = result;
  const binding = result.checks.filter((check) => binds(check, strict));
  const open = (state: CheckState): number =>
    binding.filter(({ verdict }) => verdict.state === state).length;
  const start = result.interrupted ? 'The run was broken off. ' : '';
  const known = excusedIn(result).length;
  const nothing = `Nothing failed${known === 0 ? '' : ` but ${counted(known, 'known failure')}`}`;
  switch (result.verdict) {
    case 'conformant':
      return (
        `${start}Every requirement that applies holds${known === 0 ? '' : ` but for ${counted(known, 'known failure')}`}: ${open('pass')} of ${countedMusts(binding, strict)} ` +
        `passed${open('not-applicable') > 0 ? `, ${open('not-applicable')} not applicable` : ''}.`
      );
    case 'nonconformant': {
      const broken = brokenIn(result);
      const failed = (state: CheckState): number =>
        broken.filter(({ verdict }) => verdict.state === state).length;
      const stale = result.knownFailures?.stale.length ?? 0;
      const causes = [
        failed('fail') > 0 ? `${counted(failed('fail'), 'check')} of a MUST failed` : '',
        failed('warn') > 0 ? `${counted(failed('warn'), 'check')} of a SHOULD failed` : '',
        stale > 0 ? `${counted(stale, 'known failure')} ${stale === 1 ? 'is' : 'are'} stale` : '',
      ].filter((part) => part !== '');
      return `${start}${causes.join(', and ')}${strict ? ' (--strict)' : ''}.`;
    }
    case 'indeterminate': {
      const causes = [
        counts.error > 0 ? `${counted(counts.error, 'error')} of Touchstone itself` : '',
        open('inconclusive') > 0 ? `${counted(open('inconclusive'), 'check')} inconclusive` : '',
      ].filter((part) => part !== '');
      return causes.length > 0
        ? `${start}${nothing}, but not enough could be judged: ${causes.join(', ')}.`
        : `${start}No check was judged.`;
    }
    case 'partial': {
      const missing = [
        open('untestable') > 0 ? `${open('untestable')} untestable` : '',
        open('excluded') > 0 ? `${open('excluded')} excluded` : '',
      ].filter((part) => part !== '');
      return `${start}${nothing}, but not all was tested: of ${countedMusts(binding, strict)} ${missing.join(' and ')}.`;
    }
  }
}

function next(result: RunResult): string {
  switch (result.verdict) {
    case 'conformant':
      if (excusedIn(result).length > 0)
        return 'Mend what is listed, too: a certificate has no known failures.';
      return result.counts.warn > 0
        ? 'Look at the warnings: each is a SHOULD that does not hold.'
        : 'Nothing is to be mended. Evidence that others can check is made by touchstone certify.';
    case 'nonconformant':
      if (rerun(result) === null) {
        return `Remove what is mended from ${result.knownFailures?.file ?? 'the list'}: ${result.knownFailures?.stale.join(', ') ?? ''}`;
      }
      return `${doubt(result)}Mend what failed, then run only that again: the same touchstone run with ${rerun(result)}`;
    case 'indeterminate':
      if (result.interrupted) return 'Run again, and let it end.';
      if (lacksParts(result)) return 'Merge again, with the reports of all parts.';
      if (result.counts.error > 0) return 'Errors are faults of Touchstone: please report them.';
      if (result.counts.inconclusive === 0 && result.counts.untestable > 0)
        return 'Nothing could be judged: add to the target file what "Untestable" asks for.';
      return wasBusy(result)
        ? 'The gateway was busy or slow: run again with a lower --rps or --concurrency, or a longer --timeout.'
        : 'See the reasons under "Inconclusive"; touchstone doctor looks at what the target file says.';
    case 'partial':
      if (result.shard !== undefined) {
        const { index, of } = result.shard;
        return `This is part ${index} of ${of}: touchstone merge joins the reports of all parts.`;
      }
      return result.counts.untestable > 0
        ? 'Add to the target file what "Untestable" asks for, or accept the gap: --allow-partial.'
        : 'Run without filters for a whole verdict, or accept the gap: --allow-partial.';
  }
}

/** A mistake in the target file that looks like two faults of the gateway. */
function doubt(result: RunResult): string {
  const fails = (id: string): boolean =>
    brokenIn(result).some(({ requirement }) => requirement === id);
  return fails('access/owners.same-user-served') && fails('access/owners.other-user-denied')
    ? "See first whether `keys.sameUser` and `keys.otherUser` stand in each other's place: the second key of the user was denied, and the other user was served. "
    : '';
}

/** Whether something was left open by a limit, an overload or a time-out. */
function wasBusy({ checks }: RunResult): boolean {
  return checks.some(
    ({ verdict }) =>
      verdict.state === 'inconclusive' &&
      /a rate limit|an overload|a time-out|a limit of connections|had not answered/.test(
        verdict.reason,
      ),
  );
}

/** What to add to the command for what failed, and nothing else. */
function rerun(result: RunResult): string | null {
  if (result.verdict !== 'nonconformant' || brokenIn(result).length === 0) return null;
  return `${failedIds(result)} --seed ${result.seed}`;
}

/** Requirements while they are few, then areas, then suites: short, and none that failed is left out. */
function failedIds(result: RunResult): string {
  const requirements = [...new Set(brokenIn(result).map(({ requirement }) => requirement))];
  if (requirements.length <= 3) return requirements.join(' ');
  const areas = [...new Set(requirements.map((id) => id.replace(/\..*/, '')))];
  if (areas.length <= 10) return areas.join(' ');
  return [...new Set(areas.map((area) => `${suiteOf(area)}/`))].join(' ');
}

function binds({ level }: CheckResult, strict: boolean): boolean {
  return level === 'MUST' || (strict && level === 'SHOULD');
}

function countedMusts(checks: readonly unknown[], strict: boolean): string {
  return `${checks.length} ${strict ? 'MUSTs and SHOULDs' : 'MUSTs'}`;
}
