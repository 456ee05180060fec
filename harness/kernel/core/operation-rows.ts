import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { isObject } from './json-value.ts';
import { fixture } from './package-root.ts';

/** Check that fails if an operation is never served, by the name of the operation. */
export const operationRows: ReadonlyMap<string, string> = new Map(
  Object.entries(read()).map(([operation, check]) => [operation, String(check)]),
);

function read(): Record<string, unknown> {
  const text = readFileSync(fixture('requirements', 'operations.yaml'), 'utf8');
  const rows: unknown = load(text, { schema: CORE_SCHEMA });
  if (!isObject(rows)) throw new Error('operations.yaml: expected a map of operations');
  return rows;
}
