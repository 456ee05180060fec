import { logCommands } from './log-commands.ts';

/**
 * A piece of a word: text; header bytes, one for each character; or a variable of the environment, without which the
 * command does not run where `otherwise` says what it is for.
 */
export type Piece =
  | string
  | { readonly latin1: string }
  | { readonly variable: string; readonly otherwise?: string };

/** An argument: a text, which is quoted where it has to be, or pieces, whose text is always quoted. */
export type Word = string | readonly Piece[];

/**
 * Writes a command line that bash, zsh and sh read as exactly these arguments, and that stays one line.
 *
 * Every command line that Touchstone prints comes from here, because its arguments hold what a gateway, a client
 * or a file of somebody else has said.
 */
export function commandLine(words: readonly Word[]): string {
  return words.map(inShell).join(' ');
}

/** One word of a command line. */
export function inShell(word: Word): string {
  if (typeof word !== 'string') return joined(word).map(pieceInShell).join('') || "''";
  // An equals sign at the beginning names a command in zsh, and braces with a comma are expanded.
  const isPlain = /^(?!=)(?:[\w@%+=:,./-]|\{[A-Za-z]+\})+$/.test(word);
  return isPlain ? word : quoted(word) || "''";
}

/** Texts that follow each other as one. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') all.splice(-1, 1, last + piece);
    else all.push(piece);
  }
  return all;
}

function pieceInShell(piece: Piece): string {
  if (typeof piece === 'string') return quoted(piece);
  if ('latin1' in piece) return quoted(piece.latin1, /[^\x20-\x7e]+/g, 'latin1');
  const { variable, otherwise } = piece;
  if (!/^(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})$/.test(variable)) {
    throw new Error(`${JSON.stringify(variable)} is no name of a variable.`);
  }
  if (otherwise === undefined) return `"$${variable}"`;
  return `"\${${variable}:?${otherwise.replace(/[^\w ,.]/g, '')}}"`;
}

/**
 * Characters that a terminal, a page or a log changes: control characters, line ends, what cannot be seen or turns
 * the direction of writing, and what the log of a pipeline obeys.
 */
const fragile = new RegExp(
  `(?:[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}|${logCommands.source})+`,
  'gimu',
);

function quoted(text: string, escaped = fragile, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  // No argument can hold this one.
  const whole = text.replaceAll('\0', '');
  let written = '';
  let from = 0;
  for (const { 0: run, index } of whole.matchAll(escaped)) {
    if (index < from) continue;
    let end = index + run.length;
    // The shell takes line feeds off the end of what a command prints, so one more character has to follow.
    if (run.endsWith('\n')) end += /^./su.exec(whole.slice(end))?.[0].length ?? 0;
    written += plain(whole.slice(from, index)) + printed(whole.slice(index, end), encoding);
    from = end;
  }
  return written + plain(whole.slice(from));
}

function plain(text: string): string {
  return text === '' ? '' : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Only digits stand between the quotes, whatever the text is: sh has no other way to write these characters. */
function printed(text: string, encoding: 'utf8' | 'latin1'): string {
  const [, body = '', ends = ''] = /^(.*?)(\n*)$/s.exec(text) ?? [];
  const octal = [...Buffer.from(body, encoding)].map((byte) => `\\${octalOf(byte)}`).join('');
  return (octal === '' ? '' : `"$(printf '${octal}')"`) + plain(ends);
}

function octalOf(byte: number): string {
  return byte.toString(8).padStart(3, '0');
}

/** The arguments of a line that `commandLine` has written, as they stand in it. */
export function wordsIn(line: string): readonly string[] {
  return line.match(/(?:'[^']*'|"(?:\$\(printf '[^']*'\)|[^"])*"|\\.|[^\s'"\\])+/g) ?? [];
}
