import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixture } from '../core/package-root.ts';
import { sampleChecks, sampleRun } from '../core/samples/run.ts';
import { specificationInWords } from './basis.ts';
import { renderCtrf } from './ctrf.ts';
import { renderHtml } from './html/page.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

test('every report names the specification by its title, revision and digest', () => {
  const run = sampleRun(sampleChecks);
  const said = specificationInWords(run);
  expect(said).toBe(
    `Interface specification of a multi-protocol generation gateway, revision 1 of 2025-01-01, SHA-256 ${'0'.repeat(64)}`,
  );
  const [title] = readFileSync(fixture('specification.md'), 'utf8').split('\n');
  expect(said.startsWith(title?.replace('# ', '') ?? 'no title')).toBe(true);
  const reports = [renderMarkdown, renderJunit, renderCtrf];
  for (const render of reports) expect(render(run)).toContain(said);
  expect(renderHtml(run, new Map())).toContain(said);
});
