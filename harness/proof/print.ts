import { type CheckVerdict, covers, cutLine } from '../kernel/core/index.ts';
import type { MutationVerdicts, TransientVerdicts } from './answers/sound-answers.ts';
import { type Determinism, isDeterministic } from './determinism.ts';
import { type HonestRun, isJudgedRight, survivors } from './honest/judge-honest.ts';
import type { Earned } from './judge-null-targets.ts';
import { type Toleration, toleratedWell } from './judge-variants.ts';
import type { JudgedCheck } from './judged-checks.ts';
import type { Killing } from './matrix.ts';
import type { Proof } from './prove.ts';
import { recordedFile } from './recorded-failures.ts';

/** Formats the matrix for a terminal: a line for each fault, followed by its problems. */
export function printProof({ matrix, unbroken }: Proof): string {
  const lines: string[] = [];
  for (const line of matrix) {
    const { fault, killedBy, survived, unexpected, missing, undecided } = line;
    const also = undecided.length === 0 ? '' : `, ${undecided.length} undecided`;
    const by = count(killedBy.length, 'check');
    lines.push(`${isAsRecorded(line) ? '✓' : '✗'} ${fault.id.padEnd(48)} killed by ${by}${also}`);
    for (const id of survived) lines.push(`    survived    ${id}`);
    for (const { check, from, to } of unexpected) {
      lines.push(`    unexpected  ${check}: ${from} → ${to.state}, ${gist(to)}`);
    }
    for (const check of missing) lines.push(`    no longer   ${check}: is recorded, did not fail`);
  }
  if (unbroken !== null && unbroken.length > 0) {
    lines.push(
      '',
      `No fault breaks ${count(unbroken.length, 'MUST')}:`,
      ...unbroken.map((id) => `  ${id}`),
    );
  }
  const survivors = matrix.filter(({ survived }) => survived.length > 0).length;
  const more = matrix.filter(({ unexpected }) => unexpected.length > 0).length;
  const fewer = matrix.filter(({ missing }) => missing.length > 0).length;
  lines.push(
    '',
    `${count(matrix.length, 'fault')}: ${matrix.length - survivors} killed, ${survivors} survived, ` +
      `${more} with unexpected failures, ${fewer} without recorded ones` +
      `${unbroken === null ? '' : `; ${count(unbroken.length, 'MUST')} without a fault`}.`,
  );
  return `${lines.join('\n')}\n`;
}

/** True if the fault is killed, and the other failures match the recorded ones. */
export function isAsRecorded({
  survived,
  unexpected,
  missing,
}: Pick<Killing, 'survived' | 'unexpected' | 'missing'>): boolean {
  return survived.length + unexpected.length + missing.length === 0;
}

/** Formats the failures that differ from the recorded ones, and how to accept them; empty if none do. */
export function printChanges({ matrix }: Proof, accept: string): string {
  const changed = matrix.filter(
    ({ unexpected, missing }) => unexpected.length + missing.length > 0,
  );
  if (changed.length === 0) return '';
  const lines = changed.flatMap(({ fault, unexpected, missing }) => [
    `  ${fault.id}`,
    ...unexpected.map(({ check }) => `    + ${check}`),
    ...missing.map((check) => `    - ${check}`),
  ]);
  return [
    '',
    `What else fails is not what ${recordedFile} says:`,
    ...lines,
    '',
    `If each + is a consequence of its fault, and each - is meant, accept them: ${accept}`,
    'If one comes in some runs only, write it into the file with ~ and the reason.',
    '',
  ].join('\n');
}

/** Formats the changes that were written to the file of recorded failures, for a terminal. */
export function printRecorded({ matrix }: Proof): string {
  const changed = matrix.filter(
    ({ unexpected, missing }) => unexpected.length + missing.length > 0,
  );
  return `\n${recordedFile} is written: ${count(changed.length, 'fault')} changed.\n`;
}

/** Formats the results of the legal differences for a terminal. */
export function printTolerations(tolerations: readonly Toleration[]): string {
  const lines = tolerations.flatMap((one) => [
    `${toleratedWell(one) ? '✓' : '✗'} ${one.variant.id.padEnd(48)} ${one.verdict}`,
    ...toldLines('blamed', one.blamed),
    ...toldLines('undecided', one.undecided),
  ]);
  const blamed = tolerations.filter((one) => one.blamed.length > 0).length;
  const undecided = tolerations.filter((one) => one.undecided.length > 0).length;
  return `${[...lines, '', `${count(tolerations.length, 'legal variant')}, ${blamed} blamed, ${undecided} undecided.`].join('\n')}\n`;
}

/** Formats the results of the null targets for a terminal. */
export function printEarned(earned: readonly Earned[]): string {
  const lines = earned.flatMap((one) => [
    `${earnedNothing(one) ? '✓' : '✗'} ${one.kind.padEnd(48)} ${one.verdict}`,
    ...one.countedMusts.map((id) => `    earned     ${id}`),
    ...toldLines('error', one.errors),
  ]);
  const wrong = earned.filter((one) => !earnedNothing(one)).length;
  return `${[...lines, '', `${count(earned.length, 'null target')}: ${wrong} passed a MUST, or broke Touchstone.`].join('\n')}\n`;
}

/** Formats the gateways judged under several conditions for a terminal. */
export function printDeterminism(judged: readonly Determinism[]): string {
  const lines = judged.flatMap((one) => [
    `${isDeterministic(one) ? '✓' : '✗'} ${(one.fault ?? 'the sound reference gateway').padEnd(48)} ${count(one.conditions, 'condition')}${one.unjudged === 0 ? '' : `, ${one.unjudged} not judged`}`,
    ...one.changed.map(
      ({ condition, check, from, to }) => `    changed    ${check}: ${from} → ${to}; ${condition}`,
    ),
    ...one.survived.map(({ condition, id }) => `    survived   ${id}; ${condition}`),
  ]);
  const wrong = judged.filter((one) => !isDeterministic(one)).length;
  return `${[...lines, '', `${count(judged.length, 'gateway')}, ${wrong} with verdicts that depend on order, chance or pace.`].join('\n')}\n`;
}

/** Formats the result of the transient failures, for a terminal. */
export function printTransients({ exchanges, verdicts, blamed }: TransientVerdicts): string {
  const lines = blamed.flatMap(({ key, transient, check, from, to }) => [
    `✗ ${key === null ? 'judged again' : `${key} ${transient}`}`,
    `    blamed     ${check}: ${from} → ${to.state}, ${gist(to)}`,
  ]);
  return `${[...lines, ...(lines.length === 0 ? [] : ['']), `${count(exchanges, 'answer')}, ${count(verdicts, 'verdict')} after a transient failure of one of them: ${blamed.length} blame the gateway.`].join('\n')}\n`;
}

/** Formats the result of randomly changed answers, for a terminal. */
export function printMutations({ rounds, mutated, verdicts, broken }: MutationVerdicts): string {
  const lines = broken.flatMap(({ round, check, reason }) => [
    `✗ ${check}, round ${round}`,
    ...reason.split('\n').map((line) => `    ${line}`),
  ]);
  return `${[...lines, `${count(rounds, 'round')}, ${count(mutated, 'changed answer')}, ${count(verdicts, 'verdict')}: ${broken.length} errors of Touchstone.`].join('\n')}\n`;
}

/** Formats the runs on honest gateways for a terminal: a line for each, followed by its problems. */
export function printHonest(runs: readonly HonestRun[]): string {
  const lines = runs.flatMap((run) => {
    const { id, seed, busy, verdict } = run;
    const isRight = isJudgedRight(run);
    const where = `seed ${seed}, ${busy ? 'busy' : 'idle'}`;
    return [
      `${isRight ? '✓' : '✗'} ${id.padEnd(40)} ${where.padEnd(14)} ${verdict}`,
      ...survivors(run).map((row) => `    survived   ${row}`),
      ...(isRight ? [] : undecidedOrBlamed(run)),
    ];
  });
  const wrong = runs.filter((run) => !isJudgedRight(run)).length;
  return `${[...lines, '', `${count(runs.length, 'run')} on honest gateways and their broken twins: ${wrong} judged wrongly.`].join('\n')}\n`;
}

function undecidedOrBlamed({ failed, undecided }: HonestRun): string[] {
  return [...toldLines('blamed', failed), ...toldLines('undecided', undecided)];
}

function toldLines(what: string, checks: readonly JudgedCheck[]): string[] {
  return checks.map(
    ({ check, verdict }) => `    ${what.padEnd(11)}${check}: ${verdict.state}, ${gist(verdict)}`,
  );
}

/** True without a passed MUST, a favourable verdict or an error of Touchstone. */
export function earnedNothing({ verdict, countedMusts, errors }: Earned): boolean {
  const isGlad = verdict === 'conformant' || verdict === 'partial';
  return countedMusts.length === 0 && errors.length === 0 && !isGlad;
}

/** Formats one fault in full, with the message of each check that it broke. */
export function printFault(
  {
    fault,
    killedBy,
    otherFailures,
    unexpected,
  }: Pick<Killing, 'fault' | 'killedBy' | 'otherFailures' | 'unexpected'>,
  verdicts: ReadonlyMap<string, CheckVerdict>,
): string {
  const lines = [`${fault.id}: ${fault.what}`, ''];
  const unrecorded = new Set(unexpected.map(({ check }) => check));
  for (const check of new Set([...killedBy, ...otherFailures, ...unrecorded])) {
    const verdict = verdicts.get(check);
    if (verdict === undefined) continue;
    const kind = unrecorded.has(check) ? ' (unexpected)' : ' (recorded)';
    lines.push(`${verdict.state} ${check}${covers(fault.breaks, check) ? '' : kind}`);
    if ('expected' in verdict) {
      lines.push(`  expected  ${verdict.expected}`, `  actual    ${verdict.actual}`);
    }
    if ('evidence' in verdict && verdict.evidence !== null) {
      const { request, outcome, curl } = verdict.evidence;
      lines.push(`  exchange  ${request} → ${outcome}`, `  repeat    ${curl}`);
    }
    if ('reason' in verdict) lines.push(`  reason    ${verdict.reason}`);
    lines.push('');
  }
  return lines.join('\n');
}

/** Formats a count: `1 fault`, `2 faults`. */
function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function gist(verdict: CheckVerdict): string {
  const words = 'actual' in verdict ? verdict.actual : 'reason' in verdict ? verdict.reason : '';
  return cutLine(words, 160);
}
