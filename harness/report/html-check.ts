import type { Listed } from '../core/known-failures.ts';
import type { CheckResult } from '../core/result.ts';
import type { Evidence } from '../core/verdict.ts';
import type { ExchangeShelf } from './html-exchanges.ts';
import { html, type Markup, type Part, prose } from './html-markup.ts';
import { placeOf } from './html-place.ts';
import { icon, listedLooks } from './html-state.ts';
import { causeWords } from './tally.ts';

/** Longer words of a judge or a gateway are cut: the exchange shows all of it. */
const longest = 4_000;

/**
 * One check: a line that opens to everything that there is to say of it.
 *
 * @param listed what the list of known failures says of it
 */
export function checkItem(
  check: CheckResult,
  shelf: ExchangeShelf,
  listed: Listed | null = null,
): Markup {
  const { id, suite, level, text, verdict } = check;
  const { column, area } = placeOf(check);
  const tag =
    listed === null ? null : html` <span class="tag ${listed}">${listedLooks[listed].tag}</span>`;
  return html`<details class="check" id="${id}" data-state="${verdict.state}" data-level="${level}" data-suite="${suite}" data-column="${column}" data-area="${area}" data-listed="${listed ?? ''}">
<summary>${icon(verdict.state)}<span class="name"><span class="id">${id}</span> <span class="level">${level}</span>${tag}<span class="gist">${gist(check)}</span></span></summary>
<div class="known">
<dl class="fields">
${field('Requires', prose(text))}
${findings(check)}
</dl>
${exchange(check, shelf)}
<dl class="fields">
${repeat(check)}
${field('Source', sources(check))}
${check.scenarios.length === 0 ? null : field('Scenario', html`<code>${check.scenarios.join(', ')}</code>`)}
</dl>
<p class="aside"><a href="#${id}">Link to this check</a></p>
</div>
</details>
`;
}

/** What a closed line says: what was seen where something was, else what is required. */
function gist({ verdict, text }: CheckResult): Part {
  return 'actual' in verdict ? cut(verdict.actual, 240) : prose(text);
}

function findings({ verdict }: CheckResult): Part {
  if ('expected' in verdict) {
    return [
      field('Expected', cut(verdict.expected)),
      field(verdict.state === 'note' ? 'Seen' : 'Actual', cut(verdict.actual)),
    ];
  }
  if (!('reason' in verdict)) return null;
  return [
    verdict.state === 'inconclusive' ? field('Cause', causeWords[verdict.cause]) : null,
    field('Reason', prose(cut(verdict.reason))),
  ];
}

function evidenceOf({ verdict }: CheckResult): Evidence | null {
  return 'evidence' in verdict ? verdict.evidence : null;
}

function exchange(check: CheckResult, shelf: ExchangeShelf): Part {
  if (!('evidence' in check.verdict)) return null;
  const evidence = evidenceOf(check);
  if (evidence === null) {
    return html`<p class="aside">Judged on no single exchange.</p>`;
  }
  const place = shelf.shelve(check.id);
  const title = html`<h3 class="exchange-title">Exchange <code>${evidence.exchange}</code></h3>`;
  const short = html`<p class="line"><span>${evidence.request} → ${cut(evidence.outcome)}</span></p>`;
  switch (place.kind) {
    case 'here':
      return html`${title}<div class="exchange" data-exchange="${place.id}">${short}<p class="aside">${cut(evidence.received)}</p></div>`;
    case 'unrecorded':
      return html`${title}${short}<pre class="body" tabindex="0">${cut(evidence.received)}</pre>
<p class="aside">The exchange was not recorded.</p>`;
    case 'no-room':
      return html`${title}${short}<pre class="body" tabindex="0">${cut(evidence.received)}</pre>
<p class="aside">Left out to keep this file small; a recording (--record FILE) has it under this key.</p>`;
  }
}

function repeat(check: CheckResult): Part {
  const evidence = evidenceOf(check);
  if (evidence === null) return null;
  return field(
    'Repeat',
    html`<div class="copy"><pre class="command" tabindex="0">${evidence.curl}</pre><button type="button" data-copy>Copy</button></div>`,
  );
}

/** Clauses stand at the end of the page; documents are elsewhere. */
function sources({ basis: { citations, judgement } }: CheckResult): Part {
  return html`<ul class="sources">${citations.map(({ id, kind, text, link }) =>
    kind === 'document'
      ? html`<li><a href="${link}" rel="noreferrer">${text}</a></li>`
      : html`<li><a href="#clause-${id}">${id}</a> ${prose(text)}</li>`,
  )}${judgement === null ? null : html`<li>our own judgement: ${prose(judgement)}</li>`}</ul>`;
}

function field(name: string, value: Part): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>
`;
}

function cut(text: string, limit = longest): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}
