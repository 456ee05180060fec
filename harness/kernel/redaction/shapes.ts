import type { Hit } from './finder.ts';

interface Shape {
  /** Source of a regular expression for the prefix, which is not masked so that a reader can recognise the key. */
  readonly begins: string;
  /** Class of the characters that follow. */
  readonly of: RegExp;
  readonly least: number;
  /** Further condition on all of these characters. */
  readonly whole?: RegExp;
}

const token = /[A-Za-z0-9_-]/;
const letters = /[A-Za-z0-9]/;

const shapes: readonly Shape[] = [
  { begins: 'sk-(?:proj-|ant-(?:api\\d\\d-)?|or-v1-|svcacct-|admin-|lf-)?', of: token, least: 20 },
  { begins: '[rsp]k_(?:live|test)_', of: letters, least: 16 },
  { begins: 'AIza', of: token, least: 30 },
  { begins: 'A(?:KIA|SIA|BIA|CCA)', of: /[A-Z0-9]/, least: 16 },
  { begins: 'ya29\\.', of: token, least: 20 },
  { begins: 'gh[pousr]_', of: letters, least: 30 },
  { begins: 'github_pat_', of: /\w/, least: 22 },
  { begins: 'glpat-', of: token, least: 20 },
  { begins: 'xox[abeoprs]-', of: /[A-Za-z0-9-]/, least: 10 },
  { begins: 'xapp-', of: /[A-Za-z0-9-]/, least: 20 },
  { begins: '(?:hf|gsk|r8|npm|csk)_', of: letters, least: 30 },
  { begins: '(?:pplx|xai|nvapi|pypi|tgp_v1|dop_v1|lin_api)[-_]', of: token, least: 30 },
  { begins: 'SG\\.', of: /[A-Za-z0-9_.-]/, least: 40 },
];

const bearer: Shape = {
  begins: '(?:[Bb]earer|BEARER)(?:[ \\t]|%20|\\+)+',
  of: /[A-Za-z0-9._~/-]/,
  least: 16,
};

/** JSON Web Token: three or five parts, of which the first is a JSON object. */
const webToken: Shape = {
  begins: 'eyJ',
  of: /[A-Za-z0-9_.-]/,
  least: 30,
  whole: /^(?:[\w-]{6,}\.[\w-]{6,}\.[\w-]{6,}|\*+$)/,
};

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)-----END/gs;

/** True if a key may begin there: a letter of a JSON escape is not part of the preceding word. */
function canBegin(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' ';
  if (!/[A-Za-z0-9_+*-]/.test(before)) return true;
  return /[nrtbf]/.test(before) && text[at - 2] === '\\' && text[at - 3] !== '\\';
}

/** A line end, plain or as JSON writes it, and a quotation prefix of the next line. */
const lineBreak = /(?:[ \t]*(?:\r?\n|\\r\\n|\\n))+[ \t]*(?:[>|] ?)?/y;

/**
 * Finds strings in bytes that have the shape of a key of a well-known provider. The prefix is not masked. A masked
 * key is matched again, so that a recording gives the same result.
 */
class ShapeFinder {
  readonly #begins: RegExp;
  readonly #shapes: readonly Shape[];

  /** @param withTokens true to include signed tokens, which are not always credentials in an answer */
  constructor(withTokens: boolean) {
    this.#shapes = withTokens ? [...shapes, bearer, webToken] : [...shapes, bearer];
    const all = this.#shapes.map(({ begins }) => `(${begins})`).join('|');
    this.#begins = new RegExp(all, 'g');
  }

  hits(bytes: Uint8Array): readonly Hit[] {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    return [...this.#keysIn(text)];
  }

  *#keysIn(text: string): Generator<Hit> {
    this.#begins.lastIndex = 0;
    for (let found = this.#begins.exec(text); found !== null; found = this.#begins.exec(text)) {
      const [begun] = found;
      const shape = this.#shapes[found.slice(1).findIndex((group) => group !== undefined)];
      const from = found.index + begun.length;
      if (shape === undefined || !canBegin(text, found.index)) continue;
      const key = keyAt(text, from, shape);
      if (key === null) continue;
      yield* key.map(([start, end]) => ({ from: start, to: end, name: begun.trim() }));
      this.#begins.lastIndex = key.at(-1)?.[1] ?? from;
    }
    for (const found of text.matchAll(privateKey)) {
      const from = found.index + found[0].indexOf('KEY-----') + 'KEY-----'.length;
      yield { from, to: found.index + found[0].length - '-----END'.length, name: 'PRIVATE KEY' };
    }
  }
}

/** The parts of a key, one for each line. Null if there is none. */
function keyAt(
  text: string,
  from: number,
  { of, least, whole }: Shape,
): readonly [number, number][] | null {
  const parts: [number, number][] = [];
  let body = '';
  for (let at = from; ; ) {
    let end = at;
    while (end < text.length && (text[end] === '*' || of.test(text[end] ?? ''))) end++;
    const part = text.slice(at, end);
    if (part === '') break;
    // After a line break, the key continues if it is still too short. Otherwise it only continues with a part that
    // is not a word and not the name of the next header.
    const isWord = !looksDrawn(part) || (text[end] === ':' && headerName.test(part));
    if (parts.length > 0 && body.length >= least && isWord) break;
    parts.push([at, end]);
    body += part;
    lineBreak.lastIndex = end;
    const next = lineBreak.exec(text);
    if (next === null) break;
    at = lineBreak.lastIndex;
  }
  // A dot at the end belongs to the sentence.
  const last = parts.at(-1);
  if (last !== undefined && text[last[1] - 1] === '.') last[1]--;
  body = body.replace(/\.$/, '');
  return body.length >= least && looksDrawn(body) && whole?.test(body) !== false ? parts : null;
}

const headerName = /^[A-Za-z]+(?:-[A-Za-z]+)+$/;

/** True if a text looks random: no word, and no `your-api-key-goes-here`. */
function looksDrawn(text: string): boolean {
  return (
    /\d|\*{3}/.test(text) ||
    (/[a-z]/.test(text) && /[A-Z]/.test(text) && !/^[A-Z][a-z]+$/.test(text))
  );
}

/** Finds keys in answers: providers issue keys of these shapes for no other purpose. */
export const keyShapes = new ShapeFinder(false);

/** Finds keys in texts that other people read. */
export const allShapes = new ShapeFinder(true);
