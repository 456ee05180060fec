const onsets = 'b br ch d dr f fl g gr k kl l m n p pl r s sh st t tr v z'.split(' ');
const vowels = 'a e i o u ai ei ia'.split(' ');
const codas = ['', '', 'n', 'r', 'l'];

const syllables = onsets.length * vowels.length * codas.length;

function syllable(number: number): string {
  const at = (list: readonly string[], of: number): string =>
    list[Math.floor(number / of) % list.length] ?? '';
  return at(onsets, 1) + at(vowels, onsets.length) + at(codas, onsets.length * vowels.length);
}

/**
 * Returns a unique word that looks like a name: four drawn syllables, and a check syllable that derives from them,
 * by which the word is recognised in any text.
 *
 * @param drawn four whole numbers
 */
export function inventedWord(drawn: readonly number[]): string {
  const body = drawn.map((number) => syllable(number % syllables)).join('');
  return body + lastOf(body);
}

function lastOf(body: string): string {
  let sum = 0;
  for (const letter of body) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003;
  return syllable(sum % syllables);
}

const shortest = 10;
const candidate = /(?<![\p{L}\p{N}])[a-z]{10,26}(?![\p{L}\p{N}])/gu;

/** Returns the invented words in a text, in lower case. */
export function inventedWords(text: string): readonly string[] {
  return (text.toLowerCase().match(candidate) ?? []).filter(isInvented);
}

function isInvented(word: string): boolean {
  // The shortest syllable has two letters, the longest five.
  return [2, 3, 4, 5].some(
    (last) =>
      word.length - last >= shortest - 2 && lastOf(word.slice(0, -last)) === word.slice(-last),
  );
}
