import { budgets } from '../core/index.ts';

const { bytes: longest, things: mostThings } = budgets.small;
/** Maximum nesting depth. Touchstone's files have less than ten levels. */
const deepest = 100;

/** Returns why a text must not be parsed as YAML, or null if it may be. */
export function tooMuchYaml(text: string): string | null {
  const bytes = Buffer.byteLength(text);
  if (bytes > longest) return `It has ${bytes} bytes, and ${longest} are read at most.`;
  const { depth, things } = measured(text);
  if (depth > deepest) {
    return `It is nested deeper than ${deepest} levels, and no such file is read.`;
  }
  return things > mostThings
    ? `It is made of more than ${mostThings} lines, members and values, and no such file is read.`
    : null;
}

/** Measures a text without a parser. The result is an upper bound, because characters within strings count, too. */
function measured(text: string): { readonly depth: number; readonly things: number } {
  let [open, depth, things, markers] = [0, 0, 0, 0];
  for (const character of text) {
    if (character === '[' || character === '{') open++;
    else if ((character === ']' || character === '}') && open > 0) open--;
    else if (/[,:&*!%"']/.test(character)) things++;
    else if (character === '\n') {
      things++;
      markers = 0;
    }
    // `- - - a` opens a list at each dash.
    if (character === '-' || character === '?') markers++;
    else if (character !== ' ' && character !== '\n') markers = 0;
    depth = Math.max(depth, open, markers);
  }
  return { depth, things };
}
