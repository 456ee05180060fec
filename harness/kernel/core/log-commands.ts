/**
 * Matches the commands that pipelines execute when they find them in a log: lines that begin with `::`, at any
 * indentation (GitHub); `##[` (GitHub and Azure) and `##vso[` (Azure), anywhere; `##teamcity[`; and sections of
 * GitLab. Each match is the one character that is replaced.
 */
export const logCommands =
  /[:[](?<=^[^\S\r\n]*::|##\[|##vso\[|##teamcity\[|section_start:|section_end:)/gim;

/** Characters of an unfinished line that suffice to recognise the beginning of a command. */
const longestBeginning = 64;

/** Replaces commands of pipelines in a text by an escape that a reader can see. */
export function withoutLogCommands(text: string): string {
  return text.replace(logCommands, escaped);
}

export class WithoutLogCommands {
  /** The line that has not ended. */
  #line = '';

  next(piece: string): string {
    const safe = withoutLogCommands(this.#line + piece);
    const written = safe.slice(this.#line.length);
    const line = safe.slice(safe.lastIndexOf('\n') + 1);
    // Keeps only the end of a long line. The `-` shows that the line does not begin there.
    this.#line = line.length > longestBeginning ? `-${line.slice(1 - longestBeginning)}` : line;
    return written;
  }
}

/** Returns the escape of JSON, so that the meaning of JSON on standard output does not change. */
function escaped(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}
