import { printable } from '../../core/index.ts';
import { printedLines } from './terminal.ts';
import {
  type Block,
  type DocumentTable,
  type Inline,
  isSpan,
  type ListItem,
  type ReportDocument,
  type Span,
  type Tone,
} from './tree.ts';

/** Emoji of a tone: Markdown has no colours. */
function emojiOf(tone: Tone): string {
  if (tone === 'pass') return '✅';
  return tone === 'fail' ? '❌' : '⚠️';
}

/**
 * Renders a document as Markdown, for a job summary or a comment.
 *
 * @param level level of its heading, higher for an embedded document
 */
export function inMarkdown({ title, conclusion, blocks }: ReportDocument, level = 1): string {
  const words = [
    conclusion?.word ?? (title === '' ? conclusion?.said : undefined),
    title || undefined,
  ];
  const heading = [
    ...(conclusion?.tone == null ? [] : [emojiOf(conclusion.tone)]),
    words.flatMap((one) => (one === undefined ? [] : [spelled(one)])).join(': '),
  ].join(' ');
  const isSaid = conclusion?.word === null && title === '';
  return [
    `${'#'.repeat(level)} ${heading}`,
    '',
    ...(conclusion === null || isSaid ? [] : [spelled(conclusion.said), '']),
    ...markdownLines(conclusion?.after ?? [], level + 1),
    ...markdownLines(blocks, level + 1),
  ].join('\n');
}

/** @param level heading level of sections that are not folded */
function markdownLines(blocks: readonly Block[], level: number): string[] {
  return blocks.flatMap((block) => markdownBlock(block, level));
}

/** Lines of a block, the last of them empty. */
function markdownBlock(block: Block, level: number): readonly string[] {
  switch (block.block) {
    case 'paragraph': {
      const sign = block.sign === undefined ? '' : `${spelled(block.sign)} `;
      return [`${sign}${spelled(block.text)}`, ''];
    }
    // A finding keeps its line layout, so that it can be read and copied as at a terminal.
    case 'facts':
      return [inFence(printedLines([block], { colour: false, width: 110 }).join('\n')), ''];
    case 'list':
      return [...block.items.map(markdownItem), ''];
    case 'table':
      return [...markdownTable(block), ''];
    case 'verbatim':
      return [inFence(printable(block.text.trimEnd())), ''];
    case 'section': {
      const { title, count, meaning, folded, blocks } = block;
      const heading = [title, ...(count === undefined ? [] : [` (${count})`])];
      if (folded === undefined)
        return [
          `${'#'.repeat(level)} ${spelled(heading)}`,
          '',
          ...markdownLines(blocks, level + 1),
        ];
      const summary = `${markdownSummary(heading)}${meaning === undefined ? '' : `: ${markdownSummary(meaning)}`}`;
      const open = folded === 'open' ? ' open' : '';
      return [
        `<details${open}><summary>${summary}</summary>`,
        '',
        ...markdownLines(blocks, level + 1),
        '</details>',
        '',
      ];
    }
    case 'only':
      return block.on.includes('markdown') ? markdownLines(block.blocks, level) : [];
    case 'drawn':
      return [];
  }
}

function markdownItem({ text, tail = '', below = [] }: ListItem): string {
  return `- ${[[text, tail], ...below].map(spelled).join('<br>')}`;
}

function markdownTable({ head, rows }: DocumentTable): string[] {
  return [
    `| ${head.map(plainText).join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...rows.map(({ cells }) => `| ${cells.map(spelled).join(' | ')} |`),
  ];
}

/** Escapes a text, so that only its own spans format, and nothing mentions a user. */
function spelled(text: Inline): string {
  if (typeof text === 'string') return plainText(text);
  return isSpan(text) ? spelledSpan(text) : text.map(spelled).join('');
}

function spelledSpan(span: Span): string {
  switch (span.span) {
    case 'code':
    case 'command':
      return codeOf(span.text);
    case 'prose':
      return markdownProse(span.text);
    case 'strong':
      return `**${spelled(span.text)}**`;
    case 'tag':
      return `(${plainText(span.text)})`;
    case 'sign':
      return span.sign;
    case 'cell':
      return plainText(span.text);
    case 'aside':
    case 'toned':
    case 'link':
      return spelled(span.text);
  }
}

/** Escapes a text from any source: one line without formatting or mentions. */
function plainText(text: string): string {
  return printable(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~&!]/g, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`))
    .replaceAll('@', '&#64;');
}

/** Escapes a text, but keeps text between backticks as code. */
function markdownProse(text: string): string {
  const pieces = printable(text).replace(/\s+/g, ' ').split('`');
  // Unpaired or adjacent backticks are literal.
  const isPaired = pieces.length % 2 === 1 && !pieces.slice(1, -1).includes('');
  if (!isPaired) return plainText(text);
  return pieces.map((piece, at) => (at % 2 === 1 ? `\`${piece}\`` : plainText(piece))).join('');
}

/** Code on one line. A text with a backtick or a bar is escaped instead, because it would end the code or the cell. */
function codeOf(text: string): string {
  return /[`|\s]/.test(text.replaceAll(' ', '')) ? plainText(text) : `\`${printable(text)}\``;
}

/** Text in the summary of a folded section, in which Markdown is not parsed. */
function markdownSummary(text: Inline): string {
  if (typeof text === 'string') {
    return printable(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('@', '&#64;');
  }
  if (!isSpan(text)) return text.map(markdownSummary).join('');
  if (text.span === 'code') return `<code>${markdownSummary(text.text)}</code>`;
  return 'text' in text ? markdownSummary(text.text) : '';
}

/** A code block with a fence longer than any run of backticks in the text. */
function inFence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
