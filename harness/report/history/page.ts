import { readFileSync } from 'node:fs';
import type { RunVerdict } from '../../core/index.ts';
import { checkTitle } from '../check-title.ts';
import { minuteOf } from '../comparison/words.ts';
import { duration } from '../duration.ts';
import { headOf, style as reportStyle } from '../html/frame.ts';
import { html, type Markup, type Part, prose } from '../html/markup.ts';
import { counted, stateWords } from '../words.ts';
import { areasTable, sideBySide } from './areas.ts';
import { barChart } from './chart.ts';
import type { History, Series } from './history.ts';
import { beganInWords, brokenNow, endedInWords, type Incident, nameOf } from './incidents.ts';
import type { PastRun } from './past-run.ts';

const style = reportStyle + readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/** Sign and colour of each verdict: those of the check state of the same weight. */
export const verdictLooks: Readonly<
  Record<RunVerdict, { readonly sign: string; readonly tone: string }>
> = {
  conformant: { sign: '✓', tone: 'pass' },
  'known-failures': { sign: '≈', tone: 'note' },
  nonconformant: { sign: '✗', tone: 'fail' },
  indeterminate: { sign: '?', tone: 'inconclusive' },
  partial: { sign: '◐', tone: 'untestable' },
};

/** A folder of reports as one HTML file that needs nothing else, and runs no script. */
export function renderHistoryHtml(history: History): string {
  const { series, folder } = history;
  return html`<!doctype html>
<html lang="en">
${headOf({ title: `History of ${folder}`, style, script: null })}
<body>
<header>
<p class="brand">Touchstone <span>history</span></p>
<h1>${folder}</h1>
<p>${inWords(history)}</p>
${legend(history)}
</header>
<main>
${overview(series)}
${series.length > 1 ? sideBySide(series) : null}
${series.map(section)}
${leftOut(history)}
</main>
</body>
</html>
`.text;
}

function inWords({ series, ignored }: History): string {
  const runs = series.flatMap((one) => one.runs);
  const times = runs.map(({ head }) => head.startedAt).sort();
  const [first = ''] = times;
  const span =
    runs.length < 2
      ? ''
      : ` from ${minuteOf({ startedAt: first })} to ${minuteOf({ startedAt: times.at(-1) ?? '' })}`;
  const others = ignored === 0 ? '' : `; ${counted(ignored, 'other file')} ignored`;
  return `${counted(runs.length, 'run')} of ${counted(series.length, 'target')}${span}${others}.`;
}

/** The signs that the page uses. */
function legend({ series }: History): Markup {
  const used = new Set(series.flatMap(({ runs }) => runs.map(({ head }) => head.verdict)));
  const items = Object.entries(verdictLooks)
    .filter(([verdict]) => used.has(verdict as RunVerdict))
    .map(
      ([verdict, { sign, tone }]) =>
        html`<li><span class="sign ${tone}" aria-hidden="true">${sign}</span> ${verdict}</li>`,
    );
  return html`<ul class="legend" aria-label="Verdicts">${items}</ul>`;
}

/** Number of verdicts on a line. */
const stripLength = 18;

function overview(series: readonly Series[]): Markup {
  return html`<section aria-labelledby="targets-title">
<h2 id="targets-title">Targets</h2>
<p class="aside">Of each its last run, and the verdicts before it, the newest at the right.</p>
<div class="scroll" role="region" aria-label="Table of targets" tabindex="0"><table class="plain lines">
<thead><tr><th scope="col">Target</th><th scope="col">Verdict</th><th scope="col">Last run</th><th scope="col">Broken</th><th scope="col">Took</th><th scope="col">Runs</th><th scope="col">Verdicts</th></tr></thead>
<tbody>
${series.map((one, index) => overviewRow(one, index))}</tbody>
</table></div>
</section>`;
}

function overviewRow({ name, runs, incidents }: Series, index: number): Part {
  const last = runs.at(-1)?.head;
  if (last === undefined) return null;
  const { sign, tone } = verdictLooks[last.verdict];
  return html`<tr><th scope="row"><a href="#target-${index}">${name}</a></th><td><span class="sign ${tone}" aria-hidden="true">${sign}</span> ${last.verdict}</td><td>${minuteOf(last)}</td><td>${brokenNow(incidents)}</td><td>${duration(last.durationMs)}</td><td>${runs.length}</td><td>${strip(runs)}</td></tr>
`;
}

function strip(runs: readonly PastRun[]): Markup {
  const shown = runs.slice(-stripLength);
  const words = shown.map(({ head }) => head.verdict).join(', ');
  const cells = shown.map(({ head }) => {
    const { sign, tone } = verdictLooks[head.verdict];
    return html`<span class="cell ${tone}" title="${`${minuteOf(head)}: ${head.verdict}`}">${sign}</span>`;
  });
  return html`<span class="strip" aria-hidden="true">${cells}</span><span class="hidden">${words}</span>`;
}

function section(series: Series, index: number): Markup {
  const { name, runs, incidents } = series;
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
  return html`<section id="target-${index}" aria-labelledby="target-${index}-title">
<h2 id="target-${index}-title">${name}</h2>
<div class="charts">
${barChart('Failures and warnings', broken, String)}
${barChart('Duration', took, duration)}
</div>
${incidentsTable(series)}
${areasTable(series, index)}
${runsTable(series)}
${incidents.length === 0 ? html`<p class="aside">Nothing was broken in any of these runs.</p>` : null}
</section>`;
}

function incidentsTable({ name, runs, incidents }: Series): Part {
  if (incidents.length === 0) return null;
  return html`<h3>What broke, and when it was fixed</h3>
<div class="scroll" role="region" aria-label="What broke: ${name}" tabindex="0"><table class="plain incidents">
<thead><tr><th scope="col">Requirement</th><th scope="col">Broke</th><th scope="col">Fixed</th></tr></thead>
<tbody>
${incidents.map((incident) => incidentRow(incident, runs))}</tbody>
</table></div>`;
}

function incidentRow(incident: Incident, runs: readonly PastRun[]): Markup {
  const { broke, fixed, level, text, requirement } = incident;
  const title = checkTitle({ id: requirement, requirement, text }).words;
  const tone = fixed === null ? (level === 'MUST' ? 'fail' : 'warn') : 'pass';
  return html`<tr><th scope="row"><span class="sign ${tone}" aria-hidden="true">${fixed === null ? '✗' : '✓'}</span> <span class="title">${prose(title)}</span><p class="aside"><span class="id">${nameOf(incident)}</span> <span class="level">${level}</span></p></th><td>${beganInWords(incident, runs)}${suiteTag(broke, runs)}</td><td>${endedInWords(incident, runs)}${fixed === null ? null : suiteTag(fixed, runs)}</td></tr>
`;
}

/** Marks a run of another version of the suite: differences may not be due to the gateway. */
function suiteTag(at: number, runs: readonly PastRun[]): Part {
  const [before, after] = [runs[at - 1]?.head, runs[at]?.head];
  if (before === undefined || after === undefined) return null;
  return before.suiteVersion === after.suiteVersion &&
    before.specification.sha256 === after.specification.sha256
    ? null
    : html` <span class="tag">with another Touchstone</span>`;
}

const counts = ['pass', 'fail', 'warn', 'inconclusive', 'untestable', 'excluded'] as const;

function runsTable({ name, runs }: Series): Markup {
  return html`<details class="section">
<summary><h3>All runs <span class="count">${runs.length}</span></h3></summary>
<div class="scroll" role="region" aria-label="All runs: ${name}" tabindex="0"><table class="plain lines">
<thead><tr><th scope="col">Run</th><th scope="col">Verdict</th>${counts.map((state) => html`<th scope="col">${stateWords[state]}</th>`)}<th scope="col">Took</th><th scope="col">Touchstone</th><th scope="col">Report</th></tr></thead>
<tbody>
${[...runs].reverse().map(
  ({
    head,
  }) => html`<tr><th scope="row">${minuteOf(head)}</th><td><span class="sign ${verdictLooks[head.verdict].tone}" aria-hidden="true">${verdictLooks[head.verdict].sign}</span> ${head.verdict}</td>${counts.map((state) => html`<td>${head.counts[state]}</td>`)}<td>${duration(head.durationMs)}</td><td>${head.suiteVersion}</td><td>${head.file}</td></tr>
`,
)}</tbody>
</table></div>
</details>`;
}

function leftOut({ leftOut }: History): Part {
  if (leftOut.length === 0) return null;
  return html`<section aria-labelledby="left-out-title">
<h2 id="left-out-title">Left out</h2>
<ul>${leftOut.map(({ file, reason }) => html`<li><span class="id">${file}</span>: ${prose(reason)}</li>`)}</ul>
</section>`;
}
