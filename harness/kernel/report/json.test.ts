import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import { fixture } from '../core/package-root.ts';
import { sampleCheck, sampleChecks, sampleRun } from '../core/samples/run.ts';
import { scopeOf } from '../core/scope.ts';
import { type CheckVerdict, causes } from '../core/verdict.ts';
import { renderJson } from './json.ts';
import { isDue } from './outcome.ts';
import { readReport } from './read-report.ts';

const schema: object = JSON.parse(readFileSync(fixture('report.schema.json'), 'utf8'));
const validate: ValidateFunction = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
}).compile(schema);

function problems(report: unknown): string[] {
  validate(report);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

test('every state of a check, and every member of a run, is as the published schema says', () => {
  const result = sampleRun(sampleChecks);
  const report: unknown = JSON.parse(renderJson(result));
  expect(problems(report)).toEqual([]);
  const { causes, scope, checks, notDue, ...rest }: Record<string, unknown> = Object(report);
  const { checks: _, ...members } = result;
  expect(rest).toEqual({ format: 'gateway-touchstone/report', version: 2, ...members });
  expect(checks).toEqual(sampleChecks.filter(isDue));
  expect(notDue).toEqual(
    sampleChecks
      .filter((check) => !isDue(check))
      .map(({ id, level, verdict }) => ({ verdict, ids: { [level]: [id] } })),
  );
  expect(scope).toEqual(scopeOf(result));
  expect(causes).toMatchObject([{ root: 'storage/responses.lookup-served', waiting: [] }, {}]);
});

test('what is read is what was written: the catalogue has the texts of what was not due', () => {
  const states: readonly CheckVerdict[] = [
    { state: 'not-applicable', reason: 'none' },
    { state: 'pass' },
    { state: 'excluded', reason: 'left out' },
    { state: 'not-applicable', reason: 'none' },
  ];
  const rows = loadCatalogue().checks.filter((_, at) => at % 9 === 0);
  const checks = states.map((verdict, at) => {
    const { id = '', level = 'MUST', basis, requirement } = rows[at] ?? {};
    const own = sampleCheck(id, verdict, { level, text: requirement?.text ?? '', scenarios: [] });
    const { durationMs: _, ...untimed } = { ...own, basis: basis ?? own.basis };
    return untimed;
  });
  const run = sampleRun(checks);
  expect(JSON.parse(renderJson(run)).notDue).toHaveLength(2);
  const read = readReport(renderJson(run), 'report.json');
  expect(read).toEqual(run);
  expect(renderJson(read)).toBe(renderJson(run));
});

test.each([
  [{ version: 1 }, 'old.json is a report of version 1, and this suite reads version 2'],
  [{ notDue: [1] }, 'old.json is not as the JSON Schema of reports says'],
])('a report with %j is not read', (members, said) => {
  const report: object = JSON.parse(renderJson(sampleRun(sampleChecks)));
  expect(() => readReport(JSON.stringify({ ...report, ...members }), 'old.json')).toThrow(said);
});

test('the schema has every cause', () => {
  const inconclusive = (cause: string) => {
    const verdict = { state: 'inconclusive', cause, reason: 'r', evidence: null };
    const report: object = JSON.parse(renderJson(sampleRun([])));
    return problems({ ...report, checks: [{ ...sampleChecks[0], verdict }] });
  };
  for (const cause of causes) expect(inconclusive(cause), cause).toEqual([]);
  expect(inconclusive('bad luck')).not.toEqual([]);
});

test('the schema notices what is missing or unknown', () => {
  const report: object = JSON.parse(renderJson(sampleRun(sampleChecks)));
  expect(problems({ ...report, verdict: 'green' })).not.toEqual([]);
  expect(problems({ ...report, seed: undefined })).not.toEqual([]);
  expect(problems({ ...report, version: 1 })).not.toEqual([]);
  const [check] = sampleChecks;
  expect(
    problems({ ...report, checks: [{ ...check, verdict: { state: 'skipped' } }] }),
  ).not.toEqual([]);
  expect(problems({ ...report, checks: [{ ...check, verdict: { state: 'fail' } }] })).not.toEqual(
    [],
  );
});
