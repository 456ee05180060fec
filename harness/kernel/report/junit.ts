import { type CheckResult, durationOf, type RunResult } from '../core/index.ts';
import { specificationInWords } from './basis.ts';
import { notJudged } from './explanation.ts';
import { isDue, outcomeOf } from './outcome.ts';
import { inOneLine } from './scope.ts';
import { placeInWords, titleOf } from './subject.ts';
import { summaryOf } from './summary.ts';

/**
 * A run as JUnit XML, with a test suite for each suite, and its checks that were due. An undecided check is an
 * `<error>`. An untestable check is `<skipped>`, with the reason. A check has the duration of its scenarios, which
 * other checks may share. A suite counts each scenario once. The properties hold the verdict of the run.
 */
export function renderJunit(result: RunResult): string {
  const { suites } = summaryOf(result);
  const checks = result.checks.filter(isDue);
  const elements = suites.map(({ name, checks }) => suiteElement(name, checks, result));
  const attributes = [
    `name="${text(`touchstone: ${titleOf(result)}`)}"`,
    totals(checks, result),
    `time="${seconds(result.durationMs)}"`,
    `timestamp="${text(result.startedAt)}"`,
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes.join(' ')}>`,
    ...elements,
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteElement(suite: string, all: readonly CheckResult[], result: RunResult): string {
  const checks = all.filter(isDue);
  const names = checks.flatMap(({ scenarios }) => scenarios);
  const time = seconds(durationOf(names, result.traffic) ?? 0);
  return [
    `  <testsuite name="${text(suite)}" ${totals(checks, result)} time="${time}" timestamp="${text(result.startedAt)}">`,
    '    <properties>',
    `      <property name="verdict" value="${text(result.verdict)}"/>`,
    `      <property name="seed" value="${result.seed}"/>`,
    `      <property name="touchstone" value="${text(result.suiteVersion)}"/>`,
    `      <property name="not-due" value="${all.length - checks.length}"/>`,
    `      <property name="scope" value="${text(inOneLine(result))}"/>`,
    `      <property name="specification" value="${text(specificationInWords(result))}"/>`,
    ...(result.target.client === undefined
      ? []
      : [`      <property name="client" value="${text(placeInWords(result))}"/>`]),
    ...notJudged(result).map(
      (sentence) => `      <property name="not-judged" value="${text(sentence)}"/>`,
    ),
    '    </properties>',
    ...checks.map((check) => caseElement(check, result)),
    '  </testsuite>',
  ].join('\n');
}

function caseElement(check: CheckResult, result: RunResult): string {
  const { status, message, detail } = outcomeOf(check, result);
  const open = `    <testcase name="${text(check.id)}" classname="${text(check.suite)}" time="${seconds(check.durationMs ?? 0)}"`;
  const about = message === null ? '' : ` message="${text(message)}"`;
  const { verdict } = check;
  const cause = verdict.state === 'inconclusive' ? ` ${verdict.cause}` : '';
  const type = ` type="${text(`${check.level} ${verdict.state}${cause}`)}"`;
  const inner = (element: string): string => `${open}>\n      ${element}\n    </testcase>`;
  switch (status) {
    case 'failed':
      return inner(`<failure${about}${type}>${content(detail ?? '')}</failure>`);
    case 'other':
      return inner(`<error${about}${type}>${content(detail ?? '')}</error>`);
    case 'skipped':
      // Some systems read the attribute, others only the content.
      return inner(`<skipped${about}>${content(message ?? '')}</skipped>`);
    case 'passed':
      return message === null
        ? `${open}/>`
        : inner(`<system-out>${content(detail ?? message)}</system-out>`);
  }
}

function totals(checks: readonly CheckResult[], result: RunResult): string {
  const statuses = checks.map((check) => outcomeOf(check, result).status);
  const count = (wanted: string): number => statuses.filter((status) => status === wanted).length;
  return (
    `tests="${checks.length}" failures="${count('failed')}" errors="${count('other')}" ` +
    `skipped="${count('skipped')}"`
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Text for an attribute, in which line ends would become spaces. */
function text(value: string): string {
  return content(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}

/** Text for an element, without characters that XML 1.0 forbids. */
function content(value: string): string {
  return value
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
