import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from './json.ts';
import { sampleOf, unservable } from './json-sample.ts';

const limits = fc.record(
  { minimum: fc.integer({ min: -9, max: 9 }), maximum: fc.integer({ min: -9, max: 9 }) },
  { requiredKeys: [] },
);

/** Schemas with the keywords that are known; some of them can be met by no value. */
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonObject>(
      { type: 'string' },
      { type: 'boolean' },
      { type: 'null' },
      { enum: ['a', 'b'] },
      { const: 7 },
    ),
    fc
      .tuple(fc.constantFrom('integer', 'number'), limits)
      .map(([type, rest]) => ({ type, ...rest })),
    fc
      .record(
        { items: tie('schema'), minItems: fc.nat(9), maxItems: fc.nat(9) },
        { requiredKeys: [] },
      )
      .map((rest) => ({ type: 'array', ...rest })),
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
        required: fc.subarray(['a', 'b', 'c']),
        additionalProperties: fc.boolean(),
      })
      .map((rest) => ({ type: 'object', ...rest })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ),
}));

test('what a sample is promised of accepts it', () => {
  const ajv = new Ajv2020({ strict: false });
  fc.assert(
    fc.property(schema, fc.double({ min: 0, max: 0.999, noNaN: true }), (one, chance) => {
      fc.pre(unservable(one) === null);
      expect(
        ajv.validate(
          one,
          sampleOf(one, () => chance),
        ),
      ).toBe(true);
    }),
  );
});

describe('says what it cannot promise', () => {
  test.each<[string, JsonObject, string]>([
    ['an unknown keyword', { type: 'string', pattern: '^a' }, "'schema.pattern' is not supported"],
    [
      'one further in',
      { type: 'object', properties: { a: { type: 'array', items: { $ref: '#' } } } },
      "'schema.a.items.$ref' is not supported",
    ],
    [
      'what is required and forbidden',
      { type: 'object', required: ['a'], additionalProperties: false },
      "'schema' requires 'a' and forbids it",
    ],
    [
      'one of several',
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      "'schema.oneOf' with several choices is not supported: use anyOf",
    ],
    [
      'a choice beside its own keywords',
      { anyOf: [{ type: 'object' }], required: ['a'] },
      "'schema.anyOf' beside 'required' is not supported",
    ],
    [
      'an empty range',
      { type: 'integer', minimum: 2.5, maximum: 2.9 },
      "'schema.minimum' leaves no value below its maximum",
    ],
  ])('%s', (_, given, problem) => {
    expect(unservable(given)).toBe(problem);
  });
});
