import {
  type CheckResult,
  type CheckState,
  cut,
  type Evidence,
  isAtPoints,
  type Listed,
  levels,
  placeOf,
  type RootCause,
  type RunResult,
} from '../../core/index.ts';
import { shortSourceOf, sourceOf } from '../basis.ts';
import { causeInWords } from '../cause-words.ts';
import { checkTitle } from '../check-title.ts';
import { html, type Markup, type MarkupPart, proseOf } from '../document/markup.ts';
import { factList } from '../document/page.ts';
import { code, type Fact, fact, type Inline, prose } from '../document/tree.ts';
import { duration } from '../duration.ts';
import { programOf } from '../explanation.ts';
import { inOneLine } from '../line.ts';
import { subjectOf } from '../subject.ts';
import { type Group, isReasoned, keyed, summaryOf } from '../summary.ts';
import { causeWords, counted, lagsInWords, mustsAmong, triesInWords } from '../words.ts';
import { conversationIn } from './conversations.ts';
import type { ExchangeShelf } from './exchange.ts';
import { icon, listedLooks, looks, meaningOf, shownStates } from './states.ts';

type List = (checks: readonly CheckResult[]) => Markup;

/** Every check of the run, by state, and by reason if states have reasons. What was not judged takes one line. */
export function checkSections(result: RunResult, shelf: ExchangeShelf): Markup {
  const summary = summaryOf(result);
  const { listed } = summary;
  const list: List = (checks) =>
    html`<div class="list">${checks.map((check) => checkItem(check, shelf, result, listed.get(check.id) ?? null))}</div>`;
  // Failures that are not on the list come first.
  const known = ({ id }: CheckResult): number => (listed.get(id) === 'excused' ? 1 : 0);
  const listIn = (state: CheckState): MarkupPart => {
    if (isReasoned(state)) {
      const isOpen = state === 'inconclusive' || state === 'error';
      return summary.groups[state].map((group) => groupOf(group, isOpen ? list : briefList));
    }
    if (state === 'fail' || state === 'warn') {
      return byCause(summary.causes, state, known, list);
    }
    return list(summary.by[state]);
  };
  const sections = shownStates.map((state) =>
    summary.by[state].length === 0
      ? null
      : section(state, summary.by[state], listIn(state), meaningOf(state, result)),
  );
  return html`${outdated(result)}${sections}
<p class="nothing" id="nothing" hidden>No check fits these filters.</p>
${unchecked(result)}`;
}

function section(
  state: CheckState,
  checks: readonly CheckResult[],
  list: MarkupPart,
  meaning: string,
): MarkupPart {
  const { title, open } = looks[state];
  const attribute = open ? html` open` : null;
  return html`<details class="section" id="${state}" data-section="${state}"${attribute}>
<summary><h3>${title} <span class="count">${checks.length}</span></h3> <span class="aside">${state === 'inconclusive' ? mustsAmong(checks) : ''}${meaning}</span></summary>
${list}
</details>
`;
}

/** Groups failures or warnings by their likely cause, which is described once. */
function byCause(
  causes: readonly RootCause[],
  state: 'fail' | 'warn',
  known: (check: CheckResult) => number,
  list: List,
): MarkupPart {
  const groups = causes
    .map((cause) => ({
      cause,
      checks: cause.failed.filter(({ verdict }) => verdict.state === state),
    }))
    .filter(({ checks }) => checks.length > 0);
  const isKnown = ({ checks }: (typeof groups)[number]): number => Math.min(...checks.map(known));
  return groups
    .sort((one, other) => isKnown(one) - isKnown(other))
    .map(({ cause, checks }) => {
      const own = list([...checks].sort((one, other) => known(one) - known(other)));
      // A check by itself says what its cause would say.
      return checks.length === 1
        ? html`<section class="cause alone">${own}${waiting(cause)}</section>
`
        : html`<section class="cause"><h4>One cause <span class="count">${counted(checks.length, 'check')}</span></h4>
<p>${proseOf(cut(causeInWords(cause), 400))}</p>
${own}
${waiting(cause)}</section>
`;
    });
}

/** Lists the checks that could not be judged because of a cause. */
function waiting({ waiting }: RootCause): MarkupPart {
  if (waiting.length === 0) return null;
  const links = waiting.map(({ id }) => html`<li><a class="id" href="#${id}">${id}</a></li>`);
  return html`<details class="raw"><summary>${counted(waiting.length, 'check')} could not be judged because of it</summary>
<ul class="links">${links}</ul></details>`;
}

/** Checks under their common property and their reasons, so that each gap is described once. */
function groupOf({ title, reasons, count }: Group, list: List): MarkupPart {
  const lists = reasons.map(
    ({ reason, checks }) => html`<div class="reason"><p>${proseOf(reason.slice(0, 600))}</p>
${list(checks)}
</div>
`,
  );
  if (title === null) return lists;
  return html`<section class="cause"><h4>${title} <span class="count">${count}</span></h4>
${lists}</section>
`;
}

/** Known failures that pass now or have expired. The list must be corrected, or it hides new failures. */
function outdated({ checks, knownFailures }: RunResult): MarkupPart {
  if (knownFailures === undefined) return null;
  const { file, stale, expired = [] } = knownFailures;
  // An entry for a requirement covers its checks, and has no anchor in the list.
  const ids = new Set(checks.map(({ id }) => id));
  const section = (title: string, entries: readonly string[], what: Markup): MarkupPart =>
    entries.length === 0
      ? null
      : html`<section class="stale">
<h3>${title} known failures <span class="count">${entries.length}</span></h3>
<p>${what}</p>
<ul>${entries.map((id) => html`<li class="id">${ids.has(id) ? html`<a href="#${id}">${id}</a>` : id}</li>`)}</ul>
</section>
`;
  return [
    section(
      'Stale',
      stale,
      html`Nothing of them fails any more: remove them from <code>${file}</code>.`,
    ),
    section(
      'Expired',
      expired,
      html`Their last day in <code>${file}</code> is over: they excuse nothing.`,
    ),
  ];
}

/** Requirements that cannot be observed over the interface, listed so that no reader relies on them. */
function unchecked(result: RunResult): MarkupPart {
  const { unchecked } = result;
  if (unchecked.length === 0) return null;
  const rows = unchecked.map(
    ({ id, text, reason }) =>
      html`<li><span class="id">${id}</span><p>${proseOf(text)}</p><p class="aside">${proseOf(reason)}</p></li>`,
  );
  return html`<details class="section unchecked">
<summary><h3>${subjectOf(result).unchecked} <span class="count">${unchecked.length}</span></h3> <span class="aside">requirements without a check, and why</span></summary>
<ul>${rows}</ul>
</details>
`;
}

/** Lists checks in one line for each requirement; values of another level have their own. */
function briefList(checks: readonly CheckResult[]): Markup {
  const lines = keyed(checks, ({ requirement, level }) => `${requirement} ${level}`);
  return html`<div class="list">${[...lines.values()].map(briefLine)}</div>`;
}

function briefLine(checks: readonly CheckResult[]): MarkupPart {
  const [first] = checks;
  if (first === undefined) return null;
  const { id, requirement, verdict } = first;
  const columns = [...new Set(checks.map((check) => placeOf(check.id).subject))].join(' ');
  const values = checks.flatMap((check) => checkTitle(check).value ?? []).join(', ');
  const title = verdict.state === 'untestable' ? html`${proseOf(checkTitle(first).words)} ` : null;
  return html`<div class="check"${checks.length === 1 ? null : html` data-checks="${checks.length}"`}${levelOf(first)} data-column="${columns}"${areaOf(id)}>${title}<span class="id">${requirement}</span> ${values}</div>
`;
}

/** The level of a check for the script, to which most are MUSTs. */
function levelOf({ level }: CheckResult): MarkupPart {
  return level === 'MUST' ? null : html` data-level="${level}"`;
}

/** The area of a check for the script, unless its id begins with it. */
function areaOf(id: string): MarkupPart {
  const { area } = placeOf(id);
  return id.startsWith(`${area}.`) ? null : html` data-area="${area}"`;
}

/** Maximum length of a judge's or a gateway's text. The exchange has the full text. */
const longest = 4_000;

/**
 * One check: a line that expands to all its details.
 *
 * @param listed its status on the list of known failures
 */
function checkItem(
  check: CheckResult,
  shelf: ExchangeShelf,
  result: RunResult,
  listed: Listed | null,
): Markup {
  const { id, level, text, verdict } = check;
  const { subject: column } = placeOf(check.id);
  const title = checkTitle(check);
  const took =
    check.durationMs === undefined
      ? null
      : html` <span class="time">${duration(check.durationMs)}</span>`;
  const found =
    verdict.state === 'fail' || verdict.state === 'warn'
      ? html`<span class="found">${cut(inOneLine(verdict.actual), 300)}</span>`
      : null;
  const tag =
    listed === null ? null : html` <span class="tag ${listed}">${listedLooks[listed].tag}</span>`;
  return html`<details class="check" id="${id}"${levelOf(check)} data-column="${column}"${areaOf(id)}${listed === null ? null : html` data-listed="${listed}"`}>
<summary>${icon(verdict.state)}<span class="name"><span class="title">${proseOf(title.words)}${title.value === null ? null : html` <span class="value">${title.value}</span>`}</span>${tag}${found}<span class="gist"><span class="id">${id}</span> <span class="level">${level}</span>${took}</span></span></summary>
<div class="known">
${factList([fact('Requires', title.words === text.replace(/\.$/, '') ? null : prose(text)), ...outcomeFacts(check)])}
${conversationIn(check, result)}${exchange(check, shelf)}
${factList(originFacts(check, result))}
<p class="aside"><a href="#${id}">Link</a></p>
</div>
</details>
`;
}

function outcomeFacts(check: CheckResult): readonly (Fact | null)[] {
  const { verdict } = check;
  const rounds = fact('Tries', triesOf(check));
  const lag = fact('Lag', lagsInWords([check]));
  if (!isAtPoints(verdict)) {
    const { reason } = verdict;
    const cause = verdict.state === 'inconclusive' ? causeWords[verdict.cause] : null;
    return [fact('Cause', cause), fact('Reason', prose(cut(reason, longest))), rounds, lag];
  }
  const { points } = verdict;
  const judged = points === undefined ? null : `at ${counted(points.judged, 'point')}`;
  const found =
    verdict.state === 'pass'
      ? []
      : [
          fact('Expected', cut(verdict.expected, longest)),
          fact(verdict.state === 'note' ? 'Seen' : 'Actual', cut(verdict.actual, longest)),
        ];
  return [...found, fact('Judged', judged), rounds, lag];
}

function originFacts(check: CheckResult, result: RunResult): readonly (Fact | null)[] {
  const { id, scenarios, basis } = check;
  const evidence = evidenceOf(check);
  const command = (text: string): Inline => ({ span: 'command', text });
  const { citations, judgement } = basis;
  const ours = judgement === null ? [] : [['our own judgement: ', prose(judgement)]];
  // The list of all clauses has the texts that a passed check leaves out.
  const isPassed = check.verdict.state === 'pass';
  const sources = isPassed ? [shortSourceOf(citations)] : citations.map(sourceOf);
  return [
    fact('Repeat', evidence === null ? null : command(evidence.curl)),
    { name: 'Source', lines: [...sources, ...ours] },
    fact('Scenario', isPassed || scenarios.length === 0 ? null : code(scenarios.join(', '))),
    fact('Explain', isPassed ? null : command(`${programOf(result)} explain ${id}`)),
  ];
}

/** Describes in how many rounds the check passed, and which rounds failed. */
function triesOf(check: CheckResult): string | null {
  const words = triesInWords(check);
  const { brokenIn = [] } = check.tries ?? {};
  if (words === null || brokenIn.length === 0) return words;
  const named = brokenIn.slice(0, mostLinks).join(', ');
  const more = brokenIn.length > mostLinks ? ', …' : '';
  return `${words}, in ${brokenIn.length === 1 ? 'round' : 'rounds'} ${named}${more}`;
}

function evidenceOf({ verdict }: CheckResult): Evidence | null {
  return 'evidence' in verdict ? verdict.evidence : null;
}

function exchange(check: CheckResult, shelf: ExchangeShelf): MarkupPart {
  if (!('evidence' in check.verdict)) return null;
  const evidence = evidenceOf(check);
  if (evidence === null) {
    return html`<p class="aside">Not judged on a single exchange.</p>`;
  }
  const place = shelf.shelve(check.id);
  const places = 'places' in check.verdict ? (check.verdict.places ?? []).join(' ') : '';
  const title = html`<h3 class="exchange-title">Exchange <code>${evidence.exchange}</code></h3>`;
  const short = html`<p class="line"><span>${evidence.request} → ${cut(evidence.outcome, longest)}</span></p>`;
  switch (place.kind) {
    case 'here':
      return html`${title}<div class="exchange" data-exchange="${place.id}" data-places="${places}">${short}<p class="aside">${cut(evidence.received, longest)}</p></div>${sharedBy(place.sharedBy)}`;
    case 'elsewhere':
      return html`${title}<div class="exchange" data-later="${place.id}" data-places="${places}">${short}<p class="aside" data-other>It is shown under <a class="id" href="#${place.check}">${place.check}</a>, which is judged on it, too. <button type="button" class="quiet" data-show>Show it here</button></p></div>`;
    case 'unrecorded':
      return html`${title}${short}<pre class="body" tabindex="0">${cut(evidence.received, longest)}</pre>
<p class="aside">The exchange was not recorded.</p>`;
    case 'no-room':
      return html`${title}${short}<pre class="body" tabindex="0">${cut(evidence.received, longest)}</pre>
<p class="aside">Left out to keep this file small; a recording (--record FILE) has it under this key.</p>`;
  }
}

/** Maximum number of links. The search finds further checks. */
const mostLinks = 12;

function sharedBy(checks: readonly string[]): MarkupPart {
  if (checks.length === 0) return null;
  const links = checks
    .slice(0, mostLinks)
    .map((id) => html`<li><a class="id" href="#${id}">${id}</a></li>`);
  const more = checks.length - links.length;
  return html`<details class="raw" data-other><summary>${counted(checks.length, 'other check')} rest${checks.length === 1 ? 's' : ''} on this exchange</summary>
<ul class="links">${links}${more > 0 ? html`<li>and ${more} more</li>` : null}</ul></details>`;
}

/** Controls that filter the list of checks. */
export function filters(result: RunResult): Markup {
  const { counts, checks } = result;
  const summary = summaryOf(result);
  const states = shownStates
    .filter((state) => counts[state] > 0)
    .map((state) => {
      const { sign, title } = looks[state];
      return html`<button type="button" class="chip" data-filter="state" data-value="${state}" aria-pressed="false"><span class="sign ${state}" aria-hidden="true">${sign}</span> ${title} <b>${counts[state]}</b></button>`;
    });
  const binding = levels.map((level) => {
    const count = checks.filter((check) => check.level === level).length;
    return count === 0
      ? null
      : html`<button type="button" class="chip" data-filter="level" data-value="${level}" aria-pressed="false">${level} <b>${count}</b></button>`;
  });
  const listed = [...summary.listed.values()];
  const known = (['excused', 'covered', 'stale'] satisfies Listed[]).map((how) => {
    const count = listed.filter((one) => one === how).length;
    return count === 0
      ? null
      : html`<button type="button" class="chip" data-filter="listed" data-value="${how}" aria-pressed="false">${listedLooks[how].title} <b>${count}</b></button>`;
  });
  const suites = summary.suites.map(({ name }) => html`<option value="${name}">${name}</option>`);
  return html`<details id="filtering"><summary>Search and filter <span id="count" role="status">${checks.length} checks</span></summary>
<form id="filters" role="search" aria-label="Filter the checks">
<div class="row">
<label class="search"><span class="hidden">Search in ids and texts</span><input id="text" type="search" placeholder="Search ids, requirements, responses" autocomplete="off" spellcheck="false"></label>
<label class="select"><span class="hidden">Suite</span><select id="suite"><option value="">All suites</option>${suites}</select></label>
</div>
<div class="row chips" role="group" aria-label="State">${states}</div>
<div class="row chips" role="group" aria-label="Level and list">${binding}${known}
<button type="button" class="chip place" id="place" hidden></button>
<span class="push"></span>
<button type="button" class="quiet" id="clear" hidden>Clear filters</button>
<button type="button" class="quiet" id="open">Expand</button>
<button type="button" class="quiet" id="close">Collapse</button>
</div>
</form></details>`;
}
