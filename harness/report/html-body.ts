import type { BodyView } from './exchange-view.ts';
import { indentedJson } from './html-json.ts';
import { html, type Markup } from './html-markup.ts';
import { counted } from './tally.ts';

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
