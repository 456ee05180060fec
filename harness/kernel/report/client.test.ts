import { expect, test } from 'vitest';
import type { RunResult } from '../core/result.ts';
import { renderBadge, renderBadgeEndpoint } from './badge.ts';
import { renderConsole } from './console.ts';
import { renderCtrf } from './ctrf.ts';
import { explain } from './explanation.ts';
import { renderGithub } from './github.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { isReport } from './report-schema.ts';
import { sampleClientRun } from './samples/client.ts';

// A run that judged a client, in every report.

const run = sampleClientRun();
const console80 = (result: RunResult): string =>
  renderConsole(result, { colour: false, width: 80 });

/** Runs of each verdict: what is said differs. */
const runs: readonly RunResult[] = (
  ['conformant', 'nonconformant', 'indeterminate', 'partial'] as const
).map((verdict) => {
  const checks = run.checks.filter(({ verdict: { state } }) => {
    const broken = state === 'fail';
    const open = state === 'inconclusive';
    const missing = state === 'untestable';
    return {
      conformant: !broken && !open && !missing,
      nonconformant: true,
      indeterminate: !broken,
      partial: !broken && !open,
    }[verdict];
  });
  return { ...run, verdict, checks };
});

test.each([
  ['console', console80],
  ['html', (result: RunResult) => renderHtml(result).replace(/<(style|script)>.*?<\/\1>/gs, '')],
  ['junit', renderJunit],
  ['ctrf', renderCtrf],
  ['markdown', renderMarkdown],
  ['github', renderGithub],
  ['badge', renderBadge],
  ['badge for a service', renderBadgeEndpoint],
])('%s says nothing of a gateway under test, of its target file or of costs', (_, render) => {
  for (const result of runs) {
    const said = render(result);
    expect(said).not.toMatch(
      /[Tt]arget file|touchstone run|touchstone doctor|curl|127\.0\.0\.1|Region (eu|us)|eu http/,
    );
    expect(said).not.toMatch(/gateway conformance|generations? in|\d generations?,|pays?\b/i);
    expect(said).not.toMatch(/gateway (under|is|does not offer|was slow)/i);
  }
});

test('the console tells a retry at a glance, in 80 columns', () => {
  const said = console80(run);
  expect(said).toContain('Touchstone 0.1.0: my-client 1.2.3 (client)');
  expect(said).toContain("command: node my.mjs --ask {prompt} 'it'\\''s'");
  expect(
    said,
  ).toContain(`  seen      Messages: the gateway resets the connection once it has the request
              150 ms  GET /v1/models → 200
              200 ms  POST /v1/messages → cut by the gateway, no answer
              703 ms  POST /v1/messages → 200  ← generation 2 of 2
              830 ms  exit code 0; it says that the answer is complete; printed
                      {"text":"Hello.","outcome":"complete"}
`);
  expect(said).toContain('3 starts of the client, 12 requests in');
  const long = said
    .split('\n')
    .filter((line) => line.length > 80 && !/repeat|^ {2}touchstone/.test(line));
  expect(long).toEqual([]);
});

test('what to do next is the command that starts the client again', () => {
  const { why, next, typed } = explain(run);
  const line =
    "touchstone client client/retries.none-when-uncertain --speaks responses,messages -- node my.mjs --ask {prompt} 'it'\\''s'";
  expect(next).toBe(`Fix what failed, then run only that again: ${line}`);
  expect(typed).toBe(line);
  expect(why).toBe(
    '1 MUST check failed. Scope: 2 of 5 MUSTs; catalogue revision 1. The client was seen to speak Responses, Messages.',
  );
});

test('what to do where something is open is in the hands of the client', () => {
  const [conformant, , indeterminate, partial] = runs;
  expect(explain(conformant ?? run).next).toBe('No action needed.');
  expect(explain(indeterminate ?? run).next).toMatch(/^See the reasons under "Inconclusive": /);
  expect(explain(partial ?? run).next).toBe(
    'Start the client as "Untestable" says, or accept the gap: --allow-partial.',
  );
});

test('machines are told what was judged', () => {
  const report: unknown = JSON.parse(renderJson(run));
  expect(isReport(report)).toBe(true);
  expect(report).toMatchObject({
    target: { client: { tasks: false } },
    conversations: [{}, {}, {}],
  });
  expect(renderJunit(run)).toContain('name="touchstone: my-client 1.2.3 (client)"');
  expect(renderJunit(run)).toContain('<property name="client" value="command: node my.mjs');
  expect(renderCtrf(run)).toContain('"testEnvironment": "my-client 1.2.3 (client)"');
  expect(renderBadge(run)).toContain('client conformance: nonconformant');
  expect(JSON.parse(renderBadgeEndpoint(run))).toMatchObject({ label: 'client conformance' });
  expect(renderMarkdown(run)).toContain(
    'NONCONFORMANT: Responses, Messages; texts alone: my-client 1.2.3 (client)',
  );
});
