import {
  binds,
  type Cause,
  type CheckState,
  causes,
  clientCommandLine,
  commandLine,
  isAllowed,
  isUnfinished,
  partInWords,
  protocolTitles,
  type RunResult,
  suiteOf,
  verdictThatCounts,
} from '../core/index.ts';
import { claimInWords, scopeInWords } from './scope.ts';
import { spokenInWords, subjectOf } from './subject.ts';
import { type ResultOf, type RunSummary, summaryOf } from './summary.ts';
import { counted, firstOf } from './words.ts';

/** Parts of a report. */
export type Named = 'known' | 'warnings' | 'inconclusive' | 'untestable';

/** A run's verdict in words, for all human-readable reports. */
interface Explanation {
  /** `NONCONFORMANT` */
  readonly verdict: string;
  /** Reasons for the verdict, in a sentence or two. */
  readonly why: string;
  /** Next step, ending with the command line to type. */
  readonly next: string;
  /** Next step without the command line. */
  readonly advice: string;
  /** The command line to type, or null. */
  readonly typed: string | null;
  /** The part of a report that the advice refers to, or null. */
  readonly named: Named | null;
}

/** Explains the verdict of a run and the next step. */
export function explain(result: RunResult): Explanation {
  const summary = summaryOf(result);
  const { length: known } = summary.excused;
  const exception = known === 0 ? '' : ` but for ${counted(known, 'known failure')}`;
  const word = result.verdict.toUpperCase();
  const isGreen = result.verdict === 'conformant' || result.verdict === 'known-failures';
  // The verdict names its scope, so that it is not overestimated.
  const claim = claimInWords(result);
  const scope = claim === null ? '' : `: ${claim}`;
  const { advice, typed = null, named = null } = next(summary);
  return {
    verdict: `${isGreen ? `CONFORMANT${exception}` : word}${scope}`,
    why: [
      ...keysMasked(result),
      ...(result.interrupted ? ['The run was interrupted.'] : []),
      ...hasEnded(result),
      why(summary, exception),
      ...whatIsAllowed(summary),
      ...scopeInWords(result),
      ...spokenInWords(result),
      ...notJudged(result),
      ...(result.target.takesNoKeys
        ? [
            'The target file says that the gateway takes no keys: what the specification demands of keys stays demanded.',
          ]
        : []),
    ].join(' '),
    next: typed === null ? advice : `${advice} ${typed}`,
    advice,
    typed,
    named,
  };
}

/** Reports that the gateway has exited, and the cause if it is known: a sentence or two, or none. */
function hasEnded({ traffic: { ended = [] } }: RunResult): readonly string[] {
  if (ended.length === 0) return [];
  const times = ended.length === 1 ? '' : ` ${ended.length} times`;
  const alone = ended.filter(({ underWay }) => underWay === 1);
  const [first] = alone;
  if (first === undefined) {
    return [`The gateway ended${times} amid other requests: what was under way is not judged.`];
  }
  const more = alone.length === 1 ? '' : `, and ${alone.length - 1} more`;
  return [
    `The gateway ended${times} at a request that was sent alone: ${first.request} (${first.exchange})${more}.`,
  ];
}

/** Warns that keys would have been shown: a sentence or two, or none. */
function keysMasked({ keysMasked: where = [] }: RunResult): readonly string[] {
  if (where.length === 0) return [];
  const places = where.map((id) => ({ id }));
  return [
    `WARNING: a key of the target would have stood in what was found (${firstOf(places, 3)}), and was masked there. The gateway shows keys in its answers: see access/credentials.key-not-echoed.`,
  ];
}

/** Mentions that the command does not fail for open checks: a sentence, or none. */
function whatIsAllowed({ result }: RunSummary): readonly string[] {
  const { allowedInconclusive: allowed = [], checks } = result;
  const count = checks.filter((check) => isAllowed(check, result)).length;
  if (count === 0) return [];
  const options = allowed.map((cause) => `--allow-inconclusive ${cause}`).join(' ');
  const isOpen = verdictThatCounts(result) === 'indeterminate';
  const checksInWords = counted(count, 'inconclusive check');
  return isOpen
    ? [`${checksInWords} ${count === 1 ? 'is' : 'are'} allowed (${options}), others are not.`]
    : [`The exit code does not count ${checksInWords} (${options}).`];
}

/** Names what the gateway does beyond what is judged, according to the target file: a sentence for each kind. */
export function notJudged({ target }: Pick<RunResult, 'target'>): readonly string[] {
  const { acceptsAlso = [], alsoServes = [] } = target;
  const places = acceptsAlso.map(
    ({ protocol, headers }) => `${headers.join(' and ')} on ${protocolTitles[protocol]}`,
  );
  return [
    ...(places.length === 0 ? [] : [`The gateway also accepts a key in ${places.join(', ')}.`]),
    ...(alsoServes.length === 0 ? [] : [`Served, not judged: ${alsoServes.join(', ')}.`]),
  ];
}

/** @param exception the known failures in words, or empty if there are none */
function why({ result, broken, binding, byCause, covered }: RunSummary, exception: string): string {
  const { counts, strict } = result;
  const open = (state: CheckState): number => binding.counts[state];
  const others = counts.inconclusive - open('inconclusive');
  const musts = (count: number): string =>
    `${count} ${strict ? 'MUSTs and SHOULDs' : count === 1 ? 'MUST' : 'MUSTs'}`;
  switch (result.verdict) {
    case 'conformant':
    case 'known-failures':
      return (
        `Every requirement that applies holds${exception}: ` +
        `${open('pass')} of ${musts(binding.count)} passed` +
        `${open('not-applicable') > 0 ? `, ${open('not-applicable')} not applicable` : ''}.` +
        (others > 0 ? ` Undecided: ${counted(others, 'other check')}.` : '') +
        waitingForKnown(covered)
      );
    case 'nonconformant': {
      const failed = (state: CheckState) =>
        broken.filter((one) => one.verdict.state === state).length;
      const stale = result.knownFailures?.stale.length ?? 0;
      const expired = result.knownFailures?.expired?.length ?? 0;
      const causes = [
        failed('fail') > 0 ? `${counted(failed('fail'), 'MUST check')} failed` : '',
        failed('warn') > 0 ? `${counted(failed('warn'), 'SHOULD check')} failed` : '',
        stale > 0 ? `${counted(stale, 'known failure')} ${stale === 1 ? 'is' : 'are'} stale` : '',
        expired > 0 ? `${counted(expired, 'known failure')} expired` : '',
      ].filter((part) => part !== '');
      const { length } = byCause.failing;
      const seemingly =
        length > 0 && length < broken.length
          ? ` They seem to have ${length === 1 ? 'one cause' : `${length} causes`}.`
          : '';
      return `${causes.join(', and ')}${strict ? ' (strict mode)' : ''}.${seemingly}`;
    }
    case 'indeterminate': {
      const gaps = [
        isUnfinished(result) ? 'not all rounds were judged to their end' : '',
        counts.error > 0 ? counted(counts.error, 'error') : '',
        open('inconclusive') > 0 ? `${musts(open('inconclusive'))} inconclusive` : '',
      ].filter((part) => part !== '');
      return gaps.length > 0
        ? `Nothing failed${exception}, but not enough could be judged: ${gaps.join(', ')}.`
        : 'No check was judged.';
    }
    case 'partial': {
      const missing = (['untestable', 'excluded'] as const)
        .filter((state) => open(state) > 0)
        .map((state) => `${open(state)} ${open(state) === 1 ? 'is' : 'are'} ${state}`);
      return `Nothing failed${exception}, but not everything was tested: of ${musts(binding.count)}, ${missing.join(' and ')}.`;
    }
  }
}

/** Counts the checks that are undecided only because of known failures: a sentence, or empty. */
function waitingForKnown({ length }: RunSummary['covered']): string {
  if (length === 0) return '';
  return ` ${counted(length, 'check')} could not be judged because of ${length === 1 ? 'it' : 'them'}.`;
}

interface Next {
  readonly advice: string;
  readonly typed?: string;
  readonly named?: Named;
}

/** Command that starts Touchstone, as far as it is known. */
export function programOf({ invocation }: Pick<RunResult, 'invocation'>): string {
  return invocation?.program ?? 'touchstone';
}

/** Next step for observed exchanges, which cannot be requested again. */
function nextOfObserved({ verdict }: RunResult): string {
  return verdict === 'nonconformant'
    ? 'Fix what failed, and observe again. `touchstone run` judges what nobody has asked for.'
    : '`touchstone run` judges what nobody has asked for; --allow-partial exits with 0 without that.';
}

function next(summary: RunSummary): Next {
  const { result, excused, broken, by, groups } = summary;
  if (result.observed !== undefined) return { advice: nextOfObserved(result) };
  const { closeGap } = subjectOf(result);
  const part = partInWords(result);
  switch (result.verdict) {
    case 'conformant':
    case 'known-failures':
      if (excused.length > 0) {
        return { advice: 'Fix the known failures, too: a certificate has none.', named: 'known' };
      }
      if (by.warn.length === 0) return { advice: 'No action needed.' };
      return {
        advice: 'Look at the warnings: each is a SHOULD that does not hold.',
        named: 'warnings',
      };
    case 'nonconformant': {
      if (broken.length === 0) return { advice: outdated(result) };
      const advice = `${doubt(summary)}Fix what failed, then run only that again:`;
      return { advice, typed: rerun(summary) };
    }
    case 'indeterminate':
      if (result.interrupted) return { advice: 'Run again, and let it finish.' };
      if (by.error.length > 0) return { advice: 'Record anew what is stale; report the rest.' };
      if (isUnfinished(result)) {
        return { advice: 'Ask for fewer rounds (--repeat), or give them more time (--deadline).' };
      }
      if (by.inconclusive.length === 0 && by.untestable.length > 0)
        return { advice: `Nothing could be judged: ${closeGap}.`, named: 'untestable' };
      return { advice: advice(summary), named: 'inconclusive' };
    case 'partial':
      if (part !== null) {
        const joins = `${programOf(result)} merge joins the reports of all parts.`;
        return { advice: `This is ${part}: ${joins}` };
      }
      return groups.untestable.length > 0
        ? {
            advice: `${capital(closeGap)}, or accept the gap: --allow-partial.`,
            named: 'untestable',
          }
        : {
            advice: 'Judge everything for a whole verdict, or accept the gap: --allow-partial.',
          };
  }
}

/** Explains how to update an outdated list of known failures. */
function outdated({ knownFailures }: RunResult): string {
  const { file = 'the list', stale = [], expired = [] } = knownFailures ?? {};
  return [
    ...(stale.length === 0 ? [] : [`Remove what is fixed from ${file}: ${stale.join(', ')}`]),
    ...(expired.length === 0
      ? []
      : [`Fix what has expired in ${file}, or give it another day: ${expired.join(', ')}`]),
  ].join('. ');
}

/** Mentions an error in the target file that would look like two faults of the gateway. */
function doubt({ broken }: RunSummary): string {
  const fails = (id: string): boolean => broken.some(({ requirement }) => requirement === id);
  return fails('access/owners.same-user-served') && fails('access/owners.other-user-denied')
    ? 'Check first whether `keys.sameUser` and `keys.otherUser` are swapped: the second key of the user was denied, and the other user was served. '
    : '';
}

/** Advises on the open checks, by the cause that explains most of them. */
function advice({ result, by, covered }: RunSummary): string {
  if (by.inconclusive.some(({ verdict }) => verdict.cause === 'missing-report')) {
    return 'Merge again, with the reports of all parts.';
  }
  const open = by.inconclusive.filter((check) => !covered.includes(check));
  const binding = open.filter(({ level }) => binds(level, result.strict));
  const count = (cause: Cause): number =>
    binding.filter(({ verdict }) => verdict.cause === cause).length;
  const told = causes.filter((cause) => cause in adviceOn && count(cause) > 0);
  const [most] = told.sort((one, other) => count(other) - count(one));
  if (result.target.client !== undefined) return adviceOnClient;
  const last = `See the reasons under "Inconclusive"; ${programOf(result)} doctor checks the target file.`;
  const hangs = most === 'timeout' ? hanging(binding) : null;
  if (hangs !== null) {
    return `Only ${hangs} got no answer in time, and did not get one again and again: see whether the gateway hangs there. It is not likely to be its load.`;
  }
  return most === undefined ? last : (adviceOn[most] ?? last);
}

/** Number of timeouts of a single request after which the advice blames the gateway for hanging. */
const oftenEnough = 3;

/** The only request that timed out, if it did so several times, or null. */
function hanging(open: readonly ResultOf<'inconclusive'>[]): string | null {
  const late = new Map<string, Set<string>>();
  for (const { verdict } of open) {
    if (verdict.cause !== 'timeout' || verdict.evidence === null) continue;
    const { request, exchange } = verdict.evidence;
    late.set(request, (late.get(request) ?? new Set()).add(exchange));
  }
  const [first, second] = late;
  return first !== undefined && second === undefined && first[1].size >= oftenEnough
    ? first[0]
    : null;
}

/** Only the client itself can close the gaps it leaves open. */
const adviceOnClient =
  'See the reasons under "Inconclusive": what a client neither sends nor says cannot be judged.';

const slower = 'run again with a lower --rps or --concurrency';

/** The causes that can be fixed without a change of the gateway. */
const adviceOn: Readonly<Partial<Record<Cause, string>>> = {
  'rate-limit': `The gateway limits the rate: ${slower}.`,
  overload: `The gateway was overloaded: ${slower}.`,
  timeout: `The gateway was slow: ${slower}, or with a longer --timeout.`,
  unreachable: 'The gateway could not be reached at times: see that it stays up, and run again.',
  'no-credit': 'A key has no credit left: top it up, and run again.',
  'locked-out':
    'The gateway locked the tests out after wrong keys: wait, and run again without that lock.',
  'out-of-time': 'The deadline came first: give the run more time, or run a part of it.',
  'over-budget':
    'The gateway served generations that it had to refuse, and they spent the budget: repair that first.',
  'local-resources':
    'This machine ran out of files, ports or memory: run again with a lower --concurrency.',
  unread: 'Touchstone could not read what the gateway may well send: please report it.',
  'too-large':
    'The gateway sent more than Touchstone reads of one answer: see the reasons, and what it sends there.',
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The command line that judges the failures again. */
function rerun({ result, broken }: RunSummary): string {
  const ids = idsOf(broken);
  const { target, invocation, seed } = result;
  if (target.client !== undefined) return clientCommandLine(target.client, ids.split(' '));
  const { command = 'touchstone run --target FILE', report } = invocation ?? {};
  return report === undefined
    ? `${command} ${commandLine([...ids.split(' '), '--seed', String(seed)])}`
    : `${command} --rerun-failed ${report}`;
}

/** Requirements if they are few, then areas, then suites. The list is short and includes every failure. */
function idsOf(broken: RunSummary['broken']): string {
  const requirements = [...new Set(broken.map(({ requirement }) => requirement))];
  if (requirements.length <= 3) return requirements.join(' ');
  const areas = [...new Set(requirements.map((id) => id.replace(/\..*/, '')))];
  if (areas.length <= 10) return areas.join(' ');
  return [...new Set(areas.map((area) => `${suiteOf(area)}/`))].join(' ');
}
