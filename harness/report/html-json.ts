import { html, type Markup, type Part } from './html-markup.ts';

/** Nested deeper than a reader follows; indenting it would only make the report grow. */
const deepest = 40;

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON, indented for reading. Its tokens stay as they came: a number keeps its digits, a member that
 * stands twice stands twice. Null when the text is no JSON of objects or lists.
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
