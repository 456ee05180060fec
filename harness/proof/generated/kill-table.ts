import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/core/index.ts';
import { byDecision, isNoticed } from './print-generated.ts';
import type { Notice, Noticing } from './prove-generated.ts';

/** Counts of the faults of one decision, by the checks that noticed them. */
export interface KillRow {
  readonly decision: string;
  readonly faults: number;
  readonly byRightRow: number;
  readonly byOtherRow: number;
  /** Number of faults that only a run with `--thorough` notices. */
  readonly onlyThorough: number;
  /** For each axis, the number of noticed faults, and the number of faults with that axis in their condition. */
  readonly axes: readonly (readonly [axis: string, noticed: number, of: number])[];
}

/** Path of the table, from the root of the package. */
const killFile = 'harness/proof/generated/kill-table.txt';

const head = `\
# Who notices the generated faults of each decision.
# Written by \`touchstone prove --generated --update\`; \`npm run docs\` makes a table of it.
# decision: faults, noticed by a row that they break, by another row, only with --thorough; axis noticed/of ...
`;

/** Returns the rows of the table for judged faults. */
export function killRows(noticed: readonly Noticing[]): KillRow[] {
  return byDecision(noticed).map(({ decision, own }) => {
    const count = (notice: Notice): number =>
      own.filter((one) => one.notice === notice && !one.thorough).length;
    const axes = new Set(own.flatMap(({ fault }) => fault.condition.map(([axis]) => axis)));
    return {
      decision,
      faults: own.length,
      byRightRow: count('right row'),
      byOtherRow: count('other row'),
      onlyThorough: own.filter((one) => one.thorough && isNoticed(one)).length,
      axes: [...axes].map((axis) => {
        const on = own.filter(({ fault }) => fault.condition.some(([name]) => name === axis));
        return [axis, on.filter(isNoticed).length, on.length];
      }),
    };
  });
}

export function writeKillRows(rows: readonly KillRow[]): void {
  writeFileSync(join(packageRoot, killFile), formatKillRows(rows));
}

export function readKillRows(): KillRow[] {
  return parseKillRows(readFileSync(join(packageRoot, killFile), 'utf8'));
}

export function formatKillRows(rows: readonly KillRow[]): string {
  const lines = rows.map(({ decision, axes, ...row }) => {
    const each = axes.map(([axis, noticed, of]) => `${axis} ${noticed}/${of}`).join(', ');
    const { faults, byRightRow, byOtherRow, onlyThorough } = row;
    return `${decision}: ${faults}, ${byRightRow}, ${byOtherRow}, ${onlyThorough}; ${each}\n`;
  });
  return head + lines.join('');
}

/** @throws {Error} for an invalid line */
export function parseKillRows(text: string): KillRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, decision = '', faults, right, other, thorough, axes = ''] =
        /^(\S+): (\d+), (\d+), (\d+), (\d+); (.*)$/.exec(line) ?? [];
      if (decision === '') throw new Error(`${killFile} has a line that is no row: ${line}`);
      return {
        decision,
        faults: Number(faults),
        byRightRow: Number(right),
        byOtherRow: Number(other),
        onlyThorough: Number(thorough),
        axes: axes.split(', ').map((text) => {
          const [, axis = '', noticed, of] = /^(\S+) (\d+)\/(\d+)$/.exec(text) ?? [];
          return [axis, Number(noticed), Number(of)] as const;
        }),
      };
    });
}
