import { createColors } from 'picocolors';
import { printable } from '../printable.ts';
import { padded, widest, wrap } from '../wrap.ts';
import type { Exploration, ToldAct, ToldFind } from './exploration.ts';
import {
  againInWords,
  effortInWords,
  foundInWords,
  timesInWords,
  verdictInWords,
} from './words.ts';

export interface ExplorationLook {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** The scripts are left out: a file has them. */
  readonly withoutScripts: boolean;
}

type Colours = ReturnType<typeof createColors>;

/** An exploration for a reader at a terminal: each find with its history, and the verdict last. */
export function renderExploration(exploration: Exploration, look: ExplorationLook): string {
  const width = Math.min(Math.max(look.width, 60), 100);
  const colours = createColors(look.colour);
  const lines = [
    ...exploration.finds.flatMap((find) => [
      ...findLines(find, exploration, width, colours),
      ...(look.withoutScripts ? [] : scriptLines(find, colours)),
      '',
    ]),
    ...wrap(verdictInWords(exploration), width).map(colours.bold),
    ...wrap(effortInWords(exploration), width).map(colours.dim),
  ];
  return `${lines.join('\n')}\n`;
}

function findLines(
  find: ToldFind,
  exploration: Exploration,
  width: number,
  colours: Colours,
): string[] {
  const { kind, level, row, source, expected, actual, acts } = find;
  const must = level === 'MUST';
  const again = againInWords(find);
  const sign = must ? colours.red('✗') : colours.yellow('!');
  const field = (name: string, text: string): string[] => {
    const [first = '', ...rest] = wrap(printable(text), width - 12);
    return [`  ${name.padEnd(10)}${first}`, ...rest.map((line) => `            ${line}`)];
  };
  return [
    `${sign} ${colours.bold(printable(kind))}${must ? '' : ` (${level})`}`,
    ...(row === null ? [] : field('row', row.id)),
    ...field('source', `${source.id}: ${source.text}`),
    ...field('expected', expected),
    ...field('came', actual),
    ...field('seen in', timesInWords(find, exploration)),
    ...(again === null ? [] : field('again in', again)),
    ...field('found in', foundInWords(find)),
    '',
    ...table(acts, width - 2, colours).map((line) => `  ${line}`.trimEnd()),
  ];
}

/** Room for what was done, which alone is broken where it is too long. */
const fewest = 18;

/** Prints the acts: actor, act, outcome, and required outcome. */
function table(acts: readonly ToldAct[], width: number, colours: Colours): string[] {
  const rows = acts.map((act) => ({
    shows: act.shows,
    before: [`${act.shows ? '✗' : ' '} ${act.label}`, printable(act.actor), printable(act.region)],
    what: printable(act.what),
    after: [printable(act.came), act.required?.outcome ?? ''],
  }));
  const head = {
    shows: false,
    before: ['  #', 'key', 'region'],
    what: 'act',
    after: ['came', 'has to be'],
  };
  const all = [head, ...rows];
  const widths = (of: (row: (typeof all)[number]) => readonly string[]): readonly number[] =>
    of(head).map((_, column) => widest(all.map((row) => of(row)[column] ?? '')));
  const before = widths((row) => row.before);
  const after = widths((row) => row.after);
  const taken = [...before, ...after].reduce((sum, one) => sum + one + 2, 0);
  const broken = all.map(({ what }) => wrap(what, Math.max(fewest, width - taken)));
  const room = widest(broken.flat());
  const cells = (texts: readonly string[], columns: readonly number[]): string[] =>
    columns.map((column, index) => padded(texts[index] ?? '', column));
  return all.flatMap((row, place) =>
    (broken[place] ?? []).map((what, index) => {
      const first = index === 0;
      const line = [
        ...cells(first ? row.before : [], before),
        padded(what, room),
        ...cells(first ? row.after : [], after),
      ].join('  ');
      return row.shows ? colours.bold(line) : line;
    }),
  );
}

function scriptLines({ script }: ToldFind, colours: Colours): string[] {
  const lines = script.trimEnd().split('\n');
  return [
    '',
    colours.dim('To repeat it, save this and run it with sh:'),
    '',
    ...lines.map(printable),
  ];
}
