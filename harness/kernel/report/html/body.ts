import { at, isPath, parsed } from '../../core/index.ts';
import { html, Markup, type MarkupPart } from '../document/markup.ts';
import type { BodyView } from '../exchange-view.ts';
import { counted } from '../words.ts';

/**
 * A body: JSON indented, anything else unchanged.
 *
 * @param places paths of members to mark, including missing ones
 */
export function bodyBlock(body: BodyView, places: readonly string[] = []): Markup {
  const json = body.binary || body.shown < body.bytes ? null : jsonMarkup(body.text, places);
  if (json === null) return verbatim(body);
  const value = parsed(body.text);
  const absent = places.filter((place) => isPath(place) && at(value, place) === undefined);
  return html`<pre class="body" tabindex="0">${json}</pre>
${absent.map((place) => html`<p class="broken absent" data-place="${place}">Not there: <code>${place}</code></p>`)}<p class="aside">JSON of ${counted(body.bytes, 'byte')}, indented for reading</p>`;
}

/** A part of a text that is drawn with marks. */
export interface BodyPart {
  readonly start: number;
  readonly text: string;
  readonly drawn: Markup;
}

/** An unchanged body, and how much of it is shown. */
export function verbatim(
  { text, bytes, shown, binary }: BodyView,
  parts: readonly BodyPart[] = [],
): Markup {
  if (bytes === 0) return html`<p class="aside">Empty body</p>`;
  const much =
    shown < bytes
      ? `The first ${shown} of ${bytes} bytes; the recording has the rest`
      : counted(bytes, 'byte');
  const note = binary ? `${much} (not UTF-8: in hexadecimal digits)` : much;
  let from = 0;
  const inOrder = parts.toSorted((one, other) => one.start - other.start);
  const drawn = inOrder.map((part): MarkupPart => {
    if (part.start < from) return null;
    const before = text.slice(from, part.start);
    from = part.start + part.text.length;
    return [before, part.drawn];
  });
  return html`<pre class="body" tabindex="0">${drawn}${text.slice(from)}</pre><p class="aside">${note}</p>`;
}

/** Maximum nesting depth. Deeper JSON is not readable, and its indentation would only enlarge the report. */
const deepest = 40;

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** An open object or list, and the reading position in it. */
interface Open {
  readonly path: string;
  readonly isList: boolean;
  readonly isMarked: boolean;
  index: number;
  key: string;
}

/**
 * Draws JSON, indented or with the spaces that it came with. Tokens are not changed, so numbers keep their digits and
 * duplicate members remain. Null if the text is not a JSON object or list.
 *
 * @param places paths of members to mark: `usage.total_tokens`
 */
export function jsonMarkup(
  text: string,
  places: readonly string[] = [],
  how: 'indented' | 'as it came' = 'indented',
): Markup | null {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return null;
  const matches = [...text.matchAll(tokens)];
  const found = matches.map(([token]) => token);
  const out: MarkupPart[] = [];
  const open: Open[] = [];
  const isIndented = how === 'indented';
  const line = (): string => (isIndented ? `\n${'  '.repeat(open.length)}` : '');
  const isMarked = (): boolean => places.includes(pathIn(open.at(-1)));
  /** A mark on a member includes its name. A mark on an element of a list starts at its value. */
  const begin = (): void => {
    if (isMarked()) out.push(markBegins(pathIn(open.at(-1))));
  };
  for (const [index, token] of found.entries()) {
    const next = found[index + 1];
    const end = (matches[index - 1]?.index ?? 0) + (found[index - 1]?.length ?? 0);
    if (!isIndented) out.push(text.slice(end, matches[index]?.index));
    const within = open.at(-1);
    if (token === '{' || token === '[') {
      if (open.length >= deepest) return null;
      if (within?.isList === true) begin();
      const path = pathIn(within);
      open.push({ path, isList: token === '[', isMarked: isMarked(), index: 0, key: '' });
      const empty = next === '}' || next === ']';
      out.push(empty ? token : `${token}${line()}`);
    } else if (token === '}' || token === ']') {
      const before = found[index - 1];
      open.pop();
      out.push(before === '{' || before === '[' ? token : `${line()}${token}`);
      if (within?.isMarked === true) out.push(markEnds);
    } else if (token === ',') {
      if (within !== undefined) within.index++;
      out.push(`,${line()}`);
    } else if (token === ':') {
      out.push(isIndented ? ': ' : ':');
    } else if (next === ':') {
      if (within !== undefined) within.key = String(parsed(token));
      begin();
      out.push(html`<b>${token}</b>`);
    } else {
      if (within?.isList === true) begin();
      out.push(token.startsWith('"') ? html`<i>${token}</i>` : token);
      if (isMarked()) out.push(markEnds);
    }
  }
  const [last] = matches.slice(-1);
  return html`${out}${isIndented || last === undefined ? '' : text.slice(last.index + last[0].length)}`;
}

/** Path of the next value: `output[0].content`. */
function pathIn(open: Open | undefined): string {
  if (open === undefined) return '';
  const { path, isList, index, key } = open;
  if (isList) return `${path}[${index}]`;
  return path === '' ? key : `${path}.${key}`;
}

function markBegins(path: string): Markup {
  return new Markup(html`<mark data-place="${path}"></mark>`.text.replace('</mark>', ''));
}

const markEnds = new Markup('</mark>');

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
