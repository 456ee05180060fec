import {
  type CheckResult,
  placeOf,
  protocolTitles,
  type RunResult,
  type Subject,
} from '../../core/index.ts';
import { cellInWords, holdingIn, type StateCounts, stateCounts, toneOf } from '../cells.ts';
import { html, type Markup, type MarkupPart } from '../document/markup.ts';
import { undue } from '../outcome.ts';
import { stateWords } from '../words.ts';
import { looks, shownStates } from './states.ts';

/** Every area of the interface by protocol. Each cell filters the list to its checks. */
export function matrix({ checks }: RunResult): Markup {
  const all = [...areas(checks)];
  const judged = all.filter(([, cells]) => [...cells.values()].some(applies));
  const rows = judged.length === 0 ? all : judged;
  const held = rows.flatMap(([, cells]) => [...cells]);
  const subjects = Object.keys(columns) as readonly Subject[];
  const shown = subjects.filter((column) =>
    held.some(([one, cell]) => one === column && (judged.length === 0 || applies(cell))),
  );
  const head = shown.map(
    (column) =>
      html`<th scope="col"><button type="button" data-column="${column}" aria-pressed="false">${columns[column]}</button></th>`,
  );
  const unjudged = subjects.filter((one) => !shown.includes(one)).map((one) => columns[one]);
  const rest = all.filter((one) => !rows.includes(one)).map(([area]) => area);
  return html`<section id="matrix" aria-labelledby="matrix-title">
<h2 id="matrix-title">By area and protocol</h2>
<p class="aside">How many hold, of those that apply. Choose a cell, a row or a column to see its checks only. An empty cell: there is nothing to judge.</p>
${colours(checks)}
<div class="scroll" role="region" aria-label="Matrix of protocols and areas" tabindex="0"><table>
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${rows.map(([area, cells]) => row(area, cells, shown))}
</tbody>
</table></div>
${[unjudged, rest].map((names) => (names.length === 0 ? null : html`<p class="aside">Nothing to judge in ${names.join(', ')}.</p>`))}
</section>`;
}

/** True if the cell has checks that apply. */
function applies(cell: StateCounts): boolean {
  return [...cell.keys()].some((state) => !undue.has(state));
}

/** Legend of the colours of the cells. */
function colours(checks: readonly CheckResult[]): Markup {
  const items = shownStates
    .filter((state) => checks.some(({ verdict }) => verdict.state === state))
    .map(
      (state) =>
        html`<li><span class="swatch ${state}" aria-hidden="true">${looks[state].sign}</span> ${stateWords[state]}</li>`,
    );
  return html`<ul class="colours" aria-label="The colour of a cell is that of the worst in it">${items}</ul>`;
}

/** The areas by name, each with its cells. */
function areas(
  checks: readonly CheckResult[],
): ReadonlyMap<string, ReadonlyMap<Subject, StateCounts>> {
  const names = [...new Set(checks.map(({ id }) => placeOf(id).area))].sort();
  const cellsOf = (area: string): ReadonlyMap<Subject, StateCounts> => {
    const own = checks.filter(({ id }) => placeOf(id).area === area);
    return stateCounts(own, ({ subject }) => subject);
  };
  return new Map(names.map((area) => [area, cellsOf(area)]));
}

function row(
  area: string,
  cells: ReadonlyMap<Subject, StateCounts>,
  shown: readonly Subject[],
): Markup {
  return html`<tr><th scope="row"><button type="button" data-area="${area}" aria-pressed="false">${area}</button></th>${shown.map(
    (column): MarkupPart => {
      const cell = cells.get(column);
      return cell === undefined || !applies(cell) ? html`<td></td>` : filled(area, column, cell);
    },
  )}</tr>
`;
}

function filled(area: string, column: Subject, cell: StateCounts): Markup {
  const tone = toneOf(cell);
  const words = cellInWords(cell);
  return html`<td><button type="button" class="cell ${tone}" data-area="${area}" data-column="${column}" aria-pressed="false" title="${words}"><span aria-hidden="true">${holdingIn(cell) ?? looks[tone].sign}</span><span class="hidden">${area}, ${columns[column]}: ${words}</span></button></td>`;
}

/** Subjects in their display order, with titles. */
const columns: Readonly<Record<Subject, string>> = {
  ...protocolTitles,
  models: 'Models',
  other: 'General',
};
