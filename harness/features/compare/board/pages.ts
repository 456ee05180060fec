import { type CheckResult, type Citation, placeOf, redStates } from '../../../kernel/core/index.ts';
import {
  aside,
  type Block,
  cellInWords,
  code,
  counted,
  type DocumentTable,
  holdingIn,
  type Inline,
  isDue,
  link,
  minuteOf,
  mustsInWords,
  paragraph,
  prose,
  type ReportDocument,
  type StateCounts,
  shortFinding,
  stateCounts,
  stateSign,
  type TableRow,
  toned,
  toneOf,
  verdictTones,
} from '../../../kernel/report/index.ts';
import { parameterTables } from './parameters.ts';
import { type Board, type BoardGateway, type BoardResult, newestOf, pageFor } from './results.ts';

/** A requirement with the checks of each gateway's newest result, in the order of the gateways. */
interface BoardRequirement {
  readonly id: string;
  /** Name of its page without the ending. */
  readonly page: string;
  readonly checks: readonly (readonly CheckResult[])[];
}

/** Returns the pages of a board by their paths. */
export function boardPages(
  board: Board,
  drawn: readonly Block[],
): ReadonlyMap<string, ReportDocument> {
  const requirements = requirementsOf(board.gateways);
  return new Map([
    ['index.html', indexPage(board, requirements, drawn)],
    ...board.gateways.map(
      (gateway, index) =>
        [`gateways/${gateway.page}.html`, gatewayPage(gateway, index, requirements)] as const,
    ),
    ...requirements.map(
      (one) => [`requirements/${one.page}.html`, requirementPage(one, board.gateways)] as const,
    ),
  ]);
}

/** Requirements that a gateway was judged by, in the order of their ids. */
function requirementsOf(gateways: readonly BoardGateway[]): readonly BoardRequirement[] {
  const all = new Map<string, CheckResult[][]>();
  gateways.forEach((gateway, index) => {
    for (const check of newestOf(gateway).result.checks.filter(isDue)) {
      const own = all.get(check.requirement) ?? gateways.map(() => []);
      own[index]?.push(check);
      all.set(check.requirement, own);
    }
  });
  const taken = new Set<string>();
  return [...all]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([id, checks]) => ({ id, page: pageFor(id, taken), checks }));
}

const home: Block = paragraph(link('../index.html', 'All gateways'));

function documentOf(kind: string, title: string, blocks: readonly Block[]): ReportDocument {
  return { kind, title, conclusion: null, blocks };
}

/** @param drawn blocks that show a control of the page, before the requirements */
function indexPage(
  { gateways, leftOut }: Board,
  requirements: readonly BoardRequirement[],
  drawn: readonly Block[],
): ReportDocument {
  const suites = new Set(gateways.map((one) => suiteInWords(newestOf(one))));
  const table: DocumentTable = {
    block: 'table',
    label: 'Gateways',
    head: ['gateway', 'verdict', 'judged', 'broken MUSTs', 'broken SHOULDs', 'trust', 'date'],
    rows: gateways.map((gateway) => ({
      cells: [
        link(`gateways/${gateway.page}.html`, gateway.name),
        ...resultCells(newestOf(gateway)),
      ],
    })),
  };
  return documentOf('board', 'Gateways', [
    table,
    ...(suites.size < 2
      ? []
      : [
          paragraph(
            `Not all were judged by the same suite, so a difference may come from it: ${[...suites].join(' · ')}.`,
          ),
        ]),
    section(
      'By area',
      'areas',
      'how many checks hold, of those that apply; areas in which the gateways differ come first',
      [areaTable(gateways)],
    ),
    ...parameterTables(gateways),
    section('Requirements', 'requirements', undefined, [
      ...drawn,
      {
        block: 'table',
        label: 'Requirements by gateway',
        dense: true,
        head: ['requirement', '', ...gateways.map(({ name }) => name)],
        rows: requirements.map((one) => requirementRow(one, gateways)),
      },
    ]),
    ...(leftOut.length === 0
      ? []
      : [
          section('Not shown', 'left-out', undefined, [
            {
              block: 'list',
              items: leftOut.map(({ file, why }) => ({ text: code(file), below: [why] })),
            },
          ]),
        ]),
  ]);
}

function section(
  title: string,
  id: string,
  meaning: string | undefined,
  blocks: readonly Block[],
): Block {
  return { block: 'section', title, id, meaning, blocks };
}

function suiteInWords({ result }: BoardResult): string {
  const { suiteVersion, catalogue } = result;
  return `${suiteVersion}, catalogue revision ${catalogue.revision} (${catalogue.sha256.slice(0, 8)})`;
}

/** Verdict, scope, broken MUSTs and SHOULDs, trust and date of a result. */
function resultCells({ result, trust }: BoardResult): readonly Inline[] {
  const { verdict, counts } = result;
  return [
    toned(verdictTones[verdict], verdict),
    mustsInWords(result),
    String(counts.fail),
    String(counts.warn),
    trust,
    minuteOf(result),
  ];
}

/** Areas of the interface × gateways. */
function areaTable(gateways: readonly BoardGateway[]): DocumentTable {
  const cellsOf = gateways.map((one) =>
    stateCounts(newestOf(one).result.checks.filter(isDue), ({ area }) => area),
  );
  const areas = [...new Set(cellsOf.flatMap((cells) => [...cells.keys()]))].sort();
  const rows = areas.map((area) => ({ area, cells: cellsOf.map((cells) => cells.get(area)) }));
  return {
    block: 'table',
    label: 'Areas by gateway',
    dense: true,
    head: ['area', ...gateways.map(({ name }) => name)],
    rows: differencesFirst(rows).map(({ area, cells }) => ({
      cells: [
        area,
        ...gateways.map((gateway, index) =>
          cellOf(
            cells[index],
            `${gateway.name}, ${area}`,
            `gateways/${gateway.page}.html#${placeFor(area)}`,
          ),
        ),
      ],
    })),
  };
}

type Counted = { readonly cells: readonly (StateCounts | undefined)[] };

/** Sorts what gateways differ in before what is broken everywhere, and that before all else. */
function differencesFirst<Row extends Counted>(rows: readonly Row[]): readonly Row[] {
  const rankOf = ({ cells }: Row): number => {
    const tones = cells.flatMap((cell) => (cell === undefined ? [] : [toneOf(cell)]));
    if (new Set(tones).size > 1) return 0;
    return tones[0] === 'pass' || tones.length === 0 ? 2 : 1;
  };
  return [...rows].sort((one, other) => rankOf(one) - rankOf(other));
}

function cellOf(counts: StateCounts | undefined, subject: string, to: string): Inline {
  if (counts === undefined) return '';
  const tone = toneOf(counts);
  const text = holdingIn(counts) ?? stateSign(tone);
  return { span: 'cell', tone, text, title: `${subject}: ${cellInWords(counts)}`, to };
}

/** Anchor of an area on the page of a gateway. */
const placeFor = (area: string): string => `area-${area.replaceAll('/', '-')}`;

function requirementRow(
  { id, page, checks }: BoardRequirement,
  gateways: readonly BoardGateway[],
): TableRow {
  const to = `requirements/${page}.html`;
  const [first] = checks.flat();
  return {
    cells: [
      link(to, id),
      first?.level ?? '',
      ...gateways.map(({ name }, index) => {
        const counts = stateCounts(checks[index] ?? [], () => id).get(id);
        return cellOf(counts, `${name}, ${id}`, to);
      }),
    ],
    below: first === undefined ? undefined : prose(first.text),
  };
}

/** A check, and the page of its requirement. */
interface LinkedCheck {
  readonly check: CheckResult;
  readonly page: string;
}

const isBroken = ({ check }: LinkedCheck): boolean => redStates.has(check.verdict.state);

type Area = readonly [area: string, checks: readonly LinkedCheck[]];

/** Sorts areas with a broken requirement before others, and by name. */
function brokenFirst([one, checks]: Area, [other, others]: Area): number {
  const broken = Number(others.some(isBroken)) - Number(checks.some(isBroken));
  return broken || one.localeCompare(other);
}

/** Page of a gateway: its newest result by area, and its history. */
function gatewayPage(
  gateway: BoardGateway,
  index: number,
  requirements: readonly BoardRequirement[],
): ReportDocument {
  const areas = new Map<string, LinkedCheck[]>();
  for (const { page, checks } of requirements) {
    for (const check of checks[index] ?? []) {
      const { area } = placeOf(check.id);
      areas.set(area, [...(areas.get(area) ?? []), { check, page }]);
    }
  }
  return documentOf('gateway', gateway.name, [
    home,
    section('History', 'history', 'the newest run first; all else on this page is of that', [
      {
        block: 'table',
        label: 'Runs',
        head: [
          'date',
          'verdict',
          'judged',
          'broken MUSTs',
          'broken SHOULDs',
          'trust',
          'suite',
          'file',
        ],
        rows: gateway.results.map((one) => {
          const cells = resultCells(one);
          return {
            cells: [cells.at(-1) ?? '', ...cells.slice(0, -1), suiteInWords(one), code(one.file)],
          };
        }),
      },
    ]),
    ...[...areas].sort(brokenFirst).map(
      ([area, checks]): Block => ({
        block: 'section',
        title: area,
        id: placeFor(area),
        folded: checks.some(isBroken) ? 'open' : 'closed',
        meaning: inWords(checks),
        blocks: [
          {
            block: 'list',
            items: checks.map(({ check, page }) =>
              checkItem(check, link(`../requirements/${page}.html`, check.id)),
            ),
          },
        ],
      }),
    ),
  ]);
}

/** `11 passed, 1 failed` */
function inWords(checks: readonly LinkedCheck[]): string {
  const counts = stateCounts(
    checks.map(({ check }) => check),
    () => '',
  ).get('');
  return counts === undefined ? '' : cellInWords(counts);
}

/** State of a check, and what was seen where it does not hold. */
function checkItem(check: CheckResult, text: Inline) {
  const { verdict, level } = check;
  const sign = { span: 'sign', tone: verdict.state, sign: stateSign(verdict.state) } as const;
  const tail = ` ${level}`;
  if ('actual' in verdict) {
    return { sign, text, tail, below: shortFinding({ ...check, verdict }).below ?? [] };
  }
  return { sign, text, tail, below: 'reason' in verdict ? [aside(verdict.reason)] : [] };
}

/** Page of a requirement: its sentence, its sources, and what each gateway does. */
function requirementPage(
  { id, checks }: BoardRequirement,
  gateways: readonly BoardGateway[],
): ReportDocument {
  const [first] = checks.flat();
  const sources = new Map(
    checks.flat().flatMap(({ basis }) => basis.citations.map((one) => [one.id, one] as const)),
  );
  const judgement = first?.basis.judgement ?? null;
  const scenarios = [...new Set(checks.flat().flatMap((one) => one.scenarios))];
  return documentOf('requirement', id, [
    home,
    paragraph([`${first?.level}: `, prose(first?.text ?? '')]),
    section('Sources', 'sources', undefined, [
      {
        block: 'list',
        items: [
          ...[...sources.values()].map((one) => ({ text: sourceInline(one) })),
          ...(judgement === null ? [] : [{ text: prose(`Our own judgement: ${judgement}`) }]),
        ],
      },
    ]),
    ...(scenarios.length === 0
      ? []
      : [
          section('Scenarios', 'scenarios', `\`touchstone explain ${id}\` shows their requests`, [
            { block: 'list', items: scenarios.sort().map((name) => ({ text: code(name) })) },
          ]),
        ]),
    ...gateways.map((gateway, index) =>
      section(gateway.name, gateway.page, undefined, [
        checks[index]?.length
          ? { block: 'list', items: checks[index].map((one) => checkItem(one, code(one.id))) }
          : paragraph('It was not judged: not offered, or left out of the run.'),
      ]),
    ),
  ]);
}

function sourceInline({ id, kind, text, link: to }: Citation): Inline {
  if (kind === 'document') return link(to, text);
  return [
    `${kind === 'gap' ? 'Left open by the interface' : 'Interface specification'}, `,
    code(id),
    ': ',
    prose(text),
  ];
}

/** Summary of a board for a terminal. */
export function boardSummary({ gateways, leftOut }: Board, place: string): ReportDocument {
  return {
    ...documentOf('board', place, [
      {
        block: 'table',
        label: 'Gateways',
        head: ['gateway', 'verdict', 'judged', 'MUSTs', 'SHOULDs', 'trust', 'date'],
        rows: gateways.map((one) => ({ cells: [one.name, ...resultCells(newestOf(one))] })),
        wraps: 0,
      },
      ...leftOut.map(({ file, why }) => paragraph(['Not shown: ', code(file), ': ', why])),
    ]),
    conclusion: {
      tone: null,
      word: null,
      said: `${counted(gateways.length, 'gateway')}, ${counted(
        gateways.reduce((sum, { results }) => sum + results.length, 0),
        'result',
      )}: ${place}`,
      after: [],
    },
  };
}
