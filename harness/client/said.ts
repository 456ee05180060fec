import { isObject, parsed } from '../core/json-value.ts';
import { type ClientAnswer, type CommandRun, clientOutcomes } from '../engine/clients/session.ts';
import type { RawRun } from './command.ts';

/** Reads what a command printed: the answer in its last line, if there is one. */
export function readRun(run: RawRun, tasks: boolean): CommandRun {
  const last = run.stdout.trimEnd().split('\n').at(-1) ?? '';
  const value = last.trimStart().startsWith('{') ? parsed(last) : undefined;
  const looksMeant =
    isObject(value) && ['text', 'outcome', 'unsupported', 'id'].some((member) => member in value);
  if (!tasks && !looksMeant) return { ...run, answer: null, problem: null };
  if (!isObject(value)) {
    const what = last.trim() === '' ? 'nothing' : JSON.stringify(last.slice(0, 120));
    return {
      ...run,
      answer: null,
      problem: `the last line of its standard output has to be one JSON object, and is ${what}`,
    };
  }
  const wrong = wrongIn(value);
  return wrong === null
    ? { ...run, answer: value as ClientAnswer, problem: null }
    : { ...run, answer: null, problem: `its answer is wrong: ${wrong}` };
}

/** What is wrong with an answer, in words; null: nothing. */
function wrongIn(answer: Readonly<Record<string, unknown>>): string | null {
  const { outcome, models, tokens, unsupported, error } = answer;
  for (const member of ['text', 'id', 'status']) {
    const value = answer[member];
    if (value !== undefined && typeof value !== 'string') return `\`${member}\` is no text`;
  }
  if (unsupported !== undefined && unsupported !== true) return '`unsupported` can only be true';
  if (tokens !== undefined && typeof tokens !== 'number') return '`tokens` is no number';
  if (models !== undefined && !Array.isArray(models)) return '`models` is no list';
  if (error !== undefined && !isObject(error)) return '`error` is no object';
  if (outcome !== undefined && !clientOutcomes.some((known) => known === outcome)) {
    return `\`outcome\` is none of ${clientOutcomes.join(', ')}`;
  }
  return unsupported === true || outcome !== undefined
    ? null
    : `it lacks \`outcome\`: one of ${clientOutcomes.join(', ')}`;
}
