import {
  assumeServed,
  type Exchange,
  ending,
  expectValue,
  Inconclusive,
} from '../../harness/index.ts';

/** Judges the reason that a stream gives for its end. That it gives one is judged by its grammar. */
export function expectDocumentedEnd(
  streamed: Exchange,
  as: string,
  documented: readonly string[],
): void {
  assumeServed(streamed);
  const reason = ending(streamed);
  if (reason === null) throw new Inconclusive('the stream does not say why it ended', streamed);
  expectValue(reason, { as, of: streamed }).toBeOneOf(documented);
}
