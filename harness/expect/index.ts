/** The door of this room: expectations on exchanges, what answers say, stream grammars, schemas. */

export {
  answerId,
  type Content,
  contentOf,
  ending,
  errorBody,
  generatedText,
  hasGeneratedContent,
  inputTokens,
  isEnveloped,
  jsonBody,
  nativeBody,
  outputItems,
  outputTokens,
  promptTokens,
  thoughtTokens,
  tokenCount,
  toolCalls,
  usage,
} from './content.ts';
export { textOfItem } from './content-responses.ts';
export { type BodyKind, bodyKind } from './endpoint.ts';
export type { ErrorBody } from './error-body.ts';
export { type ExchangeExpectation, expect, mustBeServed } from './expect.ts';
export { ExpectationFailed, Inconclusive } from './failure.ts';
export { type FollowOptions, findingsOf, responsesFindings } from './follow.ts';
export type { Findings, ToolCall, Violation } from './grammar.ts';
export { at, isObject, listAt, numberAt, parsed, textAt } from './json-value.ts';
export { isLost, lostBecause, undecidedBecause } from './judged.ts';
export { isRefused, isUnavailable } from './refused.ts';
export { type SchemaId, schemaIds, violations } from './schemas.ts';
export { isServed } from './served.ts';
export { turnsOf } from './turns.ts';
export { expectValue } from './value.ts';
export { outcome, requestInWords } from './wording.ts';
