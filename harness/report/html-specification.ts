import type { Citation } from '../core/requirement.ts';
import type { RunResult } from '../core/result.ts';
import { html, type Markup, prose } from './html-markup.ts';

/** The clauses that the checks cite, for the links of their sources. */
export function specification({ specification: version, checks }: RunResult): Markup {
  const clauses = new Map<string, Citation>();
  for (const { basis } of checks) {
    for (const citation of basis.citations) {
      if (citation.kind !== 'document') clauses.set(citation.id, citation);
    }
  }
  const inOrder = [...clauses.values()].sort((a, b) =>
    a.id.localeCompare(b.id, 'en', { numeric: true }),
  );
  return html`<details class="section" id="specification">
<summary><h3>Clauses of the interface specification, revision ${String(version.revision)} of ${version.date}</h3></summary>
<dl class="fields">
${inOrder.map(
  ({ id, text }) => html`<div id="clause-${id}"><dt>${id}</dt><dd>${prose(text)}</dd></div>
`,
)}</dl>
</details>`;
}
