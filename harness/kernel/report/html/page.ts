import { pathToFileURL } from 'node:url';
import { codeFile, type RunResult } from '../../core/index.ts';
import { clausesSection } from '../basis.ts';
import { conclusionOfRun } from '../conclusion.ts';
import { html, type MarkupPart } from '../document/markup.ts';
import { pageOf } from '../document/page.ts';
import type { Block, ReportDocument } from '../document/tree.ts';
import type { ExchangeViews } from '../exchange-view.ts';
import { slowestSection } from '../slowest.ts';
import { titleOf } from '../subject.ts';
import { checkSections, filters } from './checks.ts';
import { conversations, startsTable } from './conversations.ts';
import { ExchangeShelf } from './exchange.ts';
import { matrix } from './matrix.ts';
import { pageFacts } from './summary.ts';

/**
 * Script of the page: the text of a function that the compiler checks against a browser's types. Its file
 * is in this folder, built or not, and the function is never called here.
 */
const client: { readonly page: () => void } = await import(
  pathToFileURL(codeFile('harness/kernel/report/html/page.client')).href
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
  const drawn = (markup: MarkupPart): Block => ({ block: 'drawn', markup: () => html`${markup}` });
  const document: ReportDocument = {
    kind: 'conformance report',
    title: titleOf(result),
    window: `${result.verdict}: ${titleOf(result)}`,
    generator: result.suiteVersion,
    conclusion: conclusionOfRun(result, false, pageFacts(result, unrecorded)),
    blocks: [
      ...(result.conversations === undefined ? [drawn(matrix(result))] : startsTable(result)),
      drawn(html`<section id="checks" aria-labelledby="checks-title">
<h2 id="checks-title">Checks</h2>
<noscript><p>Filters and recorded exchanges need JavaScript; all else can be read without.</p></noscript>
${filters(result)}
${sections}
</section>`),
      drawn(conversations(result)),
      ...slowestSection(result),
      clausesSection(
        result.checks.flatMap(({ basis }) => basis.citations),
        result,
      ),
    ],
  };
  return pageOf(document, {
    script,
    skip: ['checks', 'Skip to the checks'],
    data: () => shelf.markup(),
  });
}
