import { createColors } from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import { printable } from '../../core/index.ts';
import { labelled, padded, shortened, widest, wrap } from '../wrap.ts';
import {
  aside,
  type Block,
  type Conclusion,
  type DocumentSection,
  type DocumentTable,
  type Fact,
  type Inline,
  isItem,
  isSpan,
  type ListItem,
  type Paragraph,
  type ReportDocument,
  type Span,
  strong,
  type TableRow,
  type Tone,
  toned,
} from './tree.ts';

interface TerminalLook {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

interface TerminalStyle {
  readonly colours: Colors;
  /** Columns at which text is wrapped. */
  readonly width: number;
  /** Prefix of each line, in spaces. */
  readonly indent: string;
}

/** Columns at which text is wrapped, bounded because long lines are hard to read. A file has no columns. */
function columnsOf(width: number): number {
  return width === Number.POSITIVE_INFINITY ? width : Math.min(Math.max(width, 60), 120);
}

/** Renders a document for a terminal: its blocks, and the conclusion last. */
export function printed({ blocks, conclusion }: ReportDocument, look: TerminalLook): string {
  const style = styleOf(look);
  const before = documentLines(blocks, style);
  const after = conclusion === null ? [] : conclusionLines(conclusion, before.length > 0, style);
  return `${[...before, ...after].join('\n')}\n`;
}

/** Lines of blocks at a terminal. */
export function printedLines(blocks: readonly Block[], look: TerminalLook): string[] {
  return documentLines(blocks, styleOf(look));
}

function styleOf({ colour, width }: TerminalLook): TerminalStyle {
  return { colours: createColors(colour), width: columnsOf(width), indent: '' };
}

function conclusionLines(conclusion: Conclusion, follows: boolean, style: TerminalStyle): string[] {
  const { tone, word, said, after } = conclusion;
  const { colours, width } = style;
  const rest = documentLines(after, style);
  const gap = follows ? [''] : [];
  if (word === null) return [...gap, ...broken(strong(said), width, style), ...rest];
  return [
    ...gap,
    '─'.repeat(Math.min(width, 120)),
    colours.bold(banner(tone ?? 'note', colours)(`  ${printable(word)}  `)),
    '',
    ...broken(said, width, style),
    ...rest,
  ];
}

function banner(tone: Tone, { bgGreen, bgRed, bgYellow, black, white }: Colors) {
  if (tone === 'pass') return (text: string) => bgGreen(black(text));
  return tone === 'fail'
    ? (text: string) => bgRed(white(text))
    : (text: string) => bgYellow(black(text));
}

function documentLines(blocks: readonly Block[], style: TerminalStyle): string[] {
  const lines = blocks.flatMap((block) => blockLines(block, style));
  return lines[0] === '' ? lines.slice(1) : lines;
}

function blockLines(block: Block, style: TerminalStyle): readonly string[] {
  switch (block.block) {
    case 'section':
      return sectionLines(block, style);
    case 'only':
      return block.on.includes('terminal')
        ? block.blocks.flatMap((one) => blockLines(one, style))
        : [];
    // A command is copied as a whole, so its lines have no indentation.
    case 'verbatim':
      return printable(block.text.trimEnd()).split('\n');
    case 'drawn':
      return [];
    default:
      return leafLines(block, style).map((line) => (line === '' ? '' : style.indent + line));
  }
}

function leafLines(
  block: Extract<Block, { block: 'paragraph' | 'facts' | 'list' | 'table' }>,
  style: TerminalStyle,
): readonly string[] {
  switch (block.block) {
    case 'paragraph':
      return paragraphLines(block, style);
    case 'facts':
      return factLines(block.facts, style);
    case 'list':
      return block.items.flatMap((item) => itemLines(item, style));
    case 'table':
      return tableLines(block, style);
  }
}

function paragraphLines({ sign, text, most }: Paragraph, style: TerminalStyle): string[] {
  const label = sign === undefined ? '' : `${inked(sign, style)} `;
  return labelled(label, broken(text, style.width - widest([label]), style, most));
}

function factLines(facts: readonly Fact[], style: TerminalStyle): string[] {
  const labels = facts.map(({ name }) => inked(name, style));
  const names = widest(labels);
  return facts.flatMap(({ lines, most }, index) => {
    const inner = { ...style, width: style.width - names - 2 };
    const values = lines.flatMap((line) =>
      isItem(line) ? itemLines(line, inner) : broken(line, inner.width, style),
    );
    return labelled(`${padded(labels[index] ?? '', names)}  `, cutTo(values, most, inner.width));
  });
}

function itemLines({ sign, text, tail = '', most, below = [] }: ListItem, style: TerminalStyle) {
  const label = sign === undefined ? '' : `${inked(sign, style)} `;
  const room = style.width - widest([label]);
  const further = below.flatMap((line) =>
    broken(line, room - 2, style).map((words) => `  ${words}`),
  );
  const words =
    most === undefined
      ? broken([text, tail], room, style)
      : broken(text, room - widest([tail]), style, most);
  const end = most === undefined ? '' : tail;
  return labelled(label, [...words.slice(0, -1), `${words.at(-1) ?? ''}${end}`, ...further]);
}

function sectionLines(section: DocumentSection, style: TerminalStyle): string[] {
  const { title, count, meaning, tone, blocks } = section;
  const heading: Inline = count === undefined ? title : [title, ` (${count})`];
  const said = [
    strong(tone === undefined ? heading : toned(tone, heading)),
    ...(meaning === undefined ? [] : ['  ', aside(meaning)]),
  ];
  const { width, indent } = style;
  const inner = { ...style, width: width - 2, indent: `${indent}  ` };
  return [
    '',
    ...broken(said, width, style).map((line) => indent + line),
    ...blocks.flatMap((block) => blockLines(block, inner)),
  ];
}

/** Minimum width of a wrapped table column. */
const fewest = 18;

function tableLines({ head, rows, wraps }: DocumentTable, style: TerminalStyle): string[] {
  const { colours, width } = style;
  const cells = [head, ...rows.map((row) => row.cells)].map((row) =>
    row.map((cell) => inked(cell, style)),
  );
  const widthOf = (column: number): number => widest(cells.map((row) => row[column] ?? ''));
  const taken = head.reduce(
    (sum, _, column) => sum + (column === wraps ? 0 : widthOf(column) + 2),
    0,
  );
  const pieces = cells.map((row) =>
    row.map((cell, column) =>
      column === wraps ? wrap(cell, Math.max(fewest, width - taken)) : [cell],
    ),
  );
  const widths = head.map((_, column) => widest(pieces.flatMap((row) => row[column] ?? [])));
  const rowLines = (row: readonly (readonly string[])[] = []): string[] =>
    Array.from({ length: Math.max(...row.map(({ length }) => length)) }, (_, index) =>
      widths
        .map((one, column) => padded(row[column]?.[index] ?? '', one))
        .join('  ')
        .trimEnd(),
    );
  const below = ({ below: text }: TableRow): string[] =>
    text === undefined ? [] : broken(text, width - 2, style).map((line) => `  ${line}`);
  return [
    ...rowLines(pieces[0]).map(colours.dim),
    ...rows.flatMap((row, index) => {
      const lines = rowLines(pieces[index + 1]);
      return [...(row.tone === undefined ? lines : lines.map(colours.bold)), ...below(row)];
    }),
  ];
}

/** Wraps a text. A command stays on one line, so that it can be copied. */
function broken(text: Inline, width: number, style: TerminalStyle, most?: number): string[] {
  const isCommand = typeof text === 'object' && 'span' in text && text.span === 'command';
  if (isCommand) return [printable(text.text)];
  const words = inked(text, style);
  return cutTo(Number.isFinite(width) ? wrap(words, width) : [words], most, width);
}

/** The first lines, with a mark if there are more. */
function cutTo(lines: readonly string[], most = Number.POSITIVE_INFINITY, width: number): string[] {
  if (lines.length <= most) return [...lines];
  const last = lines[most - 1] ?? '';
  const fits = widest([last]) + 2 <= width;
  const marked = fits ? `${last} …` : shortened(`${last} ${lines[most]}`, width);
  return [...lines.slice(0, most - 1), marked];
}

/** A text with its colours. */
function inked(text: Inline, style: TerminalStyle): string {
  if (typeof text === 'string') return printable(text);
  if (isSpan(text)) return inkedSpan(text, style);
  return text.map((part) => inked(part, style)).join('');
}

function inkedSpan(span: Span, style: TerminalStyle): string {
  const { colours } = style;
  switch (span.span) {
    case 'code':
    case 'prose':
    case 'command':
      return printable(span.text);
    case 'tag':
      return colours.dim(`(${printable(span.text)})`);
    case 'strong':
      return lineByLine(inked(span.text, style), colours.bold);
    case 'aside':
      return lineByLine(inked(span.text, style), colours.dim);
    case 'toned':
      return lineByLine(inked(span.text, style), paints(colours)[span.tone]);
    case 'sign':
      return paints(colours)[span.tone](span.sign);
    case 'cell':
      return paints(colours)[span.tone](printable(span.text));
    case 'link':
      return inked(span.text, style);
  }
}

/** Paints each line after its indentation, so that the indentation survives wrapping. */
function lineByLine(text: string, paint: (text: string) => string): string {
  return text.replace(/\S.*/g, (words) => paint(words));
}

function paints({ green, red, yellow, blue, dim }: Colors) {
  return {
    ...{ pass: green, fail: red, error: red, warn: yellow, inconclusive: yellow },
    ...{ untestable: yellow, note: blue, 'not-applicable': dim, excluded: dim },
  } satisfies Record<Tone, (text: string) => string>;
}
