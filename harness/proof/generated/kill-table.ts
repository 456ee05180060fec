import { ProofRecord } from '../provenance.ts';
import { byDecision, isNoticed } from './print-generated.ts';
import type { Notice, Noticing } from './prove-generated.ts';

/** Counts of the faults of one decision, by the checks that noticed them. */
export interface KillRow {
  readonly decision: string;
  readonly faults: number;
  readonly byRightRow: number;
  readonly byOtherRow: number;
  /** For each axis, the number of noticed faults, and the number of faults with that axis in their condition. */
  readonly axes: readonly (readonly [axis: string, noticed: number, of: number])[];
}

/** Notices of a sample of the generated faults, by decision. */
export const killRecord = new ProofRecord<KillRow>({
  file: 'harness/proof/generated/kill-table.txt',
  head: `\
# Who notices the generated faults of each decision, of a sample that the seed draws.
# Written by \`touchstone prove --update\`; \`npm run docs\` makes a table of it.
# decision: faults, noticed by a row that they break, by another row; axis noticed/of ...
`,
  told: ({ decision, faults, byRightRow, byOtherRow, axes }) => {
    const each = axes.map(([axis, noticed, of]) => `${axis} ${noticed}/${of}`).join(', ');
    return `${decision}: ${faults}, ${byRightRow}, ${byOtherRow}; ${each}`;
  },
  line: /^(\S+): (\d+), (\d+), (\d+); (.*)$/,
  row: ([decision = '', faults, right, other, axes = '']) => ({
    decision,
    faults: Number(faults),
    byRightRow: Number(right),
    byOtherRow: Number(other),
    axes: axes.split(', ').map((text) => {
      const [, axis = '', noticed, of] = /^(\S+) (\d+)\/(\d+)$/.exec(text) ?? [];
      return [axis, Number(noticed), Number(of)] as const;
    }),
  }),
});

/** Returns the rows of the table for judged faults. */
export function killRows(noticed: readonly Noticing[]): KillRow[] {
  return byDecision(noticed).map(({ decision, own }) => {
    const count = (notice: Notice): number => own.filter((one) => one.notice === notice).length;
    const axes = new Set(own.flatMap(({ fault }) => fault.condition.map(([axis]) => axis)));
    return {
      decision,
      faults: own.length,
      byRightRow: count('right row'),
      byOtherRow: count('other row'),
      axes: [...axes].map((axis) => {
        const on = own.filter(({ fault }) => fault.condition.some(([name]) => name === axis));
        return [axis, on.filter(isNoticed).length, on.length];
      }),
    };
  });
}
