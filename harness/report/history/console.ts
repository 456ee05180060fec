import { createColors } from 'picocolors';
import type { RunVerdict } from '../../core/index.ts';
import { minuteOf } from '../comparison/words.ts';
import type { ConsoleOptions } from '../console.ts';
import type { Style } from '../console-finding.ts';
import { duration } from '../duration.ts';
import { printable } from '../printable.ts';
import { counted } from '../words.ts';
import { labelled, padded, shortened, widest, wrap } from '../wrap.ts';
import type { History, Series } from './history.ts';
import { brokenNow, incidentInWords, nameOf } from './incidents.ts';

const signs: Readonly<Record<RunVerdict, string>> = {
  conformant: '✓',
  'known-failures': '≈',
  nonconformant: '✗',
  indeterminate: '?',
  partial: '◐',
};

/** Number of incidents of a gateway that a terminal shows; the page has all. */
const shown = 5;

/** A history for a reader at a terminal: a line for each gateway, and what broke last. */
export function renderHistory(history: History, options: ConsoleOptions): string {
  const style: Style = {
    colours: createColors(options.colour),
    width: Math.min(Math.max(options.width, 60), 120),
  };
  const { series } = history;
  const lines = [
    ...table(series, style),
    ...series.flatMap((one) => incidents(one, style)),
    ...remarks(history, style),
  ];
  return `${lines.join('\n')}\n`;
}

function table(series: readonly Series[], { colours, width }: Style): string[] {
  const heads = ['', 'runs', 'last run', 'verdict', 'broken', 'took'];
  const rows = series.map((one): readonly string[] => {
    const last = one.runs.at(-1)?.head;
    return [
      shortened(printable(one.name), 24),
      String(one.runs.length),
      last === undefined ? '' : minuteOf(last),
      last?.verdict ?? '',
      String(brokenNow(one.incidents)),
      last === undefined ? '' : duration(last.durationMs),
    ];
  });
  const widths = heads.map((head, index) => widest([head, ...rows.map((row) => row[index] ?? '')]));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => padded(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    colours.dim(line(heads)),
    ...rows.flatMap((row, index) => {
      const runs = series[index]?.runs ?? [];
      const strip = runs.map(({ head }) => painted(head.verdict, colours));
      const room = width - 4;
      const last = strip.slice(-room);
      return [
        colours.bold(line(row)),
        `  ${last.join('')}${colours.dim(runs.length > 1 ? ' →' : '')}`,
      ];
    }),
    colours.dim(
      `${Object.entries(signs)
        .map(([verdict, sign]) => `${sign} ${verdict}`)
        .join('  ')}`,
    ),
  ];
}

function painted(verdict: RunVerdict, colours: Style['colours']): string {
  const paint = {
    conformant: colours.green,
    'known-failures': colours.green,
    nonconformant: colours.red,
    indeterminate: colours.yellow,
    partial: colours.yellow,
  }[verdict];
  return paint(signs[verdict]);
}

function incidents({ name, runs, incidents }: Series, { colours, width }: Style): string[] {
  if (incidents.length === 0) return [];
  const lines = incidents.slice(0, shown).flatMap((incident) => {
    const paint = incident.fixed === null ? colours.red : colours.green;
    return [
      ...labelled(`  ${paint(incident.fixed === null ? '✗' : '✓')} `, [
        ...wrap(nameOf(incident), width - 4),
        ...wrap(incidentInWords(incident, runs), width - 4).map(colours.dim),
      ]),
    ];
  });
  const more = incidents.length - shown;
  return [
    '',
    colours.bold(printable(name)),
    ...lines,
    ...(more > 0 ? [colours.dim(`  and ${more} more: --html FILE shows all`)] : []),
  ];
}

function remarks({ series, ignored, leftOut }: History, { colours, width }: Style): string[] {
  const runs = series.reduce((sum, one) => sum + one.runs.length, 0);
  const others = ignored === 0 ? '' : `; ${counted(ignored, 'other file')} ignored`;
  return [
    '',
    colours.dim(`${counted(runs, 'report')}${others}`),
    ...leftOut.flatMap(({ file, reason }) =>
      labelled(
        colours.yellow('! '),
        wrap(printable(`${file} is left out: ${reason}`).replaceAll('`', ''), width - 2),
      ),
    ),
  ];
}
