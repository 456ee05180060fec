import { cut } from '../core/index.ts';

/**
 * A line that may contain untrusted text. Interpolated text is quoted and stays on its line, so that it cannot be
 * mistaken for Touchstone's words.
 */
export class Line {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Line;

/** A line with values: texts are quoted, numbers and lines are inserted unchanged. */
export function line(strings: TemplateStringsArray, ...values: readonly Value[]): Line {
  const pieces = values.map((value, index) => written(value) + (strings[index + 1] ?? ''));
  return new Line((strings[0] ?? '') + pieces.join(''));
}

/** Marks a trusted text, which is not quoted: `own('12 checks')`. */
export function own(text: string): Line {
  return new Line(inOneLine(text));
}

function written(value: Value): string {
  if (value instanceof Line) return value.text;
  return typeof value === 'number' ? String(value) : quoted(value);
}

/** Maximum length of a value in characters, so that it cannot push other lines out of view. */
const shown = 300;

/** A value in quotation marks, on one line. */
export function quoted(value: string): string {
  const text = value.replace(/["\\]/g, '\\$&');
  return `"${inOneLine(cut(text, shown))}"`;
}

/**
 * Text on one line. Line breaks, terminal controls, characters that change the writing direction and invisible
 * characters are escaped.
 */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped);
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
