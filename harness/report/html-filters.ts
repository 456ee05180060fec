import { type Listed, listedIn } from '../core/known-failures.ts';
import { levels } from '../core/requirement.ts';
import type { RunResult } from '../core/result.ts';
import { html, type Markup } from './html-markup.ts';
import { listedLooks, looks, shownStates } from './html-state.ts';
import { tallySuites } from './tally.ts';

/** What the list of checks can be narrowed by. */
export function filters(result: RunResult): Markup {
  const { counts, checks } = result;
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
  const listed = [...listedIn(result).values()];
  const known = (['excused', 'stale'] satisfies Listed[]).map((how) => {
    const count = listed.filter((one) => one === how).length;
    return count === 0
      ? null
      : html`<button type="button" class="chip" data-filter="listed" data-value="${how}" aria-pressed="false">${listedLooks[how].title} <b>${count}</b></button>`;
  });
  const suites = tallySuites(result).map(
    ({ suite }) => html`<option value="${suite}">${suite}</option>`,
  );
  return html`<form id="filters" role="search" aria-label="Filter the checks">
<div class="row">
<label class="search"><span class="hidden">Search in ids and texts</span><input id="text" type="search" placeholder="Search ids, requirements, answers" autocomplete="off" spellcheck="false"></label>
<label class="select"><span class="hidden">Suite</span><select id="suite"><option value="">All suites</option>${suites}</select></label>
</div>
<div class="row chips" role="group" aria-label="State">${states}</div>
<div class="row chips" role="group" aria-label="Level and list">${binding}${known}
<button type="button" class="chip place" id="place" hidden></button>
<span class="push"></span>
<p id="count" role="status">${checks.length} checks</p>
<button type="button" class="quiet" id="clear" hidden>Clear filters</button>
<button type="button" class="quiet" id="open">Expand</button>
<button type="button" class="quiet" id="close">Collapse</button>
</div>
</form>`;
}
