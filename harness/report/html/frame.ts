import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The look of every page. */
export const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/**
 * What a page may do: use this style, run this script, and nothing else. It loads nothing and sends nothing.
 *
 * @param script null: it runs none
 */
export function contentPolicy(style: string, script: string | null): string {
  const scripts = script === null ? '' : ` script-src '${digest(script)}';`;
  return `default-src 'none'; style-src '${digest(style)}';${scripts} base-uri 'none'; form-action 'none'`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
