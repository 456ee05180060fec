import {
  type Block,
  cellInWords,
  countedSection,
  holdingIn,
  type Inline,
  looks,
  minuteOf,
  type StateCounts,
  shownStates,
  stateWords,
  type TableRow,
  toneOf,
} from '../../../kernel/report/index.ts';
import { areasIn, type Series } from './history.ts';
import type { PastRun } from './past-run.ts';

/** Maximum number of runs with a column in a table. */
const columns = 40;

/** Every area by run, the newest at the right. Areas that passed in all shown runs are folded. */
export function areasTable({ name, runs }: Series): readonly Block[] {
  const shown = runs.slice(-columns);
  const heads = shown.map(({ head }) => minuteOf(head).slice(5, 16));
  const some = runs.length > columns ? `, in the last ${columns} runs` : '';
  return [
    {
      block: 'section',
      title: 'Areas over time',
      meaning: `Each area by the worst of its checks${some}. ${signsIn(shown)}`,
      blocks: againstRuns(shown, heads, `: ${name}`, signCell, 'Always well'),
    },
  ];
}

/** The areas of the last run of each target, in a column each. Areas that passed in all of them are folded. */
export function sideBySide(series: readonly Series[]): Block {
  const last = series.flatMap(({ runs }) => runs.slice(-1));
  const heads = last.map(({ title }) => title);
  return {
    block: 'section',
    title: 'Side by side',
    meaning: 'How many checks hold in the last run of each, of those that apply.',
    blocks: againstRuns(last, heads, ' of each target', numberCell, 'Well in each'),
  };
}

function againstRuns(
  runs: readonly PastRun[],
  heads: readonly string[],
  of: string,
  cellOf: (cell: StateCounts) => Inline,
  wellTitle: string,
): readonly Block[] {
  const all = areasIn(runs);
  const well = all.filter((area) => isWell(area, runs));
  const table = (areas: readonly string[], label: string): readonly Block[] => {
    const rows = areas.map((area): TableRow => {
      const cells = runs.map((run) => run.areas.get(area));
      return { cells: [area, ...cells.map((cell) => (cell === undefined ? '' : cellOf(cell)))] };
    });
    const head = ['', ...heads];
    return rows.length === 0 ? [] : [{ block: 'table', label, head, rows, dense: true }];
  };
  return [
    ...table(
      all.filter((area) => !well.includes(area)),
      `Areas${of}`,
    ),
    ...countedSection(wellTitle, well.length, table(well, `Areas that are well${of}`), {
      folded: 'closed',
    }),
  ];
}

/** `✓ passed, ✗ failed`: the signs in the table. */
function signsIn(runs: readonly PastRun[]): string {
  const used = new Set(runs.flatMap(({ areas }) => [...areas.values()].map(toneOf)));
  const states = shownStates.filter((state) => used.has(state));
  return states.map((state) => `${looks[state].sign} ${stateWords[state]}`).join(', ');
}

function signCell(cell: StateCounts): Inline {
  const tone = toneOf(cell);
  return { span: 'cell', tone, text: looks[tone].sign, title: cellInWords(cell) };
}

function numberCell(cell: StateCounts): Inline {
  return {
    span: 'cell',
    tone: toneOf(cell),
    text: holdingIn(cell) ?? '–',
    title: cellInWords(cell),
  };
}

function isWell(area: string, runs: readonly PastRun[]): boolean {
  return runs.every(({ areas }) => {
    const cell = areas.get(area);
    return cell === undefined || toneOf(cell) === 'pass';
  });
}
