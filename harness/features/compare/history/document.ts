import {
  aside,
  type Block,
  checkTitle,
  code,
  counted,
  countedSection,
  duration,
  html,
  type Inline,
  type ListItem,
  type Markup,
  minuteOf,
  only,
  paragraph,
  prose,
  type ReportDocument,
  type RunHead,
  signOf,
  stateWords,
  type TableRow,
  toned,
  verdictSigns,
  verdictTones,
} from '../../../kernel/report/index.ts';
import { areasTable, sideBySide } from './areas.ts';
import { barChart } from './chart.ts';
import type { History, Series } from './history.ts';
import { brokenNow, type Incident, incidentInWords, nameOf } from './incidents.ts';
import type { PastRun } from './past-run.ts';

/** Number of incidents of a gateway that a terminal shows. The page has all. */
const shown = 5;

/** A folder of reports: the verdicts of each target over time, and its incidents. */
export function historyDocument({ series, folder, ignored, leftOut }: History): ReportDocument {
  const files = leftOut.map(({ file, reason }) => ({
    sign: signOf('warn', '!'),
    text: [code(file), ' is left out: ', prose(reason)],
  }));
  return {
    kind: 'history',
    title: folder,
    window: `History of ${folder}`,
    conclusion: { tone: null, word: null, said: spanInWords(series, ignored), after: [] },
    blocks: [
      ...overview(series),
      ...(series.length > 1 ? [only('page', sideBySide(series))] : []),
      ...series.flatMap(seriesSection),
      ...countedSection('Left out', files.length, [{ block: 'list', items: files }]),
    ],
  };
}

function spanInWords(series: readonly Series[], ignored: number): string {
  const heads = series.flatMap(({ runs }) => runs.map(({ head }) => head));
  const [first, ...later] = heads.toSorted((one, other) =>
    one.startedAt < other.startedAt ? -1 : 1,
  );
  const last = later.at(-1);
  const span =
    first === undefined || last === undefined
      ? ''
      : ` from ${minuteOf(first)} to ${minuteOf(last)}`;
  const others = ignored === 0 ? '' : `; ${counted(ignored, 'other file')} ignored`;
  return `${counted(heads.length, 'run')} of ${counted(series.length, 'target')}${span}${others}.`;
}

/** Number of verdicts of a target that fit on a line of a terminal. */
const stripLength = 56;

function overview(series: readonly Series[]): readonly Block[] {
  const rows = series.map(({ name, runs, incidents }, index): TableRow => {
    const last = runs.at(-1)?.head;
    return {
      cells: [
        { span: 'link', to: `#target-${index}`, text: name },
        String(runs.length),
        last === undefined ? '' : minuteOf(last),
        last === undefined ? '' : toned(verdictTones[last.verdict], last.verdict),
        String(brokenNow(incidents)),
        last === undefined ? '' : duration(last.durationMs),
      ],
      below: runs.slice(-stripLength).map(({ head }) => signOfRun(head)),
    };
  });
  const head = ['', 'runs', 'last run', 'verdict', 'broken', 'took'];
  const used = new Set(series.flatMap(({ runs }) => runs.map(({ head: { verdict } }) => verdict)));
  return [
    { block: 'table', label: 'Targets', head, rows },
    paragraph(aside([...used].map((verdict) => `${verdictSigns[verdict]} ${verdict}`).join('  '))),
  ];
}

function signOfRun(head: RunHead): Inline {
  const { verdict } = head;
  const title = `${minuteOf(head)}: ${verdict}`;
  return { span: 'cell', tone: verdictTones[verdict], text: verdictSigns[verdict], title };
}

function seriesSection(series: Series, index: number): readonly Block[] {
  const { name, runs, incidents } = series;
  const items = incidents.map((incident) => incidentItem(incident, runs));
  const more = incidents.length - shown;
  const blocks: readonly Block[] = [
    { block: 'drawn', markup: () => charts(runs) },
    only('terminal', {
      block: 'list',
      items: [
        ...items.slice(0, shown),
        ...(more > 0 ? [{ text: aside(`and ${more} more: --html FILE shows all`) }] : []),
      ],
    }),
    only(
      'page',
      ...countedSection('What broke, and when it was fixed', items.length, [
        { block: 'list', items },
      ]),
      ...areasTable(series),
      runsTable(series),
      ...(items.length > 0 ? [] : [paragraph('Nothing was broken in any of these runs.')]),
    ),
  ];
  const section: Block = { block: 'section', title: name, id: `target-${index}`, blocks };
  return [items.length > 0 ? section : only('page', section)];
}

function incidentItem(incident: Incident, runs: readonly PastRun[]): ListItem {
  const { broke, fixed, level, text, requirement } = incident;
  const title = checkTitle({ id: requirement, requirement, text }).words;
  const open = level === 'MUST' ? 'fail' : 'warn';
  return {
    sign: fixed === null ? signOf(open, '✗') : signOf('pass', '✓'),
    text: [code(nameOf(incident)), '  ', aside(level)],
    below: [
      aside(prose(title)),
      [incidentInWords(incident, runs), suiteTag(broke, runs) || suiteTag(fixed, runs)],
    ],
  };
}

/** Marks a run of another version of the suite: differences may not be due to the gateway. */
function suiteTag(at: number | null, runs: readonly PastRun[]): Inline {
  if (at === null) return '';
  const [before, after] = [runs[at - 1]?.head, runs[at]?.head];
  if (before === undefined || after === undefined) return '';
  return before.suiteVersion === after.suiteVersion &&
    before.specification.sha256 === after.specification.sha256
    ? ''
    : [' ', { span: 'tag', text: 'with another Touchstone' }];
}

const counts = ['pass', 'fail', 'warn', 'inconclusive', 'untestable', 'excluded'] as const;

function runsTable({ name, runs }: Series): Block {
  const rows = runs.toReversed().map(
    ({ head }): TableRow => ({
      cells: [
        minuteOf(head),
        [signOfRun(head), ` ${head.verdict}`],
        ...counts.map((state) => String(head.counts[state])),
        ...[duration(head.durationMs), head.suiteVersion, head.file],
      ],
    }),
  );
  const states = counts.map((state) => stateWords[state]);
  const head = ['run', 'verdict', ...states, 'took', 'Touchstone', 'report'];
  const table: Block = { block: 'table', label: `All runs: ${name}`, head, rows };
  const title = 'All runs';
  return { block: 'section', title, count: runs.length, folded: 'closed', blocks: [table] };
}

function charts(runs: readonly PastRun[]): Markup {
  const broken = runs.map(({ head }) => ({
    value: head.counts.fail + head.counts.warn,
    tone: head.counts.fail > 0 ? 'fail' : head.counts.warn > 0 ? 'warn' : 'pass',
    title: `${minuteOf(head)}: ${head.counts.fail} failed, ${head.counts.warn} warned`,
  }));
  const took = runs.map(({ head }) => ({
    value: head.durationMs,
    tone: 'note',
    title: `${minuteOf(head)}: ${duration(head.durationMs)}`,
  }));
  return html`<div class="charts">
${barChart('Failures and warnings', broken, String)}
${barChart('Duration', took, duration)}
</div>`;
}
