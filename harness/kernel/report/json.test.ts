import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { fixture } from '../core/package-root.ts';
import { sampleChecks, sampleRun } from '../core/samples/run.ts';
import { scopeOf } from '../core/scope.ts';
import { causes } from '../core/verdict.ts';
import { renderJson } from './json.ts';

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
  const { causes, scope, ...rest }: Record<string, unknown> = Object(report);
  expect(rest).toEqual({ format: 'gateway-touchstone/report', version: 1, ...result });
  expect(scope).toEqual(scopeOf(result));
  expect(causes).toMatchObject([{ root: 'storage/responses.lookup-served', waiting: [] }, {}]);
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
  expect(problems({ ...report, version: 2 })).not.toEqual([]);
  const [check] = sampleChecks;
  expect(
    problems({ ...report, checks: [{ ...check, verdict: { state: 'skipped' } }] }),
  ).not.toEqual([]);
  expect(problems({ ...report, checks: [{ ...check, verdict: { state: 'fail' } }] })).not.toEqual(
    [],
  );
});
