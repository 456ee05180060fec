import type { CheckVerdict } from '../core/verdict.ts';
import type { TriedTransients } from '../engine/run-many.ts';
import { isDeterministic, type Steadiness } from './determinism.ts';
import type { Earned } from './judge-null-targets.ts';
import type { Toleration } from './judge-variants.ts';
import { covers, type Killing } from './matrix.ts';
import type { Proof } from './prove.ts';

/** The matrix for a terminal: a line for each fault, and what is wrong with it below. */
export function printProof({ matrix, unbroken }: Proof): string {
  const lines: string[] = [];
  for (const { fault, killedBy, survived, bystanders, knockedOut } of matrix) {
    const mark = survived.length === 0 && bystanders.length === 0 ? '✓' : '✗';
    const also = knockedOut.length === 0 ? '' : `, ${knockedOut.length} undecided`;
    lines.push(`${mark} ${fault.id.padEnd(48)} killed by ${killedBy.length}${also}`);
    for (const id of survived) lines.push(`    survived   ${id}`);
    for (const { check, from, to } of bystanders) {
      lines.push(`    bystander  ${check}: ${from} → ${to.state}, ${gist(to)}`);
    }
  }
  if (unbroken.length > 0) {
    lines.push('', `No fault breaks ${unbroken.length} MUSTs:`, ...unbroken.map((id) => `  ${id}`));
  }
  const survivors = matrix.filter(({ survived }) => survived.length > 0).length;
  const blamed = matrix.filter(({ bystanders }) => bystanders.length > 0).length;
  lines.push(
    '',
    `${matrix.length} faults: ${matrix.length - survivors} killed, ${survivors} survived, ` +
      `${blamed} with bystanders; ${unbroken.length} MUSTs that no fault breaks.`,
  );
  return `${lines.join('\n')}\n`;
}

/** The legal differences for a terminal. */
export function printTolerations(tolerations: readonly Toleration[]): string {
  const lines = tolerations.flatMap(({ variant, verdict, blamed }) => [
    `${toleratedWell({ verdict, blamed }) ? '✓' : '✗'} ${variant.id.padEnd(48)} ${verdict}`,
    ...blamed.map(({ check, to }) => `    blamed     ${check}: ${to.state}, ${gist(to)}`),
  ]);
  const wrong = tolerations.filter((one) => !toleratedWell(one)).length;
  return `${[...lines, '', `${tolerations.length} legal variants, ${wrong} of them blamed.`].join('\n')}\n`;
}

/** The servers that are no gateway, for a terminal. */
export function printEarned(earned: readonly Earned[]): string {
  const lines = earned.flatMap(({ kind, verdict, countedMusts }) => [
    `${earnedNothing({ verdict, countedMusts }) ? '✓' : '✗'} ${kind.padEnd(48)} ${verdict}`,
    ...countedMusts.map((id) => `    earned     ${id}`),
  ]);
  const wrong = earned.filter((one) => !earnedNothing(one)).length;
  return `${[...lines, '', `${earned.length} servers that are no gateway, ${wrong} of them earned something.`].join('\n')}\n`;
}

/** The gateways that were judged under several conditions, for a terminal. */
export function printSteadiness(judged: readonly Steadiness[]): string {
  const lines = judged.flatMap((one) => [
    `${isDeterministic(one) ? '✓' : '✗'} ${(one.fault ?? 'the sound reference gateway').padEnd(48)} ${one.conditions} conditions${one.unjudged === 0 ? '' : `, ${one.unjudged} not judged`}`,
    ...one.changed.map(
      ({ condition, check, from, to }) => `    changed    ${check}: ${from} → ${to}; ${condition}`,
    ),
    ...one.survived.map(({ condition, id }) => `    survived   ${id}; ${condition}`),
  ]);
  const wrong = judged.filter((one) => !isDeterministic(one)).length;
  return `${[...lines, '', `${judged.length} gateways, ${wrong} of them with verdicts that depend on order, chance or pace.`].join('\n')}\n`;
}

/** What transients came to, for a terminal. */
export function printTransients({ exchanges, verdicts, blamed }: TriedTransients): string {
  const lines = blamed.flatMap(({ key, transient, check, from, to }) => [
    `✗ ${key === null ? 'judged again' : `${key} ${transient}`}`,
    `    blamed     ${check}: ${from} → ${to.state}, ${gist(to)}`,
  ]);
  return `${[...lines, ...(lines.length === 0 ? [] : ['']), `${exchanges} answers, ${verdicts} verdicts after a transient of one of them, ${blamed.length} of them blame somebody.`].join('\n')}\n`;
}

/** No MUST, and no verdict that a gateway would be glad of. */
export function earnedNothing({
  verdict,
  countedMusts,
}: Pick<Earned, 'verdict' | 'countedMusts'>): boolean {
  return countedMusts.length === 0 && verdict !== 'conformant' && verdict !== 'partial';
}

/** A legal difference is tolerated when the run is conformant and nobody is blamed. */
export function toleratedWell({
  verdict,
  blamed,
}: Pick<Toleration, 'verdict' | 'blamed'>): boolean {
  return verdict === 'conformant' && blamed.length === 0;
}

/** One fault in full: what each check that it turned red has to say. */
export function printFault(
  { fault, killedBy, bystanders }: Killing,
  verdicts: ReadonlyMap<string, CheckVerdict>,
): string {
  const lines = [`${fault.id}: ${fault.what}`, ''];
  for (const check of [...killedBy, ...bystanders.map((one) => one.check)]) {
    const verdict = verdicts.get(check);
    if (verdict === undefined) continue;
    lines.push(`${verdict.state} ${check}${covers(fault.breaks, check) ? '' : ' (bystander)'}`);
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

function gist(verdict: CheckVerdict): string {
  const text = 'actual' in verdict ? verdict.actual : 'reason' in verdict ? verdict.reason : '';
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
