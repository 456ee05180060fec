import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { JsonObject } from '../core/json-value.ts';
import { fixture } from '../core/package-root.ts';
import {
  eventViolations,
  schemaCompiler,
  schemaIds,
  violationInWords,
  violations,
} from './schemas.ts';

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hello', annotations: [] }],
    },
  ],
};

const usage = {
  ...{ input_tokens: 1, input_tokens_details: { cached_tokens: 0 } },
  ...{ output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 },
};

function schemaFiles(): readonly string[] {
  const files = readdirSync(fixture('schemas'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.schema.json'));
}

function readSchema(file: string): JsonObject {
  return JSON.parse(readFileSync(`${fixture('schemas')}/${file}`, 'utf8'));
}

test('every schema file has an id in the list, and compiles', () => {
  const files = schemaFiles()
    .map((file) => file.replace('.schema.json', ''))
    .filter((file) => !file.endsWith('/events'));
  expect(files.sort()).toEqual([...schemaIds].sort());
  for (const id of schemaIds) expect(violations(id, null), id).not.toEqual([]);
});

test('every schema is used by a check, or by a schema that is', () => {
  const root = fixture('..');
  const sources = ['suites', 'harness/kernel'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|schemas\.ts$/.test(file))
      .map((file) => readFileSync(`${root}/${folder}/${file}`, 'utf8')),
  );
  const files = schemaFiles();
  const references = (file: string): readonly string[] => {
    const found = JSON.stringify(readSchema(file)).matchAll(/schemas\/([\w/-]+\.schema\.json)/g);
    return [...found].map(([, other = '']) => other).filter((other) => other !== file);
  };
  const isUsed = (file: string): boolean =>
    file.endsWith('/events.schema.json') ||
    sources.some((source) => source.includes(`'${file.replace('.schema.json', '')}'`)) ||
    files.some((other) => references(other).includes(file) && isUsed(other));
  expect(files.filter((file) => !isUsed(file))).toEqual([]);
});

test('every schema file is a JSON Schema', () => {
  const ajv = new Ajv2020();
  for (const file of schemaFiles()) {
    const valid = ajv.validateSchema(readSchema(file));
    expect(valid, `${file}: ${ajv.errorsText()}`).toBe(true);
  }
});

test('every file is read, and each schema compiled as strictly as can be', () => {
  const compiler = schemaCompiler();
  for (const id of [...schemaIds, 'responses/events', 'messages/events']) {
    const validate = compiler.getSchema(`https://touchstone.invalid/schemas/${id}.schema.json`);
    expect(validate, id).toBeTypeOf('function');
  }
  const own = Object.keys(compiler.schemas).filter((id) => !id.includes('json-schema.org'));
  expect(own).toHaveLength(schemaFiles().length);
  expect(() => compiler.compile({ novelty: 1 })).toThrow('unknown keyword');
  const validate = compiler.compile({ required: ['a', 'b'] });
  expect(validate({})).toBe(false);
  expect(validate.errors).toMatchObject([{ parentSchema: { required: ['a', 'b'] } }, {}]);
});

/** The places in a schema that offer a choice, and do not say in words of what. */
function unsaid(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isChoice = 'anyOf' in schema || 'contains' in schema;
  const isSaid = 'description' in schema && typeof schema.description === 'string';
  return [
    ...(isChoice && !isSaid ? [path] : []),
    ...Object.entries(schema).flatMap(([name, part]) => unsaid(part, `${path}/${name}`)),
  ];
}

test('each choice of forms is described, for the sentence that tells of it', () => {
  expect(unsaid({ items: [{ anyOf: [] }, { contains: {} }] }, '')).toHaveLength(2);
  for (const file of schemaFiles()) expect(unsaid(readSchema(file), file)).toEqual([]);
});

test('a value that fits has no violation, with members that nobody knows', () => {
  expect(violations('responses/response', { ...response, novelty: { deep: [1] } })).toEqual([]);
});

test('a violation says where, what and what instead', () => {
  const wrong = { ...usage, input_tokens: '12' };
  expect(violations('responses/usage', wrong).map(violationInWords)).toEqual([
    'input_tokens: must be an integer, is "12"',
  ]);
  expect(violations('responses/response', { ...response, model: undefined })).toEqual([
    { path: '', problem: 'lacks model', place: 'model' },
  ]);
  const [item] = response.output;
  expect(
    violations('responses/response', { ...response, output: [{ ...item, role: 'user' }] }),
  ).toEqual([
    { path: 'output[0].role', place: 'output[0].role', problem: 'must be "assistant", is "user"' },
  ]);
});

test('a choice of forms is one sentence', () => {
  expect(violations('responses/response', { ...response, usage: 3 })).toHaveLength(1);
  expect(violations('responses/response', { ...response, usage: {} })[0]?.path).toBe('usage');
  expect(violations('systemone/error', {}).map(violationInWords)).toEqual([
    'must be an error body with detail, error or message, is {}',
  ]);
});

test('each kind of violation has words of its own', () => {
  const words = (schema: Parameters<typeof violations>[0], value: unknown) =>
    violations(schema, value).map(violationInWords);
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [] };
  expect(words('chat-completions/chunk', { ...chunk, id: '' })).toEqual(['id: must not be empty']);
  expect(words('chat-completions/chunk', { ...chunk, usage: 3 })).toEqual([
    'usage: must be an object or null, is 3',
  ]);
  const choices = Array.from({ length: 11 }, (_, index) => ({
    index,
    delta: {},
    finish_reason: null,
  }));
  const wrong = [...choices.slice(0, 10), { ...choices[10], index: -1 }];
  expect(words('chat-completions/chunk', { ...chunk, choices: wrong })).toEqual([
    'choices[10].index: must be >= 0, is -1',
  ]);
  const full = words('responses/response-full', { ...response, status: 'done' });
  expect(full.find((line) => line.startsWith('status'))).toMatch(
    /^status: must be one of \["completed",.*\], is "done"$/,
  );
  expect(words('responses/compaction', { object: 'response.compaction', output: [] })).toContain(
    'output: must be a list with a compaction item, is []',
  );
});

test('an element that is missing is told in one sentence, and beside it what else is wrong', () => {
  const list = [{ type: 'message', id: 'm' }, { type: 'novel' }];
  const body = { id: 'c', object: 'response.compaction', created_at: 1, usage, output: list };
  expect(violations('responses/compaction', body).map(({ path }) => path)).toEqual(['output']);
  const frame = { type: 'error', error: 5 };
  expect(violations('responses/error-frame', { ...frame, type: 'x' })).toHaveLength(2);
});

test.each([
  ['a/b', 'answers.a/b'],
  ['a~b', 'answers.a~b'],
  ['a~1b', 'answers.a~1b'],
  ['7', 'answers[7]'],
  ['a7', 'answers.a7'],
  ['7a', 'answers.7a'],
])('a member %j is at %s', (name, path) => {
  const found = violations('systemone/result', { answers: { [name]: 5 } });
  expect(found.map((one) => one.path)).toContain(path);
});

test('a name that is no schema is an internal error', () => {
  expect(() => violations('responses/none' as never, {})).toThrow('There is no schema');
});

test('events: known ones are judged, unknown ones are legal', () => {
  const delta = {
    type: 'response.output_text.delta',
    sequence_number: 4,
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta: 'he',
  };
  expect(eventViolations('responses', delta.type, delta)).toEqual([]);
  expect(eventViolations('responses', delta.type, { ...delta, delta: 1 })).toEqual([
    { path: 'delta', problem: 'must be a string, is 1', place: 'delta' },
  ]);
  expect(eventViolations('responses', 'response.novelty', {})).toBeNull();
  expect(eventViolations('responses', 'response.created', { type: 'x' })).not.toEqual([]);
});

test('an error event may be flat or nested', () => {
  const flat = { type: 'error', sequence_number: 0, code: null, message: 'no', param: null };
  const nested = { type: 'error', error: { type: 'server_error', code: null, message: 'no' } };
  expect(eventViolations('responses', 'error', flat)).toEqual([]);
  expect(eventViolations('responses', 'error', nested)).toEqual([]);
  expect(eventViolations('responses', 'error', { type: 'error' })).toHaveLength(1);
});

test('generative-content: parts are not asked for at MAX_TOKENS, nor when the prompt was blocked', () => {
  const stopped = { candidates: [{ content: { role: 'model' }, finishReason: 'STOP' }] };
  const short = { candidates: [{ content: { role: 'model' }, finishReason: 'MAX_TOKENS' }] };
  const roleless = { content: { parts: [{ text: 'Hel' }] }, finishReason: 'MAX_TOKENS' };
  expect(violations('generative/response', { candidates: [roleless] })).not.toEqual([]);
  const empty = { content: { parts: [] }, finishReason: 'SAFETY' };
  expect(violations('generative/response', { candidates: [empty] })).toEqual([]);
  expect(violations('generative/response', stopped)).toHaveLength(1);
  expect(violations('generative/response', short)).toEqual([]);
  expect(
    violations('generative/response', { candidates: [{ finishReason: 'MAX_TOKENS' }] }),
  ).toEqual([]);
  expect(violations('generative/response', { promptFeedback: { blockReason: 'SAFETY' } })).toEqual(
    [],
  );
  expect(violations('generative/response', {})).not.toEqual([]);
});
