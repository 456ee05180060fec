import type { Requirement } from './requirement.ts';

/**
 * Returns the requirements that have most of some words in their id, their text or their citations, the best match
 * first. A word in the id counts twice. A word that ends in a number has to match exactly: `AUTH-1` is not
 * `AUTH-11`. Any other word may be the beginning of a longer one: `delet` finds `deletion`.
 */
export function searchRequirements(
  requirements: readonly Requirement[],
  query: string,
): Requirement[] {
  const wanted = [...new Set(wordsOf(query).map(stem))];
  if (wanted.length === 0) return [];
  const scored = requirements.map((requirement) => {
    const { id, text, axis, basis, unchecked } = requirement;
    const inId = wordsOf(id);
    const all = [
      ...inId,
      ...wordsOf(text),
      ...(axis ?? []).flatMap(({ value }) => wordsOf(value)),
      ...basis.citations.flatMap((citation) => [
        citation.id.toLowerCase(),
        ...wordsOf(citation.text),
      ]),
      ...wordsOf(basis.judgement ?? ''),
      ...wordsOf(unchecked ?? ''),
    ];
    const found = wanted.filter((word) => all.some((other) => goesOn(other, word)));
    const named = found.filter((word) => inId.some((other) => goesOn(other, word)));
    return { requirement, found: found.length, score: found.length + named.length };
  });
  const enough = Math.ceil((wanted.length * 2) / 3);
  return scored
    .filter(({ found }) => found >= enough)
    .sort((a, b) => b.score - a.score)
    .map(({ requirement }) => requirement);
}

function wordsOf(text: string): string[] {
  // Rows use both words.
  const lower = text.toLowerCase().replaceAll(/\brequire/g, 'need');
  const words = lower.match(/[\p{L}\d_-]+/gu) ?? [];
  // Both words of `input-items` find it; `AUTH-1` is one word.
  return words.flatMap((word) => (/-\d+$/.test(word) ? [word] : [word, ...word.split('-')]));
}

/** Removes the ending of a plural or a verb. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:es|s)$/, '') : word;
}

function goesOn(word: string, start: string): boolean {
  return /\d$/.test(start) ? word === start : word.startsWith(start);
}
