/**
 * What the logs of pipelines obey, wherever a text comes from: lines of GitHub that begin with `::`, at any
 * indentation; `##[` of GitHub and Azure and `##vso[` of Azure, anywhere; `##teamcity[`; and the sections of GitLab.
 * Each ends with the character that is replaced.
 */
export const logCommands =
  /(?<=^[^\S\r\n]*:):|(?<=##)\[|(?<=##vso)\[|(?<=##teamcity)\[|(?<=section_start):|(?<=section_end):/gim;

/** Of a line that has not ended, as much tells whether a command begins there. */
const longestBeginning = 64;

/** A text as it is, but for what a pipeline would obey: there stands an escape that a reader can see. */
export function withoutLogCommands(text: string): string {
  return text.replace(logCommands, escaped);
}

/** The same for a log that is written piece by piece. */
export class WithoutLogCommands {
  /** The line that has not ended. */
  #line = '';

  next(piece: string): string {
    const safe = withoutLogCommands(this.#line + piece);
    const written = safe.slice(this.#line.length);
    const line = safe.slice(safe.lastIndexOf('\n') + 1);
    // Of a long one the end is enough; it does not begin there.
    this.#line = line.length > longestBeginning ? `-${line.slice(1 - longestBeginning)}` : line;
    return written;
  }
}

/** The escape of JSON, so that JSON on standard output stays what it was. */
function escaped(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}
