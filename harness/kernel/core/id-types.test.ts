import { expectTypeOf, test } from 'vitest';
import type { AxisValueOf, CheckId, FirstOf, RequirementOver, SecondOf } from './id-types.ts';
import type { Protocol } from './protocol.ts';

// The compiler is the test: `npm run typecheck` fails where one of these is not so.

test('a check has the id of its row, or that with a value of its axis', () => {
  expectTypeOf<'storage/responses.lookup-served'>().toExtend<CheckId>();
  expectTypeOf<'storage/responses.false-denies:lookup'>().toExtend<CheckId>();
  // @ts-expect-error A rule with a typing mistake.
  expectTypeOf<'storage/responses.lookup-servd'>().toExtend<CheckId>();
  // @ts-expect-error A row with an axis has no check without a value.
  expectTypeOf<'storage/responses.false-denies'>().toExtend<CheckId>();
  // @ts-expect-error A value that its axis has not.
  expectTypeOf<'storage/responses.false-denies:lookpu'>().toExtend<CheckId>();
});

test('the values of an axis, and both halves of a product', () => {
  type Value = AxisValueOf<'access/credentials.own-header-decides'>;
  expectTypeOf<FirstOf<Value>>().toEqualTypeOf<'responses' | 'messages' | 'generative'>();
  expectTypeOf<SecondOf<Value>>().toEqualTypeOf<'bearer' | 'x-api-key' | 'vendorb-api-key'>();
});

test('rows over some values', () => {
  expectTypeOf<'access/credentials.altered-key-refused'>().not.toExtend<
    RequirementOver<Protocol>
  >();
  expectTypeOf<'access/protocols.declared-served'>().toExtend<RequirementOver<Protocol>>();
});
