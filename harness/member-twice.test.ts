import { expect, test } from 'vitest';
import { memberTwice } from '../suites/everywhere/member-twice.ts';

test.for([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', null],
  ['{"a":"\\"a\\":1, {","b":"}"}', null],
  ['[]', null],
  ['"a"', null],
  ['{"a":1,"b":{"c":[{"d":1}],"c":2}}', 'c'],
  ['{"a":1, "\\u0061" : 2}', 'a'],
  ['[{"id":1},{"id":2,"id":3}]', 'id'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
] as const)('%s', ([text, twice]) => {
  expect(memberTwice(text)).toBe(twice);
});
