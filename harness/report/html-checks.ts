import { listedIn } from '../core/known-failures.ts';
import type { CheckResult, RunResult } from '../core/result.ts';
import type { CheckState } from '../core/verdict.ts';
import { checkItem } from './html-check.ts';
import type { ExchangeShelf } from './html-exchanges.ts';
import { html, type Markup, type Part, prose } from './html-markup.ts';
import { looks, shownStates } from './html-state.ts';
import { type Group, grouped, resultsOf } from './tally.ts';

type Item = (check: CheckResult) => Markup;

/** Every check of the run, by state, and where states have reasons, by reason. */
export function checkSections(result: RunResult, shelf: ExchangeShelf): Markup {
  const listed = listedIn(result);
  const item = (check: CheckResult): Markup =>
    checkItem(check, shelf, listed.get(check.id) ?? null);
  // What nobody knew yet comes first.
  const inOrder = (state: CheckState): CheckResult[] =>
    resultsOf(result, state).toSorted(
      (one, other) =>
        Number(listed.get(one.id) === 'excused') - Number(listed.get(other.id) === 'excused'),
    );
  const sections = shownStates.map((state) => section(state, inOrder(state), item));
  return html`${stale(result)}${sections}
<p class="nothing" id="nothing" hidden>No check fits these filters.</p>
${unchecked(result)}`;
}

function section(state: CheckState, checks: readonly CheckResult[], item: Item): Part {
  if (checks.length === 0) return null;
  const { title, meaning, open } = looks[state];
  const attribute = open ? html` open` : null;
  return html`<details class="section" id="${state}" data-section="${state}"${attribute}>
<summary><h3>${title} <span class="count">${checks.length}</span></h3> <span class="aside">${meaning}</span></summary>
${listOf(checks, item)}
</details>
`;
}

/** Checks under their reasons, when they have reasons: what lacks is said once. */
function listOf(checks: readonly CheckResult[], item: Item): Part {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const reasoned = checks.flatMap(({ id, verdict }) =>
    'reason' in verdict ? [{ id, verdict }] : [],
  );
  if (reasoned.length === 0) {
    return html`<div class="list">${checks.map(item)}</div>`;
  }
  const items = (ids: readonly string[]): Part =>
    ids.map((id): Part => {
      const check = byId.get(id);
      return check === undefined ? null : item(check);
    });
  return grouped(reasoned).map((group) => groupOf(group, items));
}

function groupOf({ title, reasons, count }: Group, items: (ids: readonly string[]) => Part): Part {
  const lists = reasons.map(
    ({ reason, ids }) => html`<div class="reason"><p>${prose(reason.slice(0, 600))}</p>
<div class="list">${items(ids)}</div>
</div>
`,
  );
  if (title === null) return lists;
  return html`<section class="cause"><h4>${title} <span class="count">${count}</span></h4>
${lists}</section>
`;
}

/** Known failures that fail no more: the list is to be mended, or it hides the next ones. */
function stale({ checks, knownFailures }: RunResult): Part {
  const entries = knownFailures?.stale ?? [];
  // A requirement stands for its checks, and has no place of its own in the list.
  const ids = new Set(checks.map(({ id }) => id));
  if (entries.length === 0) return null;
  return html`<section class="stale">
<h3>Stale known failures <span class="count">${entries.length}</span></h3>
<p>Nothing of them fails any more: remove them from <code>${knownFailures?.file ?? ''}</code>.</p>
<ul>${entries.map((id) => html`<li class="id">${ids.has(id) ? html`<a href="#${id}">${id}</a>` : id}</li>`)}</ul>
</section>
`;
}

/** Requirements that nobody can observe over the interface: said, so that nobody counts on them. */
function unchecked({ unchecked }: RunResult): Part {
  if (unchecked.length === 0) return null;
  const rows = unchecked.map(
    ({ id, text, reason }) =>
      html`<li><span class="id">${id}</span><p>${prose(text)}</p><p class="aside">${prose(reason)}</p></li>`,
  );
  return html`<details class="section unchecked">
<summary><h3>Not observable <span class="count">${unchecked.length}</span></h3> <span class="aside">requirements without a check, and why</span></summary>
<ul>${rows}</ul>
</details>
`;
}
