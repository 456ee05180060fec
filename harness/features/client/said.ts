import { readFileSync } from 'node:fs';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fixture, isObject, parsed } from '../../kernel/core/index.ts';
import { type ClientAnswer, type CommandRun, clientOutcomes } from '../sessions/index.ts';
import type { RawRun } from './command.ts';

/** Reads the output of a command: the answer in its last line, if there is one. */
export function readRun(run: RawRun, tasks: boolean): CommandRun {
  const last = run.stdout.trimEnd().split('\n').at(-1) ?? '';
  const value = last.trimStart().startsWith('{') ? parsed(last) : undefined;
  // A client without tasks may print any text, including JSON. Only an object with an outcome is an answer.
  const isMeant = isObject(value) && ('outcome' in value || 'unsupported' in value);
  if (!tasks && !isMeant) return { ...run, answer: null, problem: null };
  if (!isObject(value)) {
    const what = last.trim() === '' ? 'nothing' : JSON.stringify(last.slice(0, 120));
    return {
      ...run,
      answer: null,
      problem: `the last line of its standard output has to be one JSON object, and is ${what}`,
    };
  }
  const validate = validator();
  if (validate(value)) return { ...run, answer: value, problem: null };
  const wrong = [...new Set((validate.errors ?? []).map(inWords))].join('; ');
  return { ...run, answer: null, problem: `its answer is wrong: ${wrong}` };
}

let compiled: ValidateFunction<ClientAnswer> | undefined;

function validator(): ValidateFunction<ClientAnswer> {
  compiled ??= new Ajv2020({ allErrors: true }).compile<ClientAnswer>(
    JSON.parse(readFileSync(fixture('clients', 'answer.schema.json'), 'utf8')),
  );
  return compiled;
}

const outcomes = clientOutcomes.join(', ');

function inWords({ instancePath, schemaPath, keyword, params, message = '' }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.');
  if (schemaPath.startsWith('#/anyOf')) return `it lacks \`outcome\`: one of ${outcomes}`;
  switch (keyword) {
    case 'required':
      return `\`${place}\` lacks \`${params.missingProperty}\``;
    case 'additionalProperties':
      return `\`${params.additionalProperty}\` is no member of ${place === '' ? 'an answer' : `\`${place}\``}`;
    case 'enum':
      return `\`${place}\` is none of ${outcomes}`;
    case 'type':
      return `\`${place}\` is no ${params.type}`;
    default:
      return `\`${place}\` ${message}`;
  }
}
