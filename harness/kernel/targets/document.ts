import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { inTime, UnfitFile } from '../core/index.ts';
import type { Problem } from './target-error.ts';
import { tooMuchYaml } from './yaml-bounds.ts';

/** Path to a value: `['models', 0, 'supports', 2]`. */
export type Path = readonly (string | number)[];

/** Locates values in their source. */
export interface Places {
  /** Reports a problem with the value at a path, or with its parent if the value is missing. */
  problem(path: Path, message: string): Problem;
  /** Reports a problem with the name of a field rather than its value. */
  problemWithKey(path: Path, message: string): Problem;
}

/** A parsed YAML text with the positions of its values. */
export class YamlDocument implements Places {
  readonly #document: Document.Parsed<ParsedNode>;
  readonly #lines: LineCounter;

  constructor(document: Document.Parsed<ParsedNode>, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  value(): unknown {
    return this.#document.toJS();
  }

  /**
   * Replaces every text in it, except for keys.
   *
   * @param replace returns the new text, or null to keep it
   */
  replaceTexts(replace: (text: string, path: Path) => string | null): void {
    visit(this.#document, {
      Scalar: (key, node, ancestors) => {
        if (key === 'key' || typeof node.value !== 'string') return;
        const text = replace(node.value, this.#path([...ancestors, node]));
        if (text !== null) node.value = text;
      },
    });
  }

  problem(path: Path, message: string): Problem {
    return { place: this.#place(this.#node(path)), field: fieldName(path), message };
  }

  problemWithKey(path: Path, message: string): Problem {
    const parent = this.#node(path.slice(0, -1));
    const name = path.at(-1);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === name)
      : undefined;
    return { place: this.#place(pair?.key ?? parent), field: fieldName(path), message };
  }

  #node(path: Path): unknown {
    let node: unknown = this.#document.contents;
    for (const step of path) {
      const next: unknown = isMap(node) || isSeq(node) ? node.get(step, true) : undefined;
      if (next === undefined || next === null) break;
      node = isAlias(next) ? next.resolve(this.#document) : next;
    }
    return node;
  }

  #place(node: unknown): Problem['place'] {
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
    const offset: unknown = Array.isArray(range) ? range[0] : 0;
    const { line, col } = this.#lines.linePos(typeof offset === 'number' ? offset : 0);
    // An empty text has no first line.
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  #path(chain: readonly unknown[]): Path {
    const path: (string | number)[] = [];
    for (const [index, node] of chain.entries()) {
      const child = chain[index + 1];
      if (isSeq(node)) path.push(node.items.indexOf(child));
      if (isPair(node)) path.push(isScalar(node.key) ? String(node.key.value) : '?');
    }
    return path;
  }
}

type Parsed = { ok: true; document: YamlDocument } | { ok: false; problem: Problem };

/** Parses a YAML text. Syntax errors are described without quoting the text. */
export function parseYaml(text: string): Parsed {
  const tooMuch = tooMuchYaml(text);
  if (tooMuch !== null) return { ok: false, problem: { place: null, field: '', message: tooMuch } };
  try {
    return inTime(() => parsedYaml(text));
  } catch (error) {
    if (!(error instanceof UnfitFile)) throw error;
    return { ok: false, problem: { place: null, field: '', message: error.message } };
  }
}

function parsedYaml(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // At `silent` a second document would be ignored.
    logLevel: 'error',
    // The parser would compare each key with all preceding ones. `Map` below takes linear time.
    uniqueKeys: false,
  });
  const broken = (offset: number, message: string): { ok: false; problem: Problem } => {
    const { line, col } = lines.linePos(offset);
    return { ok: false, problem: { place: { line, column: col }, field: '', message } };
  };
  // One mistake causes many parser errors. Only the first message is useful.
  const [error] = document.errors;
  if (error !== undefined) {
    const { line } = lines.linePos(error.pos[0]);
    return broken(error.pos[0], syntaxMessage(error, text.split('\n')[line - 1] ?? ''));
  }
  let dangling: number | undefined;
  let twice: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) twice ??= key.range?.[0] ?? 0;
        keys.add(key.value);
      }
    },
    Alias(_, node) {
      if (node.resolve(document) === undefined) dangling ??= node.range?.[0] ?? 0;
    },
  });
  if (twice !== undefined) return broken(twice, 'This field is given twice: remove one of them.');
  if (dangling !== undefined) {
    return broken(
      dangling,
      'This is not valid YAML: `*name` refers to an anchor `&name` that is not defined before it.',
    );
  }
  try {
    if (text.includes('*')) document.toJS();
  } catch {
    return broken(0, 'Its `*aliases` make it grow beyond measure: write the values out.');
  }
  return { ok: true, document: new YamlDocument(document, lines) };
}

/** `models[0].supports` */
export function fieldName(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
    )
    .join('');
}

function syntaxMessage({ code, message }: YAMLError, line: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'This line is indented with a tab: YAML needs spaces.';
    case 'MULTIPLE_DOCS':
      return 'A second document starts here: a target file describes one target, without `---`.';
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'This is not valid YAML: put a value that contains `: ` in quotes, and indent the fields of one map alike.';
    case 'BAD_SCALAR_START':
      return 'This is not valid YAML: put a value that starts with a special character in quotes.';
    case 'BAD_DQ_ESCAPE':
      return 'This is not valid YAML: in "double quotes" a backslash starts an escape; use \'single quotes\'.';
    case 'MISSING_CHAR':
    case 'BAD_INDENT':
      return `This is not valid YAML: ${message}.`;
    default:
      return /[{[,].*\$\{/.test(line)
        ? `This is not valid YAML: inside { } and [ ], a \${VARIABLE} goes in quotes: "\${VARIABLE}".`
        : 'This is not valid YAML: unexpected text here. Look for a missing quote, colon or bracket before it.';
  }
}
