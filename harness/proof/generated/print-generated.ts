import type { Notice, Noticing } from './prove-generated.ts';

const notices: readonly Notice[] = ['right row', 'other row', 'unnoticed'];

/** Formats the result of judging generated faults: a line for each decision, and the unnoticed faults. */
export function printNoticed(noticed: readonly Noticing[]): string {
  const lines = byDecision(noticed).map(
    ({ decision, own }) =>
      `${own.every(isNoticed) ? '✓' : '✗'} ${decision.padEnd(32)} ${countsOf(own)}`,
  );
  const unnoticed = noticed.filter((one) => !isNoticed(one));
  const errors = noticed.flatMap(({ fault, errors }) =>
    errors.map((check) => `    error      ${fault.id}: ${check}`),
  );
  return `${[
    ...lines,
    ...unnoticed.map(
      ({ fault, notice, open }) =>
        `    ${notice.padEnd(10)} ${fault.id}${open.length === 0 ? '' : `, which leaves ${open[0]} undecided`}`,
    ),
    ...errors,
    '',
    `${noticed.length} generated fault${noticed.length === 1 ? '' : 's'}: ${countsOf(noticed)}.`,
  ].join('\n')}\n`;
}

/** True if some check failed, without an error of Touchstone itself. */
export function isNoticed({ notice, errors }: Noticing): boolean {
  return notice !== 'unnoticed' && errors.length === 0;
}

export function byDecision(noticed: readonly Noticing[]) {
  const decisions = [...new Set(noticed.map(({ fault }) => fault.decision))];
  return decisions.map((decision) => ({
    decision,
    own: noticed.filter(({ fault }) => fault.decision === decision),
  }));
}

function countsOf(noticed: readonly Noticing[]): string {
  const count = (which: Notice): number => noticed.filter(({ notice }) => notice === which).length;
  const [right, other, none] = notices.map(count);
  const open = noticed.filter((one) => one.notice === 'unnoticed' && one.open.length > 0).length;
  const undecided = open === 0 ? '' : ` (${open} of these leave a check undecided)`;
  const unmet = noticed.filter(({ isMet }) => !isMet).length;
  return `${right} by the right row, ${other} by another row, ${none} unnoticed${undecided}, ${unmet} met by no request`;
}
