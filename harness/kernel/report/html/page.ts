import { pathToFileURL } from 'node:url';
import { codeFile, type RunResult } from '../../core/index.ts';
import { clausesSection } from '../basis.ts';
import { conclusionOfRun } from '../conclusion.ts';
import { html, type MarkupPart } from '../document/markup.ts';
import { pageOf } from '../document/page.ts';
import type { Block, ReportDocument } from '../document/tree.ts';
import type { ExchangeViews } from '../exchange-view.ts';
import { isDue } from '../outcome.ts';
import { titleOf } from '../subject.ts';
import { checkSections, filters } from './checks.ts';
import { conversations, startsTable } from './conversations.ts';
import { ExchangeShelf } from './exchange.ts';
import { matrix } from './matrix.ts';
import { factsOfRun, shares } from './summary.ts';

/**
 * Script of the page: the text of a function that is compiled with browser types. Its file is in this folder before
 * and after the build. The function is never called here.
 */
const client: { readonly page: () => void } = await import(
  pathToFileURL(codeFile('harness/kernel/report/html/page.client')).href
);
const script = `'use strict';\n(${client.page})();\n`;

/**
 * Renders a run as one self-contained HTML file, for reading, searching and sharing.
 *
 * @param exchanges exchanges of findings. A missing one is shown as the evidence has it
 * @param unrecorded names of parts of the run whose exchanges are unknown
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
    conclusion: conclusionOfRun(result, false, [shares(result)]),
    blocks: [
      ...(result.conversations === undefined ? [] : startsTable(result)),
      drawn(html`<section id="checks" aria-labelledby="checks-title">
<h2 class="hidden" id="checks-title">Checks</h2>
<noscript><p>Filters and recorded exchanges need JavaScript; all else can be read without.</p></noscript>
${filters(result)}
${sections}
</section>`),
      drawn(result.conversations === undefined ? matrix(result) : conversations(result)),
      { block: 'section', id: 'run', title: 'The run', blocks: [factsOfRun(result, unrecorded)] },
      clausesSection(
        result.checks.filter(isDue).flatMap(({ basis }) => basis.citations),
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
