import { cut } from '../core/index.ts';

/**
 * Lines about text from another party, which may be misleading. Such a value is quoted and stays on its
 * line, so that it cannot pass for words of ours.
 */
export class Line {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Line;

/** A line with values: texts are quoted, numbers and lines stand as they are. */
export function line(strings: TemplateStringsArray, ...values: readonly Value[]): Line {
  const pieces = values.map((value, index) => written(value) + (strings[index + 1] ?? ''));
  return new Line((strings[0] ?? '') + pieces.join(''));
}

/** Our own words, which are no value: `own('12 checks')`. */
export function own(text: string): Line {
  return new Line(inOneLine(text));
}

function written(value: Value): string {
  if (value instanceof Line) return value.text;
  return typeof value === 'number' ? String(value) : quoted(value);
}

/** Characters of a value that are shown: longer ones would push the other lines out of sight. */
const shown = 300;

/** A value in quotation marks, on one line. */
export function quoted(value: string): string {
  const text = value.replace(/["\\]/g, '\\$&');
  return `"${inOneLine(cut(text, shown))}"`;
}

/**
 * Text on one line: what breaks lines, controls a terminal, turns the direction of writing or cannot be
 * seen stands there as an escape.
 */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped);
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
