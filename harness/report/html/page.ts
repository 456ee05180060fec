import type { RunResult } from '../../core/index.ts';
import type { ExchangeViews } from '../exchange-view.ts';
import { titleOf } from '../subject.ts';
import { checkSections, filters, specification } from './checks.ts';
import { conversations, startsTable } from './conversations.ts';
import { ExchangeShelf } from './exchange.ts';
import { headOf, style } from './frame.ts';
import { html, Markup } from './markup.ts';
import { matrix } from './matrix.ts';
import { slowestScenarios } from './slowest.ts';
import { summary } from './summary.ts';

/**
 * Script of the page: the text of a function that the compiler checks against a browser's types. Its file
 * is in this folder, built or not, and the function is never called here.
 */
const client: { readonly page: () => void } = await import(
  import.meta.url.replace(/page(\.[jt]s)$/, 'page.client$1')
);
const script = `'use strict';\n(${client.page})();\n`;

/**
 * A run as one HTML file that needs nothing else: for reading, searching, passing on.
 *
 * @param exchanges what findings rest on; where one is not among them, it is shown as the evidence has it
 * @param unrecorded reports of parts of the run whose exchanges are not known, to be named
 */
export function renderHtml(
  result: RunResult,
  exchanges: ExchangeViews = new Map(),
  unrecorded: readonly string[] = [],
): string {
  const shelf = new ExchangeShelf(exchanges, result);
  const sections = checkSections(result, shelf);
  return html`<!doctype html>
<html lang="en">
${headOf({
  title: `${result.verdict}: ${titleOf(result)}`,
  style,
  script,
  generator: `Touchstone ${result.suiteVersion}`,
})}
<body>
<a class="skip" href="#checks">Skip to the checks</a>
${summary(result, unrecorded)}
<main>
${result.conversations === undefined ? matrix(result) : startsTable(result)}
<section id="checks" aria-labelledby="checks-title">
<h2 id="checks-title">Checks</h2>
<noscript><p>Filters and recorded exchanges need JavaScript; all else can be read without.</p></noscript>
${filters(result)}
${sections}
</section>
${conversations(result)}
${slowestScenarios(result)}
${specification(result)}
</main>
<p id="said" class="hidden" role="status"></p>
${shelf.markup()}
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}
