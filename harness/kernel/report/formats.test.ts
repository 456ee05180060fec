import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleChecks, sampleRun } from '../core/samples/run.ts';
import { renderBadge, renderBadgeEndpoint } from './badge.ts';
import { renderCtrf } from './ctrf.ts';
import { renderGithub } from './github.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';

const run = sampleRun(sampleChecks);
const nasty = '\u001b[2J\u0000 ]]> <b> "q" & ```` @someone | % :: ,\r\n::error::x \ud800';
const attacked = sampleRun([
  sampleCheck('models/list.shape', {
    state: 'fail',
    expected: nasty,
    actual: nasty,
    evidence: {
      exchange: 'a#main/0',
      request: `GET /${nasty}`,
      outcome: nasty,
      received: nasty,
      curl: nasty,
    },
  }),
  sampleCheck('models/list.ids-unique', {
    state: 'untestable',
    reason: nasty,
    gap: { kind: 'key', names: ['otherUser'] },
  }),
]);

describe('JUnit', () => {
  test('has a case for every check that applies, and says what became of it', () => {
    const xml = renderJunit(run);
    expect(xml).toContain(
      '<testsuites name="touchstone: staging" tests="7" failures="1" errors="2" skipped="1" time="2.500"',
    );
    expect(xml.match(/<testcase /g)).toHaveLength(7);
    expect(xml).toContain(
      '<failure message="expected the stored response (2xx); 404 with an error" type="MUST fail">',
    );
    expect(xml).toContain(
      '<error message="inconclusive (rate-limit): POST /v1/messages was answered 429" type="MUST inconclusive rate-limit"',
    );
    expect(xml).toContain('<error message="error: TypeError: x is null"');
    expect(xml).toContain('<property name="not-due" value="1"/>');
    expect(xml).toContain('<skipped message="untestable: add `keys.otherUser`');
    expect(xml).toContain('<property name="verdict" value="nonconformant"/>');
  });

  test('a check takes the time of its scenarios, and a suite takes each of them once', () => {
    const both = ['storage/a.one', 'storage/a.two'].map((id) => sampleCheck(id, { state: 'pass' }));
    const xml = renderJunit(sampleRun(both));
    expect(xml.match(/<testcase [^>]* time="1.250"/g)).toHaveLength(2);
    expect(xml).toMatch(/<testsuite name="storage" .* time="1.250"/);
    expect(JSON.parse(renderCtrf(sampleRun(both))).results.tests[0].duration).toBe(1250);
  });

  test('a broken SHOULD passes with its finding, and fails when the run is strict', () => {
    const warned = sampleChecks.filter(({ verdict }) => verdict.state === 'warn');
    expect(renderJunit(sampleRun(warned))).toContain('failures="0"');
    expect(renderJunit(sampleRun(warned))).toContain(
      '<system-out>✗ access/credentials.query-key-refused',
    );
    expect(renderJunit(sampleRun(warned, { strict: true }))).toContain('failures="1"');
  });

  test('is well-formed, whatever a gateway sends', () => {
    const xml = renderJunit(attacked);
    const tags = xml.replace(/"[^"<]*"/g, '""');
    const open = [...tags.matchAll(/<([a-z-]+)(?: [a-z]+="")*( ?\/)?>|<\/([a-z-]+)>/g)];
    const stack: string[] = [];
    for (const [, name, closed, closing] of open) {
      if (closing !== undefined) expect(stack.pop()).toBe(closing);
      else if (closed === undefined && name !== undefined) stack.push(name);
    }
    expect(stack).toEqual([]);
    const text = tags.replace(/<\?xml[^>]*>/, '').replace(/<\/?[a-z-]+(?: [a-z]+="")* ?\/?>/g, '');
    expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#10);)/);
    expect(
      [...xml].some(
        (c) => (c < ' ' && c !== '\n') || (c >= '\ud800' && c <= '\udfff' && c.length === 1),
      ),
    ).toBe(false);
  });
});

test('CTRF counts every check that applies once', () => {
  const report = JSON.parse(renderCtrf(run));
  expect(report.results.summary).toMatchObject({
    tests: 7,
    passed: 3,
    failed: 1,
    skipped: 1,
    pending: 0,
    other: 2,
    start: 1735787045000,
    stop: 1735787047500,
  });
  expect(report.results.tests[1]).toMatchObject({
    name: 'storage/responses.lookup-served',
    status: 'failed',
    suite: ['storage'],
    rawStatus: 'fail',
    tags: ['MUST', 'specification'],
  });
  const extraOf = (state: string) =>
    report.results.tests.find(({ rawStatus }: { rawStatus: string }) => rawStatus === state).extra;
  expect(extraOf('inconclusive').cause).toBe('rate-limit');
  expect(extraOf('untestable').gap).toEqual({ kind: 'key', names: ['otherUser'] });
});

describe('GitHub annotations', () => {
  test('name the verdict first, and what failed, what warns and what is open', () => {
    const lines = renderGithub(run).trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, line.indexOf('::', 2)))).toEqual([
      '::error title=Touchstone%3A NONCONFORMANT',
      '::error title=storage/responses.lookup-served (MUST)',
      '::warning title=access/credentials.query-key-refused%3Achat-completions (SHOULD)',
      '::warning title=Rate limit (1 check)',
      '::warning title=Internal error of Touchstone (1 check)',
    ]);
  });

  test('stand at the target file, once for each cause, and never more than are shown', () => {
    const failing = (id: string, expected: string): ReturnType<typeof sampleCheck> =>
      sampleCheck(id, { state: 'fail', expected, actual: 'y', evidence: null });
    const rules = ['one', 'two', 'three'].map((value) => failing(`a/b.c:${value}`, 'x'));
    const others = Array.from({ length: 20 }, (_, at) =>
      failing(`a/c.${'d'.repeat(at + 1)}`, `${'z'.repeat(at + 1)}`),
    );
    const place = { file: 'gateways/a,b.yaml', line: 3 };
    const few = renderGithub(sampleRun(rules), () => place)
      .trimEnd()
      .split('\n');
    expect(few).toHaveLength(2);
    expect(few[1]).toMatch(
      /^::error file=gateways\/a%2Cb.yaml,line=3,title=a\/b.c%3Aone and 2 more/,
    );
    const many = renderGithub(sampleRun([...rules, ...others]))
      .trimEnd()
      .split('\n');
    expect(many).toHaveLength(10);
    expect(many[9]).toMatch(/^::error title=Touchstone%3A and 13 more::/);
  });

  test('are one line each: a gateway cannot slip a command in', () => {
    const lines = renderGithub(attacked).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('%25');
  });
});

describe('Markdown', () => {
  test('has the verdict first, a table, failures in full and the rest folded', () => {
    const markdown = renderMarkdown(run);
    expect(markdown).toMatch(/^# ❌ NONCONFORMANT: staging\n\n1 MUST check failed\.\n/);
    expect(markdown).toContain('| suite | passed | failed |');
    expect(markdown).toContain(
      '<summary>✗ <code>storage/responses.lookup-served</code>  MUST</summary>',
    );
    expect(markdown).toContain('\nrepeat    curl -sS ');
    expect(markdown).toContain('<details><summary>Untestable (1)</summary>');
  });

  test('a job summary does not run over', () => {
    const many = Array.from({ length: 80 }, (_, index) =>
      sampleCheck(`models/list.shape:v${index}`, {
        state: 'fail',
        expected: 'x',
        actual: 'y',
        evidence: null,
      }),
    );
    const markdown = renderMarkdown(sampleRun(many));
    expect(markdown.match(/^<details( open)?><summary>✗ <code>/gm)).toHaveLength(1);
    expect(markdown).toContain('models/list.shape:v79');
    const causes = Array.from({ length: 80 }, (_, index) =>
      sampleCheck(`models/list.shape-${'a'.repeat(index)}`, {
        state: 'fail',
        expected: `x${'x'.repeat(index)}`,
        actual: 'y '.repeat(100 * index),
        evidence: null,
      }),
    );
    const long = renderMarkdown(sampleRun([...causes, ...sampleChecks]), 20_000);
    expect(Buffer.byteLength(long)).toBeLessThan(20_000);
    expect(long).toContain('Too long for this page: `models/list.shape-');
    for (const { id } of causes) expect(long).toContain(`${id}`);
  });
});

test('the badge of a badge service says the same', () => {
  expect(JSON.parse(renderBadgeEndpoint(run))).toEqual({
    schemaVersion: 1,
    label: 'gateway conformance',
    message: 'nonconformant',
    color: '#c62828',
  });
});

test('the badge says the verdict, and when it is not the whole one', () => {
  const passed = sampleChecks.filter(({ verdict }) => verdict.state === 'pass');
  expect(renderBadge(sampleRun(passed))).toContain('aria-label="gateway conformance: conformant"');
  expect(renderBadge(sampleRun(passed, { filters: ['models/'], strict: true }))).toContain(
    '>conformant, strict, filtered</text>',
  );
  expect(renderBadge(run)).toContain('nonconformant');
});
