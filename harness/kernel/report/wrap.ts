import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Text with one column per character, so that no segmenter is needed. */
const plain = /^[ -~¡-¬®-ʯ‐-‧‹›←→−≈≤≥─━╌○●◐✓✕✗]*$/;

function displayWidth(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}

/**
 * Wraps a text into lines of at most `width` columns, at spaces if possible. Line ends and leading spaces are kept.
 * A word longer than a line is cut.
 */
export function wrap(text: string, width: number): string[] {
  const columns = Math.max(20, width);
  // The width of a tab depends on the terminal.
  return text
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line) => (plain.test(line) ? wrapPlain : wrapAny)(line, columns));
}

/** Wraps a plain line like `wrapAny`, in a tenth of the time; a word that has to be cut begins a line. */
function wrapPlain(line: string, width: number): string[] {
  if (line.length <= width && !line.endsWith(' ')) return [line];
  const pieces = new RegExp(`.{1,${width}}`, 'g');
  const words = line.split(' ').flatMap((word) => word.match(pieces) ?? '');
  if (words.includes('')) return wrapAny(line, width);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function wrapAny(line: string, width: number): string[] {
  const indent = line.slice(0, line.length - line.trimStart().length).slice(0, width - 20);
  const room = width - indent.length;
  const [first = '', ...rest] = wrapAnsi(line.trimStart(), room, { hard: true }).split('\n');
  return [indent + first, ...rest];
}

/** Prefixes the first line with a label, and indents the others by its width. */
export function labelled(label: string, lines: readonly string[]): string[] {
  const space = ' '.repeat(displayWidth(label));
  return lines.map((line, index) => (index === 0 ? label : space) + line);
}

/** Pads a text to `width` columns. A wider text is unchanged. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Cuts a text to `width` columns. */
export function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const [first = ''] = wrapAnsi(text, width - 1, { hard: true, wordWrap: false }).split('\n');
  return `${first}…`;
}

/** Number of terminal rows that lines take after wrapping. */
export function rowsOf(
  lines: readonly string[],
  { columns }: { readonly columns: number },
): number {
  const rows = (line: string): number => Math.max(1, Math.ceil(displayWidth(line) / columns));
  return lines.reduce((sum, line) => sum + rows(line), 0);
}

/** Width of the widest text, in columns. */
export function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => displayWidth(text)));
}
