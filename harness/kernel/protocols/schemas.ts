import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fixture, shown } from '../core/index.ts';

/** The schemas of `fixtures/schemas/<protocol>/`, by protocol and file name. */
export const schemaIds = [
  'responses/response',
  'responses/response-full',
  'responses/output-item',
  'responses/content-part',
  'responses/function-call',
  'responses/usage',
  'responses/input-items',
  'responses/compaction',
  'responses/input-tokens',
  'responses/error',
  'responses/stored-error',
  'responses/error-frame',
  'chat-completions/completion',
  'chat-completions/completion-full',
  'chat-completions/chunk',
  'chat-completions/tool-call',
  'chat-completions/usage',
  'chat-completions/error',
  'messages/message',
  'messages/content-block',
  'messages/whole-block',
  'messages/tool-use',
  'messages/usage',
  'messages/token-count',
  'messages/error',
  'generative/response',
  'generative/chunk',
  'generative/function-call',
  'generative/usage',
  'generative/token-count',
  'generative/catalog',
  'generative/error',
  'systemone/result',
  'systemone/error',
  'models/list',
  'models/list-full',
  'models/error',
] as const;

export type SchemaId = (typeof schemaIds)[number];

export interface SchemaViolation {
  /** `usage.input_tokens` or `output[0].type`. '' is the value itself. */
  readonly path: string;
  /** `must be an integer, is "12"` */
  readonly problem: string;
  /** The path; for a missing member, the path at which it is expected. */
  readonly place: string;
}

const base = 'https://touchstone.invalid/schemas/';

let compiler: Ajv2020 | null = null;

/** Cache of the validators in use, because the compiler resolves a reference again at each lookup. */
const compiled = new Map<string, ValidateFunction>();

/** Reads and registers all schemas. Each is compiled at its first use. */
export function schemaCompiler(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    // Generating optimised code takes longer than it saves, because most schemas are used a few times. A test
    // validates the schemas by the meta-schema.
    code: { optimize: false },
    validateSchema: false,
  });
  formats.default(ajv);
  const folder = fixture('schemas');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.schema.json')) {
      ajv.addSchema(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')));
    }
  }
  return ajv;
}

function validator(reference: string): ValidateFunction | undefined {
  const known = compiled.get(reference);
  if (known !== undefined) return known;
  compiler ??= schemaCompiler();
  const validate = compiler.getSchema(`${base}${reference}`);
  if (validate !== undefined) compiled.set(reference, validate);
  return validate;
}

function found(validate: ValidateFunction, value: unknown): readonly SchemaViolation[] {
  return validate(value) ? [] : inWords(validate.errors ?? []);
}

/** Returns the violations of a schema by a value. Empty if the value is valid. */
export function violations(schema: SchemaId, value: unknown): readonly SchemaViolation[] {
  const validate = validator(`${schema}.schema.json`);
  if (validate === undefined) throw new Error(`There is no schema ${schema} in fixtures/schemas/`);
  return found(validate, value);
}

const adHoc = new WeakMap<object, ValidateFunction>();

export function violationsOf(schema: object, value: unknown): readonly SchemaViolation[] {
  const validate =
    adHoc.get(schema) ?? new Ajv2020({ allErrors: true, verbose: true }).compile(schema);
  adHoc.set(schema, validate);
  return found(validate, value);
}

/** Returns the violations by an event of its type's schema. Null for an unknown type, which is legal everywhere. */
export function eventViolations(
  protocol: 'responses' | 'messages',
  type: string,
  value: unknown,
): readonly SchemaViolation[] | null {
  const validate = validator(`${protocol}/events.schema.json#/$defs/${encodeURIComponent(type)}`);
  return validate === undefined ? null : found(validate, value);
}

/** `usage.input_tokens: must be an integer, is "12"` */
export function violationInWords({ path, problem }: SchemaViolation): string {
  return path === '' ? problem : `${path}: ${problem}`;
}

function inWords(errors: readonly ErrorObject[]): SchemaViolation[] {
  // All elements of a long list may violate the same part of the schema.
  const broken = [...new Set(errors.map(({ schemaPath }) => `${schemaPath}/`))];
  const isWithin = (schemaPath: string): boolean =>
    broken.some((whole) => schemaPath.startsWith(whole));
  return (
    errors
      // `if` only says that its `then` failed. The errors of `then` are in the list, too.
      .filter(({ keyword }) => keyword !== 'if')
      // Reports one sentence for a choice of forms, not one for each form.
      .filter(({ schemaPath }) => !isWithin(schemaPath))
      .map((error) => ({
        path: valuePath(error),
        problem: problemOf(error),
        place: expectedAt(error),
      }))
  );
}

function valuePath({ instancePath }: ErrorObject): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step, i) => (/^\d+$/.test(step) ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
}

function expectedAt(error: ErrorObject): string {
  const { keyword, params } = error;
  return [valuePath(error), keyword === 'required' ? String(params.missingProperty) : '']
    .filter((part) => part !== '')
    .join('.');
}

function problemOf(error: ErrorObject): string {
  const { keyword, params, data, parentSchema = {} } = error;
  const is = `is ${shown(data, 80)}`;
  switch (keyword) {
    case 'required':
      return `lacks ${String(params.missingProperty)}`;
    case 'type':
      return `must be ${typeInWords(params.type)}, ${is}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}, ${is}`;
    case 'enum':
      return `must be one of ${JSON.stringify(params.allowedValues)}, ${is}`;
    case 'anyOf':
    case 'contains':
      // A test ensures that each of them has a description.
      return `must be ${String(parentSchema.description)}, ${is}`;
    case 'not':
      return `must be ${String(parentSchema.description ?? 'something else')}, ${is}`;
    case 'minLength':
      return 'must not be empty';
    default:
      return `${error.message ?? 'is wrong'}, ${is}`;
  }
}

function typeInWords(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  const words = types.map((one) =>
    one === 'null' ? 'null' : `${/^[aeio]/.test(String(one)) ? 'an' : 'a'} ${String(one)}`,
  );
  return words.join(' or ');
}
