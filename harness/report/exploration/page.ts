import { readFileSync } from 'node:fs';
import type { Citation } from '../../core/index.ts';
import type { ExchangeView } from '../exchange-view.ts';
import { exchangeHalves } from '../html/exchange.ts';
import { headOf, style as reportStyle } from '../html/frame.ts';
import { html, type Markup, type Part, prose } from '../html/markup.ts';
import { sequenceDiagram } from './diagram.ts';
import type { Exploration, ExplorationVerdict, ToldAct, ToldFind } from './exploration.ts';
import {
  againInWords,
  effortInWords,
  foundInWords,
  timesInWords,
  verdictInWords,
} from './words.ts';

const style = reportStyle + readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/** Characters that all exchanges may take together: what a browser opens at once. */
const room = 4_000_000;

const looks: Readonly<
  Record<ExplorationVerdict, { readonly word: string; readonly tone: string }>
> = {
  broken: { word: 'The specification is broken', tone: 'nonconformant' },
  'nothing-found': { word: 'Nothing found', tone: 'conformant' },
  undecided: { word: 'Undecided', tone: 'indeterminate' },
};

/**
 * An exploration as one HTML file that needs nothing else, and runs no script.
 *
 * @param exchanges by their keys; of one that is not among them only its act is told
 */
export function renderExplorationHtml(
  exploration: Exploration,
  exchanges: ReadonlyMap<string, ExchangeView> = new Map(),
): string {
  const { target, finds, suiteVersion } = exploration;
  const { word, tone } = looks[exploration.verdict];
  const shelf = new Shelf(exchanges);
  return html`<!doctype html>
<html lang="en">
${headOf({ title: `${word}: ${target.name}`, style, script: null, generator: `Touchstone ${suiteVersion}` })}
<body>
<header>
<p class="brand">Touchstone <span>exploration</span></p>
<h1>${target.name}</h1>
<div class="verdict ${tone}"><p class="word">${word}</p>
<p class="why">${verdictInWords(exploration)}</p>
<p class="next">${effortInWords(exploration)}</p></div>
${facts(exploration)}
</header>
<main>
${finds.length < 2 ? null : contents(exploration)}
${finds.map((find, index) => section(find, index, exploration, shelf))}
${clauses(exploration)}
</main>
</body>
</html>
`.text;
}

function facts({ startedAt, target, suiteVersion, specification }: Exploration): Markup {
  const fact = (name: string, value: string): Markup =>
    html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">
${fact('Begun', startedAt)}
${fact('Regions', target.regions.join(', '))}
${fact('Touchstone', suiteVersion)}
${fact('Specification', `revision ${specification.revision} of ${specification.date}`)}
</dl>`;
}

function contents(exploration: Exploration): Markup {
  return html`<nav aria-labelledby="finds-title"><h2 id="finds-title">Finds</h2>
<ol class="finds">${exploration.finds.map(
    (find, index) =>
      html`<li><a href="#find-${index + 1}">${find.kind}</a> <span class="level">${find.level}</span> <span class="aside">${find.source.id}; ${timesInWords(find, exploration)}</span></li>
`,
  )}</ol></nav>`;
}

function section(find: ToldFind, index: number, exploration: Exploration, shelf: Shelf): Markup {
  const { kind, level, row, expected, actual, acts, script } = find;
  const id = `find-${index + 1}`;
  const must = level === 'MUST';
  const again = againInWords(find);
  return html`<section class="find" id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name"><span class="sign ${must ? 'fail' : 'warn'}" aria-hidden="true">${must ? '✗' : '!'}</span> ${kind} <span class="level">${level}</span></h2>
<dl class="fields">
${field('Source', sourceOf(find.source))}
${row === null ? null : field('Row', html`<span class="id">${row.id}</span> ${prose(row.text)}`)}
${field('Expected', expected)}
${field('Actual', actual)}
${field('Seen in', timesInWords(find, exploration))}
${again === null ? null : field('Again in', again)}${field('Found in', foundInWords(find))}
</dl>
<figure class="diagram">
<div class="scroll" role="region" aria-label="Sequence diagram: ${kind}" tabindex="0">${sequenceDiagram(find, id)}</div>
<figcaption class="aside">Keys at the left, regions of the gateway at the right; time goes down, not to scale. ✗ marks what shows it.</figcaption>
</figure>
${table(acts, kind)}
<h3>Exchanges</h3>
${acts.map((act) => exchange(act, shelf))}
<h3>Repeat it</h3>
<p class="aside">A program for <code>sh</code>, with <code>curl</code>; the keys are read from the environment.</p>
<pre class="command" tabindex="0">${script}</pre>
</section>
`;
}

/** Clauses stand at the end of the page; documents are elsewhere. */
function sourceOf({ id, kind, text, link }: Citation): Markup {
  if (kind !== 'document') return html`<a href="#clause-${id}">${id}</a> ${prose(text)}`;
  // Only web addresses become links: a link from a file could run a script.
  return /^https?:\/\//.test(link)
    ? html`<a href="${link}" rel="noreferrer">${text}</a>`
    : html`${text}`;
}

function clauses({ sources, specification }: Exploration): Part {
  const inOrder = sources.filter(({ kind }) => kind !== 'document');
  if (inOrder.length === 0) return null;
  return html`<section aria-labelledby="clauses"><h2 id="clauses">Clauses of the interface specification, revision ${specification.revision} of ${specification.date}</h2>
<dl class="fields">
${inOrder.map(
  ({ id, text }) => html`<div id="clause-${id}"><dt>${id}</dt><dd>${prose(text)}</dd></div>
`,
)}</dl>
</section>`;
}

function field(name: string, value: Part): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>
`;
}

function table(acts: readonly ToldAct[], kind: string): Markup {
  const rows = acts.map(({ label, actor, region, what, came, required, shows }) => {
    const has =
      required === null
        ? null
        : html`${required.outcome} <a class="aside" href="#clause-${required.clause}">${required.clause}</a>`;
    const sign = shows ? html`<span class="sign fail">✗</span> ` : null;
    return html`<tr class="${shows ? 'shows' : 'act'}"><th scope="row">${sign}${label}</th><td>${actor}</td><td>${region}</td><td>${what}</td><td>${came}</td><td>${has}</td></tr>
`;
  });
  return html`<div class="scroll" role="region" aria-label="Acts: ${kind}" tabindex="0"><table class="acts">
<thead><tr><th scope="col">#</th><th scope="col">Key</th><th scope="col">Region</th><th scope="col">Act</th><th scope="col">Came</th><th scope="col">Has to be</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

function exchange({ label, what, came, exchange: key, shows }: ToldAct, shelf: Shelf): Part {
  if (key === null)
    return html`<p class="aside">${label} was not sent: what it acts on was never made.</p>`;
  const open = shows ? html` open` : null;
  return html`<details class="section"${open}><summary>${label} ${what} <span class="aside">${came}</span></summary>
${shelf.show(key)}
</details>
`;
}

/** The exchanges of a page, as many as it has room for. */
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
