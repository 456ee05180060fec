import { printable, type RootCause, type RunResult, verdictThatCounts } from '../core/index.ts';
import { explain } from './explanation.ts';
import { causeSection, plainLines } from './finding.ts';
import { summaryOf } from './summary.ts';
import { type TargetOutcome, wordOf } from './target-outcome.ts';
import { counted, firstOf } from './words.ts';

/** Place of an annotation in a repository: the file that describes the gateway. */
interface Place {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
}

/** Returns the place for the annotations of a result, or null to attach them to the run. */
export type PlaceOf = (result: RunResult) => Place | null;

/**
 * A run as workflow commands of GitHub Actions, which become annotations: one for the verdict, an error for each
 * cause of failures, a warning for each cause of warnings and undecided checks.
 */
export function renderGithub(result: RunResult, placeOf: PlaceOf = () => null): string {
  return lines([verdictOf(result, '', placeOf), ...findingsOf(result, '', placeOf)]);
}

/** Prints workflow commands for several targets. Each annotation names its target. */
export function renderGithubOfTargets(
  outcomes: readonly TargetOutcome[],
  placeOf: PlaceOf = () => null,
): string {
  const all = outcomes.map((outcome) => ({ ...outcome, at: ` at ${outcome.name}` }));
  return lines([
    ...all.map(
      (outcome): Annotation =>
        outcome.result === null
          ? {
              kind: 'error',
              title: `Touchstone: ${wordOf(outcome)}${outcome.at}`,
              message: outcome.why,
              place: null,
            }
          : verdictOf(outcome.result, outcome.at, placeOf),
    ),
    ...all.flatMap(({ result, at }) => (result === null ? [] : findingsOf(result, at, placeOf))),
  ]);
}

interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly place: Place | null;
}

/** Number of annotations of a kind that GitHub shows for one step. It silently drops the others. */
const mostOfAKind = 10;

function lines(annotations: readonly Annotation[]): string {
  const kinds = ['error', 'warning', 'notice'] as const;
  const shown = kinds.flatMap((kind): readonly Annotation[] => {
    const own = annotations.filter((annotation) => annotation.kind === kind);
    if (own.length <= mostOfAKind) return own;
    const rest = own.slice(mostOfAKind - 1);
    const message = rest.map(({ title }) => title).join('\n');
    const title = `Touchstone: and ${rest.length} more`;
    return [...own.slice(0, mostOfAKind - 1), { kind, title, message, place: null }];
  });
  return shown.map((annotation) => `${command(annotation)}\n`).join('');
}

function verdictOf(result: RunResult, at: string, placeOf: PlaceOf): Annotation {
  const { verdict, why, next } = explain(result);
  const counts = verdictThatCounts(result);
  const kind = counts === 'conformant' || counts === 'known-failures' ? 'notice' : 'error';
  const title = `Touchstone: ${verdict}${at}`;
  return { kind, title, message: `${why} ${next}`, place: placeOf(result) };
}

function findingsOf(result: RunResult, at: string, placeOf: PlaceOf): Annotation[] {
  const { byCause, openGroups, groups } = summaryOf(result);
  const place = placeOf(result);
  const of =
    (kind: Annotation['kind']) =>
    (cause: RootCause): Annotation => ({ kind, place, ...told(cause, result, at) });
  return [
    ...byCause.failing.map(of('error')),
    ...byCause.warnings.map(of('warning')),
    ...[...openGroups, ...groups.error].map(({ title, count, reasons }): Annotation => {
      const [first] = reasons;
      const what = title ?? 'Internal error of Touchstone';
      return {
        kind: 'warning',
        title: `${what} (${counted(count, 'check')})${at}`,
        message: reasons.map(({ reason, checks }) => `${reason}: ${firstOf(checks, 3)}`).join('\n'),
        place: first === undefined ? null : place,
      };
    }),
  ];
}

function told(cause: RootCause, result: RunResult, at: string) {
  const { root, failed } = cause;
  const more = failed.length === 1 ? '' : ` and ${failed.length - 1} more`;
  const message = plainLines(causeSection(cause, result, { named: 20 }));
  return { title: `${root.id}${more} (${root.level})${at}`, message };
}

function command({ kind, title, message, place }: Annotation): string {
  const where = place === null ? '' : `file=${property(place.file)},line=${place.line},`;
  return `::${kind} ${where}title=${property(printable(title))}::${data(printable(message))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
