/** Returns the known names most similar to a mistyped one, nearest first: at most one edit per three letters. */
export function nearest(typed: string, known: Iterable<string>, atMost = 1): string[] {
  const wanted = typed.toLowerCase();
  return [...new Set(known)]
    .filter(({ length }) => Math.abs(length - wanted.length) <= Math.ceil(length / 3))
    .map((name) => ({ name, distance: edits(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.ceil(name.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, atMost)
    .map(({ name }) => name);
}

/** ` Did you mean …?` with a leading space. Empty if no name is similar. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const [name] = nearest(typed, known);
  return name === undefined ? '' : ` Did you mean \`${name}\`?`;
}

/** Levenshtein distance: number of insertions, deletions and substitutions. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j++) {
      const insert = (next[j - 1] ?? 0) + 1;
      const leaveOut = (row[j] ?? 0) + 1;
      const change = (row[j - 1] ?? 0) + (letter === to[j - 1] ? 0 : 1);
      next.push(Math.min(insert, leaveOut, change));
    }
    row = next;
  }
  return row[to.length] ?? from.length;
}
