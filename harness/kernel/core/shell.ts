import { logCommands } from './log-commands.ts';

/**
 * A piece of a word: text; header bytes, one for each character; or an environment variable. With `otherwise`,
 * which explains the variable, the command does not run without it.
 */
export type Piece =
  | string
  | { readonly latin1: string }
  | { readonly variable: string; readonly otherwise?: string };

/** An argument: a text, which is quoted if necessary, or pieces, whose text is always quoted. */
export type Word = string | readonly Piece[];

/**
 * Writes a command line that bash, zsh and sh read as exactly these arguments, and that stays one line.
 *
 * Every command line that Touchstone prints comes from here, because its arguments include texts of gateways,
 * clients and files of others.
 */
export function commandLine(words: readonly Word[]): string {
  return words.map(inShell).join(' ');
}

export function inShell(word: Word): string {
  if (typeof word !== 'string') return joined(word).map(pieceInShell).join('') || "''";
  // A leading equals sign names a command in zsh, and braces with a comma are expanded.
  const isPlain = /^(?!=)(?:[\w@%+=:,./-]|\{[A-Za-z]+\})+$/.test(word);
  return isPlain ? word : quoted(word) || "''";
}

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
 * Characters that a terminal, a page or a log changes: control characters, line ends, invisible characters, those
 * that change the direction of writing, and log commands of pipelines.
 */
const fragile = new RegExp(
  `(?:[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}|${logCommands.source})+`,
  'gimu',
);

function quoted(text: string, escaped = fragile, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  // No argument can contain NUL.
  const whole = text.replaceAll('\0', '');
  let written = '';
  let from = 0;
  for (const { 0: run, index } of whole.matchAll(escaped)) {
    if (index < from) continue;
    let end = index + run.length;
    // The shell strips trailing line feeds of an output, so another character has to follow.
    if (run.endsWith('\n')) end += /^./su.exec(whole.slice(end))?.[0].length ?? 0;
    written += plain(whole.slice(from, index)) + printed(whole.slice(index, end), encoding);
    from = end;
  }
  return written + plain(whole.slice(from));
}

function plain(text: string): string {
  return text === '' ? '' : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Writes characters as octal digits for `printf`, because sh has no other form for them. The quotes contain only
 * digits, whatever the text is.
 */
function printed(text: string, encoding: 'utf8' | 'latin1'): string {
  const [, body = '', ends = ''] = /^(.*?)(\n*)$/s.exec(text) ?? [];
  const octal = [...Buffer.from(body, encoding)].map((byte) => `\\${octalOf(byte)}`).join('');
  return (octal === '' ? '' : `"$(printf '${octal}')"`) + plain(ends);
}

function octalOf(byte: number): string {
  return byte.toString(8).padStart(3, '0');
}

/** Returns the arguments of a line that `commandLine` has written, still quoted. */
export function wordsIn(line: string): readonly string[] {
  return line.match(/(?:'[^']*'|"(?:\$\(printf '[^']*'\)|[^"])*"|\\.|[^\s'"\\])+/g) ?? [];
}
