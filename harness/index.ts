/** The only door for suites: what a check file needs, and nothing else. */

import {
  asks,
  at,
  isObject,
  listAt,
  numberAt,
  parsed,
  protocolOfEndpoint,
  protocolOfForm,
  textAt,
} from './kernel/core/index.ts';
import { inventedWords, wordsOfTexts } from './kernel/drawn/index.ts';
import { arrayAt, designAt } from './kernel/engine/index.ts';
import { keysShown, shownBy, textsIn } from './kernel/judge/index.ts';
import { covering, requestModes } from './kernel/model/index.ts';
import {
  askedValues,
  featuredRequest,
  fieldsAt,
  foreignHeaders,
  isSought,
  merged,
  ownCredential,
  protocolOfEvent,
  saidBy,
} from './kernel/protocols/index.ts';
import { readingsOf } from './kernel/redaction/index.ts';

export {
  type Ask,
  type Capability,
  type Exchange,
  each,
  eachStream,
  over,
  type Protocol,
  protocols,
  type RequirementOver,
  type StreamingProtocol,
  servedNote,
  streamingProtocols,
} from './kernel/core/index.ts';
export {
  type Captures,
  type Cost,
  cheaperElsewhere,
  check,
  type Everywhere,
  everywhere,
  type Io,
  idOf,
  type JudgeContext,
  lossOfService,
  mostPolls,
  type Needs,
  responsesIn,
  type Scenario,
  scenario,
  type Variation,
  type View,
  view,
  type WholeRun,
} from './kernel/engine/index.ts';
export {
  asksForResponse,
  asksForStream,
  assumeServed,
  blockPage,
  byAnotherChannel,
  ExpectationFailed,
  expect,
  expectValue,
  findingsOf,
  Inconclusive,
  isCarriedOut,
  isRefused,
  isServed,
  isUnserved,
  judgeByFirst,
  judgeEach,
  lostBecause,
  NothingToJudge,
  outcome,
  redirectedTo,
  requestInWords,
  responsesFindings,
  turnsOf,
} from './kernel/judge/index.ts';
export type { Cell, CreationMode, StoredOperationName } from './kernel/model/index.ts';
export {
  actRequest,
  answerOf,
  asksToGenerate,
  baseUrlOf,
  type Call,
  type CallOptions,
  calledFunction,
  contentOf,
  creations,
  decoded,
  type EndpointName,
  endpointNames,
  endpointOf,
  endpoints,
  endsTurn,
  errorBody,
  type Fields,
  type GrammarRule,
  generationsIn,
  hasGeneratedContent,
  nativeBody,
  nextPage,
  protocolModules,
  protocolOf,
  textOfItem,
  tokenCounts,
  viewOf,
  violations,
} from './kernel/protocols/index.ts';
export { type Model, permittedKeys, type Target } from './kernel/targets/index.ts';
export { headerValues, remembered, text } from './kernel/wire/index.ts';

/** Readers of JSON of unknown shape, by paths like `output[0].text`. */
export const json = { at, isObject, list: listAt, number: numberAt, parsed, text: textAt };

/** Places of keys in requests and answers. */
export const credentials = { isSought, own: ownCredential, foreignHeaders, shownIn: keysShown };

/** Texts of the run, and what an answer shows of them. */
export const prose = { inventedWords, textsIn, readingsOf, wordsOfTexts };

/** Covering designs, and what they choose at a target. */
export const designs = { covering, arrayAt, actsAt: designAt, requestModes };

/** The protocol of an endpoint, of the form of an answer, or of an event. */
export const protocolBy = {
  endpoint: protocolOfEndpoint,
  form: protocolOfForm,
  event: protocolOfEvent,
};

/** Features that a request may ask for: names, values, and what an answer shows of them. */
export const optionalFeatures = {
  names: asks,
  values: askedValues,
  saidBy,
  shownBy,
  request: featuredRequest,
};

/** Members of request bodies. */
export const fields = { at: fieldsAt, merged };
