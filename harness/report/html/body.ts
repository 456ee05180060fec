import type { BodyView } from '../exchange-view.ts';
import { counted } from '../words.ts';
import { html, type Markup, type Part } from './markup.ts';

/** A body: JSON indented, anything else as it came. */
export function bodyBlock(body: BodyView): Markup {
  const json = body.binary || body.shown < body.bytes ? null : indentedJson(body.text);
  if (json === null) return verbatim(body);
  return html`<pre class="body" tabindex="0">${json}</pre>
<p class="aside">JSON of ${counted(body.bytes, 'byte')}, indented for reading</p>`;
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

/**
 * JSON, indented for reading. Its tokens stay as they came: a number keeps its digits, a member that
 * stands twice stands twice. Null when the text is not JSON of objects or lists.
 */
export function indentedJson(text: string): Markup | null {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return null;
  const found = text.match(tokens) ?? [];
  const out: Part[] = [];
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [index, token] of found.entries()) {
    const next = found[index + 1];
    if (token === '{' || token === '[') {
      if (++depth > deepest) return null;
      const empty = next === '}' || next === ']';
      out.push(empty ? token : `${token}${line()}`);
    } else if (token === '}' || token === ']') {
      const before = found[index - 1];
      depth--;
      out.push(before === '{' || before === '[' ? token : `${line()}${token}`);
    } else if (token === ',') {
      out.push(`,${line()}`);
    } else if (token === ':') {
      out.push(': ');
    } else if (token.startsWith('"')) {
      out.push(next === ':' ? html`<b>${token}</b>` : html`<i>${token}</i>`);
    } else {
      out.push(token);
    }
  }
  return html`${out}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
