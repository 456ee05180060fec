import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { asObject, fixture } from '../core/index.ts';
import { fieldName, type Path, type Places } from './document.ts';
import { didYouMean } from './nearest.ts';
import type { Problem } from './target-error.ts';
import type { TargetFile } from './target-file.ts';

/** Quotes a text of the file, or replaces it if it must not be shown. */
export type Quote = (text: string, path: Path) => string;

const validator = validatorOf<TargetFile>('target.schema.json');

/** Validates against `fixtures/target.schema.json`, reporting all fields at once. */
export function matchesSchema(data: unknown): data is TargetFile {
  return validator()(data);
}

/** Returns the schema violations in words, at most one problem for each field. */
export function schemaProblems(data: unknown, places: Places, quote: Quote): Problem[] {
  const validate = validator();
  if (validate(data)) return [];
  return problemsIn(validate, 'a target file', places, quote);
}

/**
 * Returns the violations of the latest validation in words, at most one problem for each field.
 *
 * @param file name of the described file: `a target file`
 */
export function problemsIn(
  { errors, schema }: Pick<ValidateFunction, 'errors' | 'schema'>,
  file: string,
  places: Places,
  quote: Quote,
): Problem[] {
  const problems = new Map<string, Problem>();
  for (const error of errors ?? []) {
    // The error of the containing map is reported instead.
    if (error.propertyName !== undefined) continue;
    const problem = describe(error, pathOf(error), places, quote, { file, schema });
    if (!problems.has(problem.field)) problems.set(problem.field, problem);
  }
  return [...problems.values()];
}

/** Returns a function that compiles a schema of `fixtures/` at its first call. */
export function validatorOf<T>(name: string): () => ValidateFunction<T> {
  let compiled: ValidateFunction<T> | undefined;
  return () => {
    if (compiled === undefined) {
      const schema: object = JSON.parse(readFileSync(fixture(name), 'utf8'));
      const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
      compiled = ajv.compile<T>(schema);
    }
    return compiled;
  };
}

function pathOf({ instancePath }: ErrorObject): Path {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

interface Described {
  readonly file: string;
  readonly schema: unknown;
}

function describe(
  error: ErrorObject,
  path: Path,
  places: Places,
  quote: Quote,
  described: Described,
): Problem {
  const { keyword, params, data } = error;
  const at = (message: string): Problem => places.problem(path, message);
  switch (keyword) {
    case 'additionalProperties': {
      const field = String(params.additionalProperty);
      // A key was written in place of its name.
      if (path[0] === 'keys' && !/^[A-Za-z_]{1,24}$/.test(field)) {
        return at(
          'A field here is not the name of a key. Known: owner, sameUser, otherUser, restricted.',
        );
      }
      return places.problemWithKey([...path, field], unknownField(field, path, error, described));
    }
    case 'required': {
      const missing = [...path, String(params.missingProperty)];
      return places.problem(missing, `This field is missing.${purpose(error, missing)}`);
    }
    case 'type':
      return at(wrongType(error, path, quote));
    case 'enum': {
      const known = listed(params.allowedValues);
      const wrong = typeof data === 'string' ? `${quote(data, path)} is unknown here.` : '';
      const meant = typeof data === 'string' ? didYouMean(data, known) : '';
      return at(`${wrong}${meant} Known: ${known.join(', ')}.`.trim());
    }
    case 'dependentRequired': {
      const missing = String(params.missingProperty);
      return at(`\`${String(params.property)}\` needs \`${missing}\`, too: add it.`);
    }
    case 'propertyNames': {
      const name = String(params.propertyName);
      return places.problemWithKey([...path, name], `\`${name}\` is not the name of a header.`);
    }
    case 'minProperties':
      return at('This is empty: say what differs, or leave it out.');
    case 'pattern':
      return at(wrongForm(path, data, quote));
    case 'uniqueItems':
      return places.problem([...path, Number(params.i)], 'This is twice in the list.');
    case 'minItems':
      return at('The list is empty: name at least one.');
    case 'minLength':
      return at('This is empty.');
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = asObject(error.parentSchema);
      return at(`This is ${String(data)}: expected ${minimum} to ${maximum}.`);
    }
    default:
      return at(`This ${error.message ?? 'is not allowed'}.`);
  }
}

function unknownField(
  field: string,
  path: Path,
  error: ErrorObject,
  { file, schema }: Described,
): string {
  const known = Object.keys(asObject(asObject(error.parentSchema).properties));
  const owner = path.length === 0 ? file : `\`${fieldName(path)}\``;
  const unknown = `\`${field}\` is not a field of ${owner}.`;
  const meant = didYouMean(field, known);
  if (meant !== '') return unknown + meant;
  const elsewhere = allowedPlaces(field, path, schema);
  if (elsewhere !== '') return `${unknown} It belongs under \`${elsewhere}\`.`;
  return `${unknown} Known: ${known.filter((name) => name !== '$schema').join(', ')}.`;
}

/**
 * Returns another place in a target file that has a field of this name: `limits` for `timeoutMs`. Empty if there is
 * none.
 */
function allowedPlaces(field: string, path: Path, whole: unknown): string {
  const within = (schema: Record<string, unknown>, place: string): string => {
    for (const [name, value] of Object.entries(asObject(schema.properties))) {
      if (name === field && place !== fieldName(path)) return place;
      const sub = asObject(value);
      const child = place === '' ? name : `${place}.${name}`;
      const found = within(sub, child) || within(asObject(sub.items), `${child}[]`);
      if (found !== '') return found;
    }
    return '';
  };
  return within(asObject(whole), '');
}

function wrongType({ params, data }: ErrorObject, path: Path, quote: Quote): string {
  const wanted = [params.type].flat().map((type) => typeNames[String(type)] ?? String(type));
  const expected = `expected ${wanted.join(' or ')}`;
  if (data === null || data === undefined) return `This is empty: ${expected}.`;
  if (typeof data === 'string') return `This is text (${quote(data, path)}): ${expected}.`;
  const is = Array.isArray(data) ? 'a list' : (typeNames[typeof data] ?? typeof data);
  const hint = wanted.includes('text') && typeof data !== 'object' ? ' Put it in quotes.' : '';
  return `This is ${is}: ${expected}.${hint}`;
}

function wrongForm(path: Path, data: unknown, quote: Quote): string {
  const shown = typeof data === 'string' ? quote(data, path) : 'This';
  if (path[0] === 'versionDate') return `${shown} is not a date: write it as 2023-06-01.`;
  if (path[0] === 'keys') {
    return 'This is text: expected a map with the names of keys, or `none` for a gateway that takes no keys.';
  }
  if (path.at(-1) === 'passphrase') {
    return `A passphrase stands in a variable of the environment: write \`\${NAME}\` here.`;
  }
  if (path[0] === 'credentials') {
    return `${shown} is neither \`bearer\` nor the name of a header. It says where the key goes, not what the key is.`;
  }
  return `${shown} cannot stand in a header name: only letters, digits and hyphens can.`;
}

/** The schema's description of a missing field, as a second sentence. */
function purpose({ parentSchema }: ErrorObject, missing: Path): string {
  const field = asObject(asObject(asObject(parentSchema).properties)[String(missing.at(-1))]);
  return typeof field.description === 'string' ? ` ${field.description}` : '';
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of fields',
  null: 'null',
};

function listed(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
