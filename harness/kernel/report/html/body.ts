import { at, isPath, parsed } from '../../core/index.ts';
import { html, Markup, type MarkupPart } from '../document/markup.ts';
import type { BodyView } from '../exchange-view.ts';
import { counted } from '../words.ts';

/**
 * A body: JSON indented, anything else as it came.
 *
 * @param places paths of what is to be marked, and of what is not there and should be
 */
export function bodyBlock(body: BodyView, places: readonly string[] = []): Markup {
  const json = body.binary || body.shown < body.bytes ? null : indentedJson(body.text, places);
  if (json === null) return verbatim(body);
  const value = parsed(body.text);
  const absent = places.filter((place) => isPath(place) && at(value, place) === undefined);
  return html`<pre class="body" tabindex="0">${json}</pre>
${absent.map((place) => html`<p class="broken absent" data-place="${place}">Not there: <code>${place}</code></p>`)}<p class="aside">JSON of ${counted(body.bytes, 'byte')}, indented for reading</p>`;
}

/** A body as it came, and how much of it this is. */
export function verbatim({ text, bytes, shown, binary }: BodyView): Markup {
  if (bytes === 0) return html`<p class="aside">Empty body</p>`;
  const much =
    shown < bytes
      ? `The first ${shown} of ${bytes} bytes; the recording has the rest`
      : counted(bytes, 'byte');
  const note = binary ? `${much} (not UTF-8: in hexadecimal digits)` : much;
  return html`<pre class="body" tabindex="0">${text}</pre><p class="aside">${note}</p>`;
}

/** Nested deeper than a reader follows; indenting it would only make the report grow. */
const deepest = 40;

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** An object or a list that is open, and how far it was read. */
interface Open {
  readonly path: string;
  readonly isList: boolean;
  readonly isMarked: boolean;
  index: number;
  key: string;
}

/**
 * JSON, indented for reading. Its tokens stay as they came: a number keeps its digits, a member that
 * stands twice stands twice. Null when the text is not JSON of objects or lists.
 *
 * @param places paths of members to mark: `usage.total_tokens`
 */
export function indentedJson(text: string, places: readonly string[] = []): Markup | null {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return null;
  const found = text.match(tokens) ?? [];
  const out: MarkupPart[] = [];
  const open: Open[] = [];
  const line = (): string => `\n${'  '.repeat(open.length)}`;
  const isMarked = (): boolean => places.includes(pathIn(open.at(-1)));
  /** A member is marked from its name on, an element of a list from its value on. */
  const begin = (): void => {
    if (isMarked()) out.push(markBegins(pathIn(open.at(-1))));
  };
  for (const [index, token] of found.entries()) {
    const next = found[index + 1];
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
      out.push(': ');
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
  return html`${out}`;
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
