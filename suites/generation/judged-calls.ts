import {
  answerOf,
  assumeServed,
  calledFunction,
  contentOf,
  type Exchange,
  Inconclusive,
  json,
  NothingToJudge,
  protocolModules,
  type StreamingProtocol,
  streamingProtocols,
  violations,
} from '../../harness/index.ts';

// Reads the calls of an answer, from one JSON body or a stream.

/**
 * Returns the calls of an answer, in the form of its protocol.
 *
 * @throws {Inconclusive | NothingToJudge} without one
 */
export function callsOf(answer: Exchange, protocol: StreamingProtocol): readonly unknown[] {
  assumeServed(answer);
  const calls = contentOf(answer).items.flatMap(protocolModules[protocol].tools.callsIn);
  if (calls.length === 0) throw noCall(answer, protocol);
  return calls;
}

type MadeCall = ReturnType<typeof contentOf>['toolCalls'][number];

/** Returns the calls of an answer in the common form of all protocols. */
export function readCallsOf(answer: Exchange, protocol: StreamingProtocol) {
  callsOf(answer, protocol);
  assumeWhole(answer, protocol);
  return contentOf(answer).toolCalls;
}

/**
 * Returns the error for an answer without a call. A model may well answer in text; the requirement
 * `generation/asked.supported-served` judges if it was offered the function.
 */
function noCall(exchange: Exchange, protocol: StreamingProtocol): Inconclusive | NothingToJudge {
  const end = contentOf(exchange).ending;
  const reason = `the model made no call: it ended with ${end}`;
  if (end !== protocolModules[protocol].endings.limit) return new NothingToJudge(reason);
  return new Inconclusive(`${reason}; raise \`limits.maxOutputTokens\``, exchange);
}

/** @throws {Inconclusive} if the limit cut the answer in the middle of a call */
function assumeWhole(answer: Exchange, protocol: StreamingProtocol): void {
  if (contentOf(answer).ending !== protocolModules[protocol].endings.limit) return;
  if (
    contentOf(answer).toolCalls.every(({ arguments: text }) =>
      json.isObject(json.parsed(text || '{}')),
    )
  )
    return;
  throw new Inconclusive('the call was cut at the output limit', answer);
}

/** Returns the problem with the form of an answer's calls, or null if it has calls and all are well formed. */
export function problemOf(answer: Exchange, protocol: StreamingProtocol): string | null {
  assumeServed(answer);
  const { callsIn, schema, argumentsText } = protocolModules[protocol].tools;
  const calls = contentOf(answer).items.flatMap(callsIn);
  if (calls.length === 0) {
    const foreign = foreignCall(answer, protocol);
    if (foreign !== null) return `a call in the form of ${foreign}`;
    const end = contentOf(answer).ending;
    if (end !== null && speakingOfCalls.has(end)) return `no call, though it ended with ${end}`;
    throw noCall(answer, protocol);
  }
  for (const call of calls) {
    const [wrong] = violations(schema, call);
    if (wrong !== undefined) return `${wrong.path} ${wrong.problem}`.trim();
    if (hasObject(call, argumentsText)) continue;
    assumeWhole(answer, protocol);
    return `arguments that are no object: ${JSON.stringify(call)}`;
  }
  return null;
}

const speakingOfCalls: ReadonlySet<string> = new Set(['tool_use', 'tool_calls', 'function_call']);

/** Returns the protocol of a call that occurs anywhere in an answer of another protocol, or null. */
function foreignCall(answer: Exchange, own: StreamingProtocol): StreamingProtocol | null {
  const others = streamingProtocols.filter((protocol) => protocol !== own);
  for (const value of valuesIn([answerOf(answer).value, contentOf(answer).items])) {
    const found = others.find((protocol) => protocolModules[protocol].tools.isCall(value));
    if (found !== undefined) return found;
  }
  return null;
}

/** Yields a value and everything nested in it. */
function* valuesIn(value: unknown): Generator<unknown> {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    yield next;
    if (typeof next === 'object' && next !== null) left.push(...Object.values(next));
  }
}

/** True if the arguments of a call are an object, or the JSON text of one. */
function hasObject(call: unknown, argumentsText: string | null): boolean {
  return argumentsText === null || json.isObject(json.parsed(String(json.at(call, argumentsText))));
}

/** Returns the name of the required argument that a call lacks, or null. */
export function missingArgument({ arguments: text }: MadeCall): string | null {
  const given = json.parsed(text === '' ? '{}' : text);
  for (const name of calledFunction.definition.parameters.required) {
    const value = json.at(given, name);
    if (typeof value !== 'string' || value === '') return `no text in "${name}": ${text}`;
  }
  return null;
}

/** Returns the argument that the model has to copy verbatim; null if it is not a text. */
export function constantOf({ arguments: text }: MadeCall): string | null {
  const value = json.at(json.parsed(text), 'terms');
  return typeof value === 'string' ? value : null;
}

/** True if a text is the constant with lost or duplicated pieces. A model that paraphrases it changes words instead. */
export function isDamaged(said: string): boolean {
  if (said === calledFunction.terms) return false;
  if (isWithin(said, calledFunction.terms) || isSpliced(said)) return true;
  const words = new Set(wordsOf(calledFunction.terms));
  return isWithin(calledFunction.terms, said) && wordsOf(said).every((word) => words.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** True if a text consists of a start and an end of the constant, with nothing else between them. */
function isSpliced(said: string): boolean {
  const begins = sameCharacters(said, calledFunction.terms);
  const ends = sameCharacters(
    [...said].reverse().join(''),
    [...calledFunction.terms].reverse().join(''),
  );
  return begins > 0 && ends > 0 && begins + ends >= said.length;
}

/** Returns the length of the common prefix of two texts. */
function sameCharacters(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** True if the characters of one text occur in the other in the same order. */
function isWithin(part: string, whole: string): boolean {
  let place = 0;
  for (const character of part) {
    place = whole.indexOf(character, place) + 1;
    if (place === 0) return false;
  }
  return part !== '';
}

/** True if a text consists of several concatenated JSON objects. */
export function isSeveralObjects(text: string): boolean {
  const ends = [...text.matchAll(/\}(?=\s*\{)/g)].map(({ index }) => index + 1);
  return ends.some((end) => json.isObject(json.parsed(text.slice(0, end))));
}
