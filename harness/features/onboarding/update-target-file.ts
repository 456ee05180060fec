import { isMap, isScalar, isSeq, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import { openComment } from './init-target-file.ts';

/** Words to add to a model of a target file, in the form of target files. */
export interface Addition {
  readonly model: string;
  readonly protocols?: readonly string[];
  readonly supports?: readonly string[];
  readonly lacks?: readonly string[];
}

/** Text to insert at an offset. */
interface Insertion {
  readonly at: number;
  readonly text: string;
  /** Number of characters to replace. */
  readonly instead?: number;
}

const fields = ['protocols', 'supports', 'lacks'] as const;

/**
 * Adds words to the lists of models in a target file. Comments, order and layout of everything else are unchanged.
 *
 * @returns the new text. Unchanged if there is nothing to add, or no place for it
 */
export function withAdditions(text: string, additions: readonly Addition[]): string {
  const models = parseDocument(text).get('models', true);
  if (!isSeq(models)) return text;
  const insertions = additions.flatMap((addition) => {
    const entry = models.items.find((one) => isMap(one) && one.get('id') === addition.model);
    return isMap(entry) ? insertionsIn(entry, addition, text) : [];
  });
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  // Inserts from the end, so that earlier offsets stay valid.
  return [...insertions]
    .sort((one, other) => other.at - one.at)
    .reduce(
      (so, { at, text: more, instead = 0 }) =>
        so.slice(0, at) + more.replaceAll('\n', newline) + so.slice(at + instead),
      text,
    );
}

function insertionsIn(entry: YAMLMap, addition: Addition, text: string): Insertion[] {
  const lists = fields.flatMap((field) => {
    const names = (addition[field] ?? []).map(asYaml);
    return names.length === 0 ? [] : [intoList(entry, field, names, text)];
  });
  return [...lists, ...withoutOpen(entry, addition, text)];
}

function asYaml(name: string): string {
  return stringify(name, { lineWidth: 0 }).trimEnd();
}

function pairOf(entry: YAMLMap, field: string): Pair | undefined {
  return entry.items.find(({ key }) => isScalar(key) && key.value === field);
}

function intoList(
  entry: YAMLMap,
  field: string,
  names: readonly string[],
  text: string,
): Insertion {
  const pair = pairOf(entry, field);
  if (pair === undefined) return newList(entry, field, names, text);
  const { value } = pair;
  if (!isSeq(value)) return { at: endOfKey(pair, text), text: ` [${names.join(', ')}]` };
  const last = value.items.at(-1);
  if (last === undefined) return { at: startOf(value) + 1, text: names.join(', ') };
  const end = endOf(last);
  if (value.flow === true) return { at: end, text: names.map((name) => `, ${name}`).join('') };
  const indent = ' '.repeat(columnOf(text, text.lastIndexOf('-', startOf(last))));
  return { at: endOfLine(text, end), text: names.map((name) => `\n${indent}- ${name}`).join('') };
}

/** Inserts a missing list of the model after its protocols. */
function newList(entry: YAMLMap, field: string, names: readonly string[], text: string): Insertion {
  const before = pairOf(entry, 'protocols') ?? entry.items[0];
  const list = `${field}: [${names.join(', ')}]`;
  const end = before === undefined ? startOf(entry) + 1 : endOf(before.value);
  if (entry.flow === true) return { at: end, text: `, ${list}` };
  const indent = ' '.repeat(columnOf(text, startOf(before?.key)));
  return { at: endOfLine(text, end), text: `\n${indent}${list}` };
}

/** Updates the comment of `init` that names unknown capabilities, so that it only keeps those still unknown. */
function withoutOpen(entry: YAMLMap, addition: Addition, text: string): Insertion[] {
  const added = new Set([...(addition.supports ?? []), ...(addition.lacks ?? [])]);
  const from = startOf(entry);
  const to = entry.range?.[2] ?? from;
  const head = text.indexOf(`# ${openComment}`, from);
  if (head === -1 || head >= to) return [];
  const start = text.lastIndexOf('\n', head) + 1;
  const indent = text.slice(start, head);
  const lines = [text.slice(head, endOfLine(text, head))];
  // The comment continues while its lines end with a comma.
  let end = start + indent.length + (lines[0]?.length ?? 0);
  while (lines.at(-1)?.endsWith(',') === true && text.startsWith(`${indent}# `, after(text, end))) {
    const next = after(text, end) + indent.length;
    end = endOfLine(text, next);
    lines.push(text.slice(next, end));
  }
  const names = lines.flatMap((line) =>
    line
      .replace(`# ${openComment}`, '')
      .replace(/^# /, '')
      .split(',')
      .map((name) => name.trim()),
  );
  const isAdded = (name: string): boolean => added.has(name) || added.has(name.split(':')[0] ?? '');
  const left = names.filter((name) => name !== '' && !isAdded(name));
  if (left.length === names.filter((name) => name !== '').length) return [];
  if (left.length === 0) return [{ at: start, instead: after(text, end) - start, text: '' }];
  return [{ at: start, instead: end - start, text: `${indent}# ${openComment}${left.join(', ')}` }];
}

function endOfKey({ key }: Pair, text: string): number {
  return text.indexOf(':', endOf(key)) + 1;
}

function startOf(node: unknown): number {
  return rangeOf(node)[0];
}

function endOf(node: unknown): number {
  return rangeOf(node)[1];
}

function rangeOf(node: unknown): readonly [number, number] {
  const range: unknown = Object(node).range;
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : [0, 0];
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/** Offset of the end of a line, after its comment. */
function endOfLine(text: string, at: number): number {
  // A block that includes its final line end ends on the next line.
  const from = at > 0 && text[at - 1] === '\n' ? at - 1 : at;
  const end = text.indexOf('\n', from);
  const line = end === -1 ? text.length : end;
  return text[line - 1] === '\r' ? line - 1 : line;
}

/** Offset of the next line. */
function after(text: string, endOfOne: number): number {
  const end = text.indexOf('\n', endOfOne);
  return end === -1 ? text.length : end + 1;
}
