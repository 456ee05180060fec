import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { codeFile } from '../../core/index.ts';
import { html, Markup, type MarkupPart, proseOf } from './markup.ts';
import {
  type Block,
  type Conclusion,
  type DocumentSection,
  type DocumentTable,
  type Fact,
  type Inline,
  isItem,
  isSpan,
  type ListItem,
  type ReportDocument,
  type Span,
  type TableRow,
  withFacts,
} from './tree.ts';

/** The style sheet of every page. */
const style = readFileSync(codeFile('harness/kernel/report/document/page', '.css'), 'utf8');

/** Additional parts of a page with controls. */
interface PageControls {
  readonly script: string;
  /** Target of the skip link, and its words: the content that most readers want. */
  readonly skip: readonly [place: string, words: string];
  /** Data that the script reads. */
  readonly data: () => Markup;
  /** True if the script may ask the server that the page comes from. */
  readonly connects?: true;
}

/**
 * Renders a document as one self-contained HTML file, which loads nothing and sends nothing.
 *
 * @param controls omitted for a page without a script
 */
export function pageOf(document: ReportDocument, controls?: PageControls): string {
  const { kind, title, window = title, generator, conclusion, blocks } = document;
  const script = controls?.script ?? null;
  const body = html`<header>
<p class="brand">Touchstone <span>${kind}</span></p>
<h1>${title}</h1>
${conclusion === null ? null : conclusionOf(conclusion)}
</header>
<main>
${blocksOf(blocks, 2)}</main>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(script, controls?.connects)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${generator === undefined ? null : html`<meta name="generator" content="${`Touchstone ${generator}`}">\n`}<title>${`${window} – Touchstone`}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${controls === undefined ? null : html`<a class="skip" href="#${controls.skip[0]}">${controls.skip[1]}</a>\n`}${body}
${controls === undefined || script === null ? null : html`<p id="said" class="hidden" role="status"></p>\n${controls.data()}\n<script>${new Markup(script)}</script>\n`}</body>
</html>
`.text;
}

/** Content security policy of a page: it only allows this style and this script, and its server if it connects. */
function contentPolicy(script: string | null, connects = false): string {
  const scripts = script === null ? '' : ` script-src '${digestOf(script)}';`;
  const asks = connects ? " connect-src 'self';" : '';
  return `default-src 'none'; style-src '${digestOf(style)}';${scripts}${asks} base-uri 'none'; form-action 'none'`;
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function conclusionOf({ tone, word, said, after }: Conclusion): MarkupPart {
  const [facts, others] = [true, false].map((isFacts) =>
    after.filter((block) => (block.block !== 'paragraph') === isFacts),
  );
  const capital = word === null ? '' : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  const words = word === null ? null : html`<p class="word">${capital}</p>\n`;
  const lines = html`${words}<p class="why">${inline(said)}</p>
${blocksOf(others ?? [], 2)}`;
  return html`${tone === null ? lines : html`<div class="verdict ${tone}">${lines}</div>`}
${blocksOf(facts ?? [], 1)}`;
}

/** @param level heading level of its sections */
function blocksOf(blocks: readonly Block[], level: number): MarkupPart {
  return blocks.map((block) => [blockOf(block, level), '\n']);
}

function blockOf(block: Block, level: number): MarkupPart {
  switch (block.block) {
    case 'paragraph': {
      const sign = block.sign === undefined ? null : html`${inline(block.sign)} `;
      return html`<p>${sign}${inline(block.text)}</p>`;
    }
    case 'facts':
      return html`<dl class="${level === 1 ? 'facts' : 'fields'}">${block.facts.map(factOf)}</dl>`;
    case 'list':
      return html`<ul>${block.items.map(itemOf)}</ul>`;
    case 'table':
      return tableOf(block);
    case 'section':
      return sectionOf(block, level);
    case 'verbatim':
      return html`<pre class="command" tabindex="0">${block.text}</pre>`;
    case 'only':
      return block.on.includes('page') ? blocksOf(block.blocks, level) : null;
    case 'drawn':
      return block.markup();
  }
}

/** Facts for a page that draws its own frame around them. */
export function factList(facts: readonly (Fact | null)[]): MarkupPart {
  return facts.every((one) => one === null) ? null : blockOf(withFacts(facts), 2);
}

function factOf({ name, lines, id }: Fact): MarkupPart {
  const place = id === undefined ? null : html` id="${id}"`;
  const values = lines.map((line, index) => [
    index === 0 ? null : '\n',
    isItem(line) ? [inline(line.sign ?? ''), ' ', inline(line.text)] : inline(line),
  ]);
  return html`<div${place}><dt>${inline(name)}</dt><dd>${values}</dd></div>\n`;
}

function itemOf({ sign, text, tail = '', below = [] }: ListItem): MarkupPart {
  const further = below.map((line) => html`<p class="aside">${inline(line)}</p>`);
  return html`<li>${sign === undefined ? null : html`${inline(sign)} `}${inline(text)}${tail}${further}</li>\n`;
}

function tableOf({ label, head, rows, dense }: DocumentTable): MarkupPart {
  const look = dense === true ? 'plain dense' : 'plain';
  const cells = head.map((one) =>
    one === '' ? html`<td></td>` : html`<th scope="col"><span>${one}</span></th>`,
  );
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="${look}">
<thead><tr>${cells}</tr></thead>
<tbody>
${rows.map((row) => rowOf(row, head.length))}</tbody>
</table></div>`;
}

function rowOf({ cells, below, tone }: TableRow, columns: number): MarkupPart {
  const [first = '', ...others] = cells;
  const look = tone === undefined ? null : html` class="${tone}"`;
  return html`<tr${look}><th scope="row">${inline(first)}</th>${others.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>
${below === undefined ? null : html`<tr class="below"><td colspan="${columns}">${inline(below)}</td></tr>\n`}`;
}

function sectionOf(section: DocumentSection, level: number): MarkupPart {
  const { title, count, meaning, id, folded, blocks } = section;
  const number = count === undefined ? null : html` <span class="count">${count}</span>`;
  const place = id === undefined ? null : html` id="${id}"`;
  const heading = (depth: number): MarkupPart =>
    new Markup(`<h${depth}>${html`${inline(title)}${number}`.text}</h${depth}>`);
  const words = meaning === undefined ? null : html`<span class="aside">${meaning}</span>`;
  if (folded === undefined) {
    return html`<section${place}>
${heading(level)}
${words === null ? null : html`<p>${words}</p>\n`}${blocksOf(blocks, level + 1)}</section>`;
  }
  const open = folded === 'open' ? html` open` : null;
  return html`<details class="section"${place}${open}>
<summary>${heading(Math.max(3, level))}${words === null ? null : html` ${words}`}</summary>
${blocksOf(blocks, level + 1)}</details>`;
}

/** Escaped text within a line. */
function inline(text: Inline): MarkupPart {
  if (typeof text === 'string') return text;
  return isSpan(text) ? spanOf(text) : text.map(inline);
}

function spanOf(span: Span): MarkupPart {
  switch (span.span) {
    case 'code':
      return html`<code>${span.text}</code>`;
    case 'prose':
      return proseOf(span.text);
    case 'strong':
      return html`<b>${inline(span.text)}</b>`;
    case 'aside':
      return html`<span class="aside">${inline(span.text)}</span>`;
    case 'toned':
      return html`<span class="toned ${span.tone}">${inline(span.text)}</span>`;
    case 'sign':
      return html`<span class="sign ${span.tone}" aria-hidden="true">${span.sign}</span>`;
    case 'cell': {
      const words =
        span.tone === 'pass' && span.to === undefined
          ? null
          : html`<span class="hidden"> ${span.title}</span>`;
      const inner = html`${span.text}${words}`;
      return span.to === undefined
        ? html`<span class="cell ${span.tone}" title="${span.title}">${inner}</span>`
        : html`<a class="cell ${span.tone}" href="${span.to}">${inner}</a>`;
    }
    case 'tag':
      return html`<span class="tag">${span.text}</span>`;
    case 'link':
      return linkOf(span.to, inline(span.text));
    case 'command':
      return commandOf(span.text);
  }
}

/** A command line. Its copy button is only visible if the script runs. */
function commandOf(command: string): Markup {
  return html`<span class="copy"><code class="command">${command}</code><button type="button" data-copy hidden>Copy</button></span>`;
}

/** A link to a web page or within the report. Any other address could run a script, and becomes text. */
function linkOf(to: string, words: MarkupPart): MarkupPart {
  if (/^https?:\/\//.test(to)) return html`<a href="${to}" rel="noreferrer">${words}</a>`;
  return /^[^:]*$/.test(to) ? html`<a href="${to}">${words}</a>` : words;
}
