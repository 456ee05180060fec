import { printable } from '../../core/index.ts';

/**
 * HTML text. Only `html` creates it, and escapes every interpolated value, so that data from a gateway cannot
 * become an element or a script of the report.
 */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type MarkupPart = Markup | string | number | null | readonly MarkupPart[];

/** HTML with interpolated parts: markup is inserted unchanged, text is escaped, lists are joined, null is omitted. */
export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  const pieces = parts.map((part, index) => written(part) + (strings[index + 1] ?? ''));
  return new Markup((strings[0] ?? '') + pieces.join(''));
}

/** Text in which spans between backticks become code. */
export function proseOf(text: string): Markup {
  const pieces = text.split('`');
  // An unpaired backtick is literal.
  const paired = pieces.length % 2 === 1 ? pieces.length : pieces.length - 2;
  const parts = pieces.slice(0, paired).map((piece, index): MarkupPart => {
    return index % 2 === 1 ? html`<code>${piece}</code>` : piece;
  });
  const rest = pieces.slice(paired).join('`');
  return html`${parts}${rest}`;
}

function written(part: MarkupPart): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return part.map(written).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
