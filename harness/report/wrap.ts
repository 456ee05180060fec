/**
 * Breaks a text into lines of at most `width` characters, at spaces where there are any. Line ends in
 * the text stay; a word longer than a line is cut.
 */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(20, width)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 3 ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).replace(/^ +/, '');
  }
  return [...lines, rest];
}

/** The lines under one another, each after as much space as the first's label takes. */
export function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + line);
}
