import { admitModel, insist } from '../admission.ts';
import type { Call } from '../call.ts';
import { isArray, isObject, isShallow, type Json, type JsonObject } from '../json.ts';
import type { Key } from '../keys.ts';
import { booleanAt, objectAt, required, stringAt } from '../parameters.ts';
import { Refusal, type RefusalReason } from '../refusal.ts';

interface DecisionRequest {
  readonly model: string;
  /** JSON text of the state. */
  readonly state: string;
  readonly questions: readonly (readonly [name: string, question: JsonObject])[];
}

/** Reads a request. System One has no length parameter, and no stream. */
export function readDecisionRequest(call: Call, key: Key): DecisionRequest {
  const { body } = call;
  const model = admitModel(body.model, call, key);
  booleanAt(body, 'stream', call);
  if (call.gateway.seams.policy.wantsStream(body, call)) {
    refuse('invalid-value', 'System One does not stream.', 'stream', call);
  }
  return { model: model.id, state: readState(call), questions: readQuestions(call) };
}

/** Reads the state: a text, an object, a list or null, but required. */
function readState(call: Call): string {
  const { state } = call.body;
  if (state === undefined) refuse('missing-parameter', 'Field required', 'state', call);
  if (typeof state === 'number' || typeof state === 'boolean') {
    refuse('wrong-type', 'state has to be a string, an object, an array or null', 'state', call);
  }
  if (isShallow(state)) return JSON.stringify(state ?? null);
  refuse('too-deep', 'state is nested too deep', 'state', call);
  return '';
}

function readQuestions(call: Call): [string, JsonObject][] {
  const questions = required(objectAt(call.body, 'questions', call), 'questions', call) ?? {};
  const entries = Object.entries(questions);
  if (entries.length === 0) {
    refuse('invalid-value', 'questions must not be empty', 'questions', call);
  }
  return entries.flatMap(([name, question]): [string, JsonObject][] => {
    const path = `questions.${name}`;
    if (isObject(question)) return [[name, readQuestion(question, path, call)]];
    refuse('wrong-type', 'a question has to be an object', path, call);
    return [];
  });
}

function readQuestion(question: JsonObject, path: string, call: Call): JsonObject {
  stringAt(question, 'instructions', call, `${path}.instructions`);
  const { criteria } = question;
  const fits = criteriaFit.get(question.type);
  if (fits === undefined) {
    refuse('invalid-value', 'has to be one of noul, choice, score', `${path}.type`, call);
  } else if (!fits.accept(criteria)) {
    refuse('invalid-value', `has to be ${fits.expected}`, `${path}.criteria`, call);
  }
  return question;
}

/** Required form of the criteria for each type of question. */
const criteriaFit: ReadonlyMap<
  Json | undefined,
  { readonly expected: string; accept(criteria: Json | undefined): boolean }
> = new Map([
  [
    'noul',
    {
      expected: 'an object, or absent',
      accept: (criteria) => criteria === undefined || criteria === null || isObject(criteria),
    },
  ],
  [
    'choice',
    {
      expected: 'an object of 1 to 255 labels',
      accept: (criteria) => isObject(criteria) && isBetween(Object.keys(criteria).length, 1, 255),
    },
  ],
  [
    'score',
    {
      expected: 'an array of 1 to 10 levels',
      accept: (criteria) => isArray(criteria) && isBetween(criteria.length, 1, 10),
    },
  ],
]);

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

function refuse(reason: RefusalReason, message: string, param: string, call: Call): void {
  insist(call, new Refusal(reason, message, param));
}
