import { type CheckResult, type RunResult, suiteOf } from '../core/result.ts';
import { type Cause, type CheckState, causes } from '../core/verdict.ts';
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
        `${start}Every requirement that applies holds${known === 0 ? '' : ` but for ${counted(known, 'known failure')}`}: ${open('pass')} of ${countedMusts(binding.length, strict)} ` +
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
      const gaps = [
        counts.error > 0 ? counted(counts.error, 'internal error') : '',
        open('inconclusive') > 0
          ? `${countedMusts(open('inconclusive'), strict)} inconclusive`
          : '',
      ].filter((part) => part !== '');
      return gaps.length > 0
        ? `${start}${nothing}, but not enough could be judged: ${gaps.join(', ')}.`
        : `${start}No check was judged.`;
    }
    case 'partial': {
      const missing = [
        open('untestable') > 0 ? `${open('untestable')} untestable` : '',
        open('excluded') > 0 ? `${open('excluded')} excluded` : '',
      ].filter((part) => part !== '');
      return `${start}${nothing}, but not all was tested: of ${countedMusts(binding.length, strict)} ${missing.join(' and ')}.`;
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
      if (result.interrupted) return 'Run again, and let it finish.';
      if (result.counts.error > 0) return 'Errors are faults of Touchstone: please report them.';
      if (result.counts.inconclusive === 0 && result.counts.untestable > 0)
        return 'Nothing could be judged: add to the target file what "Untestable" asks for.';
      return advice(result);
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

/** What to do about what was left open: of its causes the one that explains most. */
function advice({ checks, strict }: RunResult): string {
  const count = new Map<Cause, number>();
  for (const check of checks) {
    if (check.verdict.state !== 'inconclusive' || !binds(check, strict)) continue;
    const { cause } = check.verdict;
    count.set(cause, (count.get(cause) ?? 0) + 1);
  }
  if (count.has('missing-report')) return 'Merge again, with the reports of all parts.';
  const told = causes.filter((cause) => adviceOn[cause] !== undefined && count.has(cause));
  const [most] = told.toSorted((one, other) => (count.get(other) ?? 0) - (count.get(one) ?? 0));
  return (
    (most === undefined ? undefined : adviceOn[most]) ??
    'See the reasons under "Inconclusive"; touchstone doctor checks the target file.'
  );
}

const slower = 'run again with a lower --rps or --concurrency';

/** The causes that can be helped without the gateway being changed. */
const adviceOn: Readonly<Partial<Record<Cause, string>>> = {
  'rate-limit': `The gateway limits the rate: ${slower}.`,
  overload: `The gateway was overloaded: ${slower}.`,
  timeout: `The gateway was slow: ${slower}, or with a longer --timeout.`,
  unreachable: 'The gateway could not be reached at times: see that it stays up, and run again.',
  'no-credit': 'A key has no credit left: top it up, and run again.',
  'locked-out':
    'The gateway locked the tests out after wrong keys: wait, and run again without that lock.',
  'local-resources':
    'This machine ran out of files or ports: run again with a lower --concurrency.',
};

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

function countedMusts(count: number, strict: boolean): string {
  return `${count} ${strict ? 'MUSTs and SHOULDs' : count === 1 ? 'MUST' : 'MUSTs'}`;
}
