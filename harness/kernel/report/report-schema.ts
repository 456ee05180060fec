import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fixture } from '../core/index.ts';
import type { JsonReport } from './json.ts';

let compiled: ValidateFunction<JsonReport> | undefined;

/** True if a value matches the published `fixtures/report.schema.json`. */
export function isReport(value: unknown): value is JsonReport {
  compiled ??= new Ajv2020({
    allowUnionTypes: true,
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
  }).compile<JsonReport>(JSON.parse(readFileSync(fixture('report.schema.json'), 'utf8')));
  return compiled(value);
}
