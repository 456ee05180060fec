import {
  aside,
  type Block,
  clausesSection,
  code,
  type DocumentTable,
  type ExchangeView,
  exchangeHalves,
  fact,
  html,
  type Inline,
  type Markup,
  only,
  paragraph,
  prose,
  type ReportDocument,
  sourceOf,
  type Tone,
  withFacts,
} from '../../../kernel/report/index.ts';
import { sequenceDiagram } from './diagram.ts';
import type { Exploration, ExplorationVerdict, ToldAct, ToldFind } from './exploration.ts';
import {
  againInWords,
  effortInWords,
  foundInWords,
  timesInWords,
  verdictInWords,
} from './words.ts';

/** Maximum total characters of all exchanges, which a browser opens without delay. */
const room = 4_000_000;

const looks: Readonly<Record<ExplorationVerdict, { readonly word: string; readonly tone: Tone }>> =
  {
    broken: { word: 'The specification is broken', tone: 'fail' },
    'nothing-found': { word: 'Nothing found', tone: 'pass' },
    undecided: { word: 'Undecided', tone: 'inconclusive' },
  };

interface ExplorationDetail {
  /** Exchanges by key. Without an exchange, only the act is shown. */
  readonly exchanges?: ReadonlyMap<string, ExchangeView>;
  /** True if the terminal output omits the scripts, because a file contains them. */
  readonly withoutScripts?: boolean;
}

export function explorationDocument(
  exploration: Exploration,
  { exchanges = new Map(), withoutScripts = false }: ExplorationDetail = {},
): ReportDocument {
  const { target, finds, suiteVersion, specification, startedAt, sources } = exploration;
  const { word, tone } = looks[exploration.verdict];
  const shelf = new Shelf(exchanges);
  const edition = `revision ${specification.revision} of ${specification.date}`;
  return {
    kind: 'exploration',
    title: target.name,
    window: `${word}: ${target.name}`,
    generator: suiteVersion,
    conclusion: {
      tone,
      word,
      said: verdictInWords(exploration),
      after: [
        paragraph(aside(effortInWords(exploration))),
        only(
          'page',
          withFacts([
            fact('Begun', startedAt),
            fact('Regions', target.regions.join(', ')),
            fact('Touchstone', suiteVersion),
            fact('Specification', edition),
          ]),
        ),
      ],
    },
    blocks: [
      ...(finds.length < 2 ? [] : [only('page', contents(exploration))]),
      ...finds.map((find, index) =>
        findSection(find, `find-${index + 1}`, exploration, shelf, withoutScripts),
      ),
      only('page', clausesSection(sources, exploration)),
    ],
  };
}

function sectionAt(id: string, title: Inline, blocks: readonly Block[]): Block {
  return { block: 'section', id, title, blocks };
}

function contents(exploration: Exploration): Block {
  const items = exploration.finds.map((find, index) => ({
    text: [
      { span: 'link' as const, to: `#find-${index + 1}`, text: find.kind },
      aside(` ${find.level}, ${find.source.id}; ${timesInWords(find, exploration)}`),
    ],
  }));
  return { block: 'section', title: 'Finds', blocks: [{ block: 'list', items }] };
}

function findSection(
  find: ToldFind,
  id: string,
  exploration: Exploration,
  shelf: Shelf,
  withoutScripts: boolean,
): Block {
  const { kind, level, row, expected, actual, acts, script } = find;
  const tone = level === 'MUST' ? 'fail' : 'warn';
  const title: Inline = [
    { span: 'sign', tone, sign: level === 'MUST' ? '✗' : '!' },
    ` ${kind}`,
    ...(level === 'MUST' ? [] : [` (${level})`]),
  ];
  const outputs = withoutScripts ? (['page'] as const) : (['terminal', 'page'] as const);
  return sectionAt(id, title, [
    withFacts([
      row === null ? null : fact('row', [code(row.id), ': ', prose(row.text)]),
      fact('source', sourceOf(find.source)),
      fact('expected', expected),
      fact('came', actual),
      fact('seen in', timesInWords(find, exploration)),
      fact('again in', againInWords(find)),
      fact('found in', foundInWords(find)),
    ]),
    { block: 'drawn', markup: () => figure(find, id) },
    only('terminal', paragraph('')),
    actsTable(acts, kind),
    only(
      'page',
      sectionAt(
        `${id}-exchanges`,
        'Exchanges',
        acts.map((act) => exchangeOf(act, shelf)),
      ),
    ),
    only(
      outputs,
      sectionAt(`${id}-script`, 'Repeat it', [
        paragraph(aside('Save this and run it with sh; it reads the keys from the environment:')),
        { block: 'verbatim', text: script },
      ]),
    ),
  ]);
}

function figure(find: ToldFind, id: string): Markup {
  return html`<figure class="diagram">
<div class="scroll" role="region" aria-label="Sequence diagram: ${find.kind}" tabindex="0">${sequenceDiagram(find, id)}</div>
<figcaption class="aside">Keys at the left, regions of the gateway at the right; time goes down, not to scale. ✗ marks what shows it.</figcaption>
</figure>`;
}

function actsTable(acts: readonly ToldAct[], kind: string): DocumentTable {
  const rows = acts.map(({ label, actor, region, what, came, required, shows }) => ({
    cells: [
      `${shows ? '✗' : ' '} ${label}`,
      ...[actor, region, what, came],
      required === null
        ? ''
        : { span: 'link' as const, to: `#clause-${required.clause}`, text: required.outcome },
    ],
    ...(shows ? { tone: 'fail' as const } : {}),
  }));
  const head = ['  #', 'key', 'region', 'act', 'came', 'has to be'];
  return { block: 'table', label: `Acts: ${kind}`, head, rows, wraps: 3 };
}

function exchangeOf({ label, what, came, exchange: key, shows }: ToldAct, shelf: Shelf): Block {
  return key === null
    ? paragraph(aside(`${label} was not sent: what it acts on was never made.`))
    : {
        block: 'section',
        title: `${label} ${what}`,
        meaning: came,
        folded: shows ? 'open' : 'closed',
        blocks: [{ block: 'drawn', markup: () => shelf.show(key) }],
      };
}

/** Exchanges of a page, up to the maximum size. */
class Shelf {
  readonly #exchanges: ReadonlyMap<string, ExchangeView>;
  #taken = 0;

  constructor(exchanges: ReadonlyMap<string, ExchangeView>) {
    this.#exchanges = exchanges;
  }

  show(key: string): Markup {
    const view = this.#exchanges.get(key);
    if (view === undefined) return html`<p class="aside">It is not known here.</p>`;
    const halves = exchangeHalves(view);
    if (this.#taken + halves.text.length > room) {
      return html`<p class="aside">Left out to keep this file small; a recording (--record FILE) has it as <code>${key}</code>.</p>`;
    }
    this.#taken += halves.text.length;
    return halves;
  }
}
