import {
  at,
  check,
  expect,
  expectValue,
  jsonBody,
  listAt,
  mustBeServed,
  NothingToJudge,
} from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';
import { strayPaths } from './paths.ts';

check('generative/generate.shape', ordinary['generate-content'], ({ ordinary }) => {
  expect(ordinary).toMatchSchema('generative/response');
});

const finishReasons = [
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'IMAGE_SAFETY',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_OTHER',
  'NO_IMAGE',
  'IMAGE_RECITATION',
  'CONTINUATION',
  'MALFORMED_RESPONSE',
];

check('generative/generate.finish-reason', ordinary['generate-content'], (captured, { note }) => {
  const { ordinary } = captured;
  mustBeServed(ordinary);
  const candidates = listAt(jsonBody(ordinary), 'candidates');
  if (candidates.length === 0) throw new NothingToJudge('the prompt was blocked');
  for (const [index, candidate] of candidates.entries()) {
    const as = `candidates[${index}].finishReason`;
    const reason = at(candidate, 'finishReason');
    // An empty one means that the candidate is not finished.
    expectValue(reason, { as, of: ordinary }).toBe('a name', isName);
    if (!finishReasons.includes(String(reason))) note(`${as}: ${String(reason)}`, ordinary);
  }
});

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

check('generative/generate.unknown-action-refused', strayPaths, ({ control, unknownAction }) => {
  expect(unknownAction).toBeRefused({ control });
});
