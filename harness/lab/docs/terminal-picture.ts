import { type Color, type ParseToken, parseAnsiSequences } from 'ansi-sequence-parser';

export interface PictureOptions {
  /** Text alternative for readers who do not see the picture. */
  readonly title: string;
  /** Columns of the terminal; longer lines go on in the next one, as they do there. */
  readonly width: number;
}

/** A piece of a line in one look, and the column where it begins. */
interface Piece {
  readonly text: string;
  readonly column: number;
  readonly look: Omit<ParseToken, 'value'>;
}

/** Sizes in units of the picture: a character is 8 wide, and a line 18 high. */
const character = 8;
const lineHeight = 18;
const margin = 20;

/** Text is stretched or squeezed to the grid, whatever font the reader has. */
const style = `
  .page { fill: #f6f8fa; stroke: #d1d9e0; }
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; white-space: pre; fill: #1f2328; }
  .bold { font-weight: 700; }
  .dim { fill: #59636e; }
  .red { fill: #b3261e; }
  .green { fill: #17713a; }
  .yellow { fill: #8a5300; }
  .black, .white { fill: #fff; }
  .on-red { fill: #b3261e; }
  .on-green { fill: #17713a; }
  .on-yellow { fill: #8a5300; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #151b23; stroke: #3d444d; }
    text { fill: #e6e9ed; }
    .dim { fill: #9198a1; }
    .red { fill: #ff9b92; }
    .green { fill: #7fd69a; }
    .yellow { fill: #f0bd63; }
    .black, .white { fill: #10151b; }
    .on-red { fill: #ff9b92; }
    .on-green { fill: #7fd69a; }
    .on-yellow { fill: #f0bd63; }
  }
`;

/** Draws a terminal as an SVG that follows the reader's choice of light or dark. */
export function drawTerminal(screen: string, { title, width }: PictureOptions): string {
  const lines = linesOf(screen, width);
  const right = width * character + 2 * margin;
  const bottom = lines.length * lineHeight + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${right} ${bottom}" width="${right}" height="${bottom}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${right - 1}" height="${bottom - 1}" rx="8"/>`,
    ...lines.flatMap((pieces, line) => pieces.flatMap((piece) => drawPiece(piece, line))),
    '</svg>',
    '',
  ].join('\n');
}

function drawPiece({ text, column, look }: Piece, line: number): string[] {
  const top = margin + line * lineHeight;
  const drawn: string[] = [];
  if (look.background !== null) {
    drawn.push(
      `<rect class="${known(`on-${nameOf(look.background)}`)}" x="${place(column)}" y="${top}" width="${text.length * character}" height="${lineHeight}" rx="3"/>`,
    );
  }
  const shown = text.trim();
  if (shown === '') return drawn;
  const start = column + text.length - text.trimStart().length;
  const names = classesOf(look);
  const looks = names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  drawn.push(
    `<text${looks} x="${place(start)}" y="${top + 13}" textLength="${shown.length * character}">${escaped(shown)}</text>`,
  );
  return drawn;
}

function classesOf({ decorations, foreground }: Piece['look']): string[] {
  return [...decorations, ...(foreground === null ? [] : [nameOf(foreground)])].map(known);
}

function nameOf(colour: Color): string {
  return colour.type === 'named' ? colour.name : colour.type;
}

/** A look that the picture has. What it has not would be drawn like all else, and nobody would see why. */
function known(name: string): string {
  if (style.includes(`.${name} `) || style.includes(`.${name},`)) return name;
  throw new Error(`The picture has no look for "${name}": add one to its style, light and dark.`);
}

function place(column: number): number {
  return margin + column * character;
}

/** Breaks lines as a terminal of this width does. */
function linesOf(screen: string, width: number): Piece[][] {
  const lines: Piece[][] = [[]];
  let column = 0;
  for (const { value, ...look } of parseAnsiSequences(screen.trimEnd())) {
    for (const part of value.split(/(\n)/)) {
      if (part === '\n') {
        lines.push([]);
        column = 0;
        continue;
      }
      for (let rest = part; rest !== ''; ) {
        if (column === width) {
          lines.push([]);
          column = 0;
        }
        const text = rest.slice(0, width - column);
        lines.at(-1)?.push({ text, column, look });
        column += text.length;
        rest = rest.slice(text.length);
      }
    }
  }
  return lines;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
