import { type CheckState, checkStates } from '../../core/index.ts';
import { minuteOf } from '../comparison/words.ts';
import { html, type Markup, type Part } from '../html/markup.ts';
import { looks, shownStates } from '../html/states.ts';
import { stateWords } from '../words.ts';
import { areasIn, type Series } from './history.ts';
import type { PastRun } from './past-run.ts';

/** Runs that a table has a column for; on a phone the last few of them are shown. */
const columns = 40;
const onPhones = 10;

type Cell = ReadonlyMap<CheckState, number>;

/** Every area against the runs, the newest at the right: those that were always well are folded. */
export function areasTable({ name, runs }: Series, index: number): Part {
  const shown = runs.slice(-columns);
  const all = areasIn(shown);
  const odd = all.filter((area) => !isWell(area, shown));
  const well = all.filter((area) => isWell(area, shown));
  const table = (areas: readonly string[], label: string): Part =>
    areas.length === 0
      ? null
      : html`<div class="scroll" role="region" aria-label="${label}: ${name}" tabindex="0"><table class="times">
<thead><tr><td></td>${shown.map(({ head }, at) => html`<th scope="col"${age(at, shown)}><span>${minuteOf(head).slice(5, 16)}</span></th>`)}</tr></thead>
<tbody>
${areas.map((area) => areaRow(area, shown))}</tbody>
</table></div>`;
  return html`<h3 id="areas-${index}">Areas over time</h3>
<p class="aside">Each area by the worst of its checks${runs.length > columns ? `, in the last ${columns} runs` : ''}.</p>
${table(odd, 'Areas over time')}
${stateLegend(odd, shown)}
${folded('Always well', well.length, table(well, 'Areas that were always well'))}`;
}

/** Legend of the signs in the table. */
function stateLegend(areas: readonly string[], runs: readonly PastRun[]): Part {
  const cells = runs.flatMap((run) => areas.map((area) => run.areas.get(area) ?? new Map()));
  const used = new Set(cells.filter(({ size }) => size > 0).map(toneOf));
  if (used.size === 0) return null;
  const items = shownStates
    .filter((state) => used.has(state))
    .map(
      (state) =>
        html`<li><span class="sign ${state}" aria-hidden="true">${looks[state].sign}</span> ${stateWords[state]}</li>`,
    );
  return html`<ul class="legend small" aria-label="States">${items}</ul>`;
}

function areaRow(area: string, shown: readonly PastRun[]): Markup {
  return html`<tr><th scope="row">${area}</th>${shown.map(({ areas }, at) => {
    const cell = areas.get(area);
    if (cell === undefined) return html`<td${age(at, shown)}></td>`;
    const tone = toneOf(cell);
    const words = inWords(cell);
    return html`<td${age(at, shown)}><span class="cell ${tone}" title="${words}">${looks[tone].sign}${tone === 'pass' ? null : html`<span class="hidden"> ${words}</span>`}</span></td>`;
  })}</tr>
`;
}

/** The older columns, which a narrow screen has no room for. */
function age(at: number, shown: readonly PastRun[]): Markup | null {
  return at < shown.length - onPhones ? html` class="old"` : null;
}

/** The areas of the last run of each target, in a column each: those that are well everywhere are folded. */
export function sideBySide(series: readonly Series[]): Markup {
  const last = series.flatMap(({ runs }) => runs.slice(-1));
  const head = last.map(({ title }) => html`<th scope="col">${title}</th>`);
  const all = areasIn(last);
  const odd = all.filter((area) => !isWell(area, last));
  const table = (areas: readonly string[], label: string): Part =>
    areas.length === 0
      ? null
      : html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="plain side">
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${areas.map(
  (area) => html`<tr><th scope="row">${area}</th>${last.map((run) => sideCell(run, area))}</tr>
`,
)}</tbody>
</table></div>`;
  const well = all.filter((area) => isWell(area, last));
  return html`<section aria-labelledby="side-title">
<h2 id="side-title">Side by side</h2>
<p class="aside">How many checks hold in the last run of each, of those that apply.</p>
${table(odd, 'Areas of each target')}
${folded('Well in each', well.length, table(well, 'Areas that are well in each target'))}
</section>`;
}

function sideCell({ areas }: PastRun, area: string): Markup {
  const cell = areas.get(area);
  if (cell === undefined) return html`<td></td>`;
  const [holds, applying] = holding(cell);
  return html`<td><span class="cell ${toneOf(cell)}" title="${inWords(cell)}">${applying === 0 ? '–' : holds === applying ? holds : `${holds}/${applying}`}</span></td>`;
}

function folded(title: string, count: number, table: Part): Part {
  return count === 0
    ? null
    : html`<details class="section"><summary><h3>${title} <span class="count">${count}</span></h3></summary>${table}</details>`;
}

function isWell(area: string, runs: readonly PastRun[]): boolean {
  return runs.every(({ areas }) => {
    const cell = areas.get(area);
    return cell === undefined || toneOf(cell) === 'pass';
  });
}

function holding(cell: Cell): readonly [holds: number, applying: number] {
  const count = (...states: CheckState[]): number =>
    states.reduce((sum, state) => sum + (cell.get(state) ?? 0), 0);
  const holds = count('pass', 'note');
  return [holds, holds + count('fail', 'warn', 'inconclusive', 'error', 'untestable')];
}

/** Returns the state that colours a cell. A note or an excluded check does not spoil it. */
function toneOf(cell: Cell): CheckState {
  const worst = shownStates.find((state) => cell.has(state)) ?? 'pass';
  const mild: readonly CheckState[] = ['note', 'not-applicable', 'excluded'];
  return cell.has('pass') && mild.includes(worst) ? 'pass' : worst;
}

function inWords(cell: Cell): string {
  return checkStates
    .filter((state) => cell.has(state))
    .map((state) => `${cell.get(state)} ${stateWords[state]}`)
    .join(', ');
}
