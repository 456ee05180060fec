import {
  assumeServed,
  at,
  calledFunction,
  constantArgument,
  type Exchange,
  ending,
  Inconclusive,
  isObject,
  jsonBody,
  NothingToJudge,
  outputItems,
  parsed,
  protocolModules,
  type StreamingProtocol,
  streamingProtocols,
  type ToolCall,
  toolCalls,
  violations,
} from '../../harness/index.ts';

// The calls of an answer, whether they came in one body or were put together from a stream.

/** The calls of an answer, in the form of its protocol. @throws {Inconclusive | NothingToJudge} without one */
export function callsOf(answer: Exchange, protocol: StreamingProtocol): readonly unknown[] {
  assumeServed(answer);
  const calls = outputItems(answer).flatMap(protocolModules[protocol].tools.callsIn);
  if (calls.length === 0) throw noCall(answer, protocol);
  return calls;
}

/** Returns the calls of an answer in the common form of all protocols. */
export function readCallsOf(answer: Exchange, protocol: StreamingProtocol): readonly ToolCall[] {
  callsOf(answer, protocol);
  assumeWhole(answer, protocol);
  return toolCalls(answer);
}

/**
 * A model may well answer in text: whether it has been told of the function is judged by itself
 * (`generation/asked.supported-served`).
 */
function noCall(exchange: Exchange, protocol: StreamingProtocol): Inconclusive | NothingToJudge {
  const end = ending(exchange);
  const reason = `the model made no call: it ended with ${end}`;
  if (end !== protocolModules[protocol].endings.limit) return new NothingToJudge(reason);
  return new Inconclusive(`${reason}; raise \`limits.maxOutputTokens\``, exchange);
}

/** @throws {Inconclusive} when the limit cut the answer in the middle of a call */
function assumeWhole(answer: Exchange, protocol: StreamingProtocol): void {
  if (ending(answer) !== protocolModules[protocol].endings.limit) return;
  if (toolCalls(answer).every(({ arguments: text }) => isObject(parsed(text || '{}')))) return;
  throw new Inconclusive('the call was cut at the output limit', answer);
}

/**
 * Returns the problem in the form of the calls of an answer, or null if there are calls and all are well
 * formed.
 */
export function problemOf(answer: Exchange, protocol: StreamingProtocol): string | null {
  assumeServed(answer);
  const { callsIn, schema, argumentsText } = protocolModules[protocol].tools;
  const calls = outputItems(answer).flatMap(callsIn);
  if (calls.length === 0) {
    const foreign = foreignCall(answer, protocol);
    if (foreign !== null) return `a call in the form of ${foreign}`;
    const end = ending(answer);
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

/** Endings of an answer that has made a call. */
const speakingOfCalls: ReadonlySet<string> = new Set(['tool_use', 'tool_calls', 'function_call']);

/** The protocol whose form a call has that stands anywhere in an answer of another. */
function foreignCall(answer: Exchange, own: StreamingProtocol): StreamingProtocol | null {
  const others = streamingProtocols.filter((protocol) => protocol !== own);
  for (const value of valuesIn([jsonBody(answer), outputItems(answer)])) {
    const found = others.find((protocol) => protocolModules[protocol].tools.isCall(value));
    if (found !== undefined) return found;
  }
  return null;
}

/** A value and all that stands in it, however deep. */
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
  return argumentsText === null || isObject(parsed(String(at(call, argumentsText))));
}

/** Returns the required argument that a call lacks, in words, or null. */
export function missingArgument({ arguments: text }: ToolCall): string | null {
  const given = parsed(text === '' ? '{}' : text);
  for (const name of calledFunction.parameters.required) {
    const value = at(given, name);
    if (typeof value !== 'string' || value === '') return `no text in "${name}": ${text}`;
  }
  return null;
}

/** The argument that has to be said word for word, as a call has it; null when it is no text. */
export function constantOf({ arguments: text }: ToolCall): string | null {
  const value = at(parsed(text), 'terms');
  return typeof value === 'string' ? value : null;
}

/**
 * True if a text is the constant with pieces lost or doubled. A model that paraphrases it changes words
 * instead.
 */
export function isDamaged(said: string): boolean {
  if (said === constantArgument) return false;
  if (isWithin(said, constantArgument) || isSpliced(said)) return true;
  const words = new Set(wordsOf(constantArgument));
  return isWithin(constantArgument, said) && wordsOf(said).every((word) => words.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** True if a text is made of a beginning and an end of the constant, with nothing of its own between them. */
function isSpliced(said: string): boolean {
  const begins = sameCharacters(said, constantArgument);
  const ends = sameCharacters(
    [...said].reverse().join(''),
    [...constantArgument].reverse().join(''),
  );
  return begins > 0 && ends > 0 && begins + ends >= said.length;
}

/** Returns the number of characters that both texts begin with. */
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

/** True if a text is several JSON objects in a row. */
export function isSeveralObjects(text: string): boolean {
  const ends = [...text.matchAll(/\}(?=\s*\{)/g)].map(({ index }) => index + 1);
  return ends.some((end) => isObject(parsed(text.slice(0, end))));
}
