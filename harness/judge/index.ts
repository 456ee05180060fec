/** The door of this room: expectations on exchanges, what answers say, stream grammars, schemas. */

export { at, isObject, listAt, numberAt, parsed, textAt } from '../core/json-value.ts';
export {
  answerId,
  contentOf,
  ending,
  errorBody,
  generatedText,
  hasGeneratedContent,
  inputTokens,
  isEnveloped,
  isEventStream,
  jsonBody,
  jsonValues,
  nativeBody,
  outputItems,
  outputTokens,
  promptTokens,
  saidBy,
  streamEvents,
  thoughtTokens,
  tokenCount,
  toolCalls,
  usage,
} from '../protocols/content.ts';
export type { ErrorBody } from '../protocols/error-body.ts';
export type { Findings, ToolCall, Violation } from '../protocols/grammar.ts';
export type { Content } from '../protocols/module.ts';
export { isEnvelopedRefusal } from '../protocols/native-body.ts';
export { textOfItem } from '../protocols/responses/content.ts';
export {
  placeOfViolation,
  type SchemaId,
  schemaIds,
  violationInWords,
  violations,
  violationsOf,
} from '../protocols/schemas.ts';
export { blockPage } from './block-page.ts';
export { byAnotherChannel, countsMore } from './counts.ts';
export { textsIn } from './denied.ts';
export { assumeServed, type ExchangeExpectation, expect } from './expect.ts';
export { ExpectationFailed, Inconclusive, NothingToJudge } from './failure.ts';
export { type FollowOptions, findingsOf, responsesFindings, type StreamRule } from './follow.ts';
export { isLost, lostBecause } from './judged.ts';
export { type JudgedPoints, judgeByFirst, judgeEach } from './points.ts';
export { isRefused } from './refused.ts';
export { asksForStream, isServed, isUnserved } from './served.ts';
export { type Shown, shownBy } from './shown.ts';
export { asksForResponse, turnsOf } from './turns.ts';
export { expectValue } from './value.ts';
export { outcome, requestInWords } from './wording.ts';
