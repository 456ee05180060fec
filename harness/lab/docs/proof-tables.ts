import { operationRows } from '../../kernel/core/index.ts';
import {
  faults,
  foundRecord,
  groups,
  historyFaults,
  honestGateways,
  judgedByAll,
  killRecord,
  medianOf,
  nullTargetKinds,
  outcomes,
  variants,
  waysOfBreaking,
} from '../../proof/index.ts';
import { table } from './table.ts';

type Kills = (typeof killRecord.rows)[number];
type Outcome = (typeof outcomes.rows)[number]['now'];

/** Returns a table of a record, after the line that says when and with what it was made. */
function dated({ made }: { readonly made: string }, ...rows: Parameters<typeof table>): string {
  return `${made}\n\n${table(...rows)}`;
}

/** Results of the last proof of a sample of the generated faults. */
export function killTable(): string {
  const { rows } = killRecord;
  if (rows.length === 0) return 'Nobody has judged them yet.';
  const sum = (of: (row: Kills) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const all: Kills = {
    decision: 'all',
    faults: sum(({ faults }) => faults),
    byRightRow: sum(({ byRightRow }) => byRightRow),
    byOtherRow: sum(({ byOtherRow }) => byOtherRow),
    axes: [],
  };
  return dated(
    killRecord,
    ['decision', 'faults', 'by the right row', 'by another', 'unnoticed', 'noticed, by axis'],
    [...rows, all].map(({ decision, faults, byRightRow, byOtherRow, axes }) => [
      decision === 'all' ? decision : `\`${decision}\``,
      String(faults),
      String(byRightRow),
      String(byOtherRow),
      String(faults - byRightRow - byOtherRow),
      axes.map(([axis, noticed, of]) => `${axis} ${noticed}/${of}`).join(', '),
    ]),
    ['left', 'right', 'right', 'right', 'right', 'left'],
  );
}

/** Reasons to trust a verdict: what `touchstone prove` judges, and the result that it requires. */
export function proofList(): string {
  return [
    `- **Every check can fail.** ${faults.length} faults are planted into the reference gateway, one at a time. Each has to be noticed by the checks that are about it, and every MUST has to fail under one of them.`,
    `- **No right gateway is blamed.** ${variants.length} legal variants of the reference gateway, and ${honestGateways.length} gateways that lag, limit, buffer or stand behind a proxy, have to be conformant.`,
    `- **Nothing is passed by accident.** ${nullTargetKinds.length} servers that are no gateway must not pass a single MUST.`,
    '- **Anybody can repeat it**, with `touchstone prove`: [how it is proven](harness/proof/README.md).',
  ].join('\n');
}

/** Verdict of the suite on each honest gateway, at first and now. */
export function honestTable(): string {
  const { rows } = outcomes;
  return dated(
    outcomes,
    ['honest gateway', 'what it is like', 'when it was first judged', 'now'],
    judgedByAll.map(({ id, what }) => {
      const row = rows.find((one) => one.id === id);
      const told = (outcome: Outcome | undefined): string =>
        outcome === undefined ? 'not judged' : tell(outcome);
      return [`\`${id}\``, what, told(row?.before), told(row?.now)];
    }),
  );
}

function tell({ verdict, failed, undecided }: Outcome): string {
  if (failed + undecided === 0) return verdict;
  return `${verdict}: ${failed} MUST failed, ${undecided} undecided`;
}

const kinds: Readonly<Record<(typeof groups)[number], string>> = {
  after: 'after other requests',
  beside: 'beside another request',
  'one-in': 'once in 10 to 50 times',
  later: 'when time has passed',
  node: 'at one of two nodes',
  load: 'while others are being made',
  restart: 'after a restart',
};

/** Detection of the faults that only histories show, by the kind of their situation. */
export function historiesTable(): string {
  const { rows } = foundRecord;
  if (rows.length === 0) return 'Nobody has explored them yet.';
  return dated(
    foundRecord,
    [
      'what goes wrong only …',
      'faults',
      'no fixed check sees',
      'found in history',
      'after generations',
      'acts needed',
      'acts of the shortened history',
    ],
    groups.map((group) => {
      const ids = historyFaults.flatMap((fault) => (fault.group === group ? fault.id : []));
      const own = rows.filter(({ id }) => ids.includes(id));
      const median = (of: (row: (typeof rows)[number]) => number): string =>
        `${medianOf(own.map(of))}`;
      return [
        kinds[group],
        `${ids.length}`,
        `${own.filter(({ seen }) => seen === false).length}`,
        median(({ history }) => history),
        median(({ generations }) => generations),
        median(({ acts }) => acts),
        median(({ shortened }) => shortened),
      ];
    }),
  );
}

const byId = new Map(faults.map((fault) => [fault.id, fault]));

/** Check that fails for each operation when nobody is served it, or when it is broken in a particular way. */
export function brokenOperationsTable(): string {
  const ways = Object.entries(waysOfBreaking);
  const rows = [...operationRows.keys()].map((operation) => {
    const broken = ways.map(([way, { does }]) => ({
      does,
      checks: byId.get(`outright.${operation}-${way}`)?.breaks.join(', ') ?? 'none',
    }));
    const usual = broken[0]?.checks;
    const others = broken.filter(({ checks }) => checks !== usual);
    return [
      `\`${operation}\``,
      [
        `\`${usual}\``,
        ...others.map(({ does, checks }) => `where the gateway ${does} it: ${checks}`),
      ].join('; '),
    ];
  });
  return table(['operation', 'check that fails, in whichever way it is broken'], rows);
}
