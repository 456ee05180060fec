import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, Markup } from './markup.ts';

/** The look of every page. */
export const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

export interface Head {
  readonly title: string;
  /** All of its style. */
  readonly style: string;
  /** Script of the page, or null if it has none. */
  readonly script: string | null;
  readonly generator?: string;
}

/** The head of a page that needs nothing else. */
export function headOf({ title, style, script, generator }: Head): Markup {
  return html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${generator === undefined ? null : html`<meta name="generator" content="${generator}">\n`}<title>${`${title} – Touchstone`}</title>
<style>${new Markup(style)}</style>
</head>`;
}

/**
 * Content security policy of a page: it may use this style and run this script, and nothing else. It loads
 * nothing and sends nothing.
 *
 * @param script null: it runs none
 */
function contentPolicy(style: string, script: string | null): string {
  const scripts = script === null ? '' : ` script-src '${digest(script)}';`;
  return `default-src 'none'; style-src '${digest(style)}';${scripts} base-uri 'none'; form-action 'none'`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
