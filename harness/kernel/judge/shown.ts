import { type Ask, type Exchange, parsed, type StreamingProtocol } from '../core/index.ts';
import {
  askedValues,
  protocolModules,
  type Said,
  saidBy,
  tokenCounts,
  violationInWords,
  violationsOf,
} from '../protocols/index.ts';
import { byAnotherChannel } from './counts.ts';
import { cutAround } from './wording.ts';

/** Evidence that the gateway applied a feature. `open`: the generated text proves nothing. */
type Shown =
  | { readonly state: 'done' }
  | { readonly state: 'not done'; readonly expected: string; readonly actual: string }
  | { readonly state: 'open'; readonly why: string };

const { candidates, likelyTokens, schema, stopSequences } = askedValues;

const lastBeforeStop = /(six|6)\W*$/i;

const done: Shown = { state: 'done' };

/**
 * Returns the evidence in a served answer.
 *
 * @param without the answer to the same request without the feature
 */
export function shownBy(
  answer: Exchange,
  ask: Ask,
  protocol: StreamingProtocol,
  without: Exchange | null,
): Shown {
  const said = saidBy(answer);
  switch (ask) {
    case 'candidates':
      return candidatesIn(said);
    case 'images':
      return imageIn(answer, without);
    case 'stop':
      return ofEach(said, (one) => stopIn(one, protocol));
    case 'structured_output':
      return ofEach(said, (one) => structureIn(one, protocol));
    case 'logprobs':
      return ofEach(said, logprobsIn);
  }
}

/** Joins the evidence of several answers: one without it decides. */
function ofEach(said: readonly Said[], judge: (one: Said) => Shown): Shown {
  const all = said.map(judge);
  return (
    all.find(({ state }) => state === 'not done') ??
    all.find(({ state }) => state === 'open') ??
    all[0] ?? { state: 'open', why: 'there is no answer in it' }
  );
}

function candidatesIn(said: readonly Said[]): Shown {
  if (said.length === candidates) return done;
  return notDone(`${candidates} choices or candidates`, String(said.length));
}

/** Judges by the input tokens, because every source counts an image as input. */
function imageIn(answer: Exchange, without: Exchange | null): Shown {
  const tokens = tokenCounts.prompt(answer);
  const fewer = without === null ? null : tokenCounts.prompt(without);
  if (tokens === null || fewer === null) return { state: 'open', why: 'no input is counted' };
  if (tokens > byAnotherChannel(fewer)) return done;
  if (tokens > fewer) return { state: 'open', why: 'two channels may differ by as many tokens' };
  return notDone(
    `more input tokens than without the image: more than ${fewer}`,
    `${tokens} input tokens`,
  );
}

function stopIn({ text, ending, stoppedAt }: Said, protocol: StreamingProtocol): Shown {
  const { stopSequence, complete, limit } = protocolModules[protocol].endings;
  const stop = stopSequences.find((one) => text.includes(one));
  if (stop !== undefined) {
    return notDone(`a text that ends before “${stop}”`, `it goes on: ${cutAround(text, stop)}`);
  }
  if (ending === limit || !lastBeforeStop.test(text)) {
    return { state: 'open', why: 'the text ended before it came to a stop sequence' };
  }
  if (ending !== stopSequence) return notDone(`an end with ${stopSequence}`, String(ending));
  // A protocol whose stop sequences end an answer like any other end names none.
  if (stopSequence === complete || stopSequences.some((one) => one === stoppedAt)) return done;
  return notDone('the stop sequence that was met', String(stoppedAt));
}

/** Accepts a valid part as well, because a gateway may add a message to the text. */
function structureIn({ text, parts, ending }: Said, protocol: StreamingProtocol): Shown {
  if (text === '') return { state: 'open', why: 'there is no text in it' };
  const [wrong] = violationsOf(schema, parsed(text));
  const fits = (part: string): boolean => violationsOf(schema, parsed(part)).length === 0;
  if (wrong === undefined || parts.some(fits)) return done;
  if (ending === protocolModules[protocol].endings.limit) {
    return { state: 'open', why: 'the text came to its limit before its end' };
  }
  const problem = parsed(text) === undefined ? 'no JSON' : violationInWords(wrong);
  return notDone(
    'a text that is JSON by the schema of the request',
    `${problem}: ${JSON.stringify(text)}`,
  );
}

function logprobsIn({ text, logprobs }: Said): Shown {
  if (text === '') return { state: 'open', why: 'there is no text in it' };
  const expected = 'the log probability of each token';
  if (logprobs.length === 0) return notDone(expected, 'none');
  const wrong = logprobs.find(
    ({ token, logprob, likely }) =>
      token === null || logprob === null || (likely ?? 0) > likelyTokens,
  );
  if (wrong !== undefined) {
    return notDone(`${expected}, and ${likelyTokens} likely ones at most`, JSON.stringify(wrong));
  }
  return done;
}

function notDone(expected: string, actual: string): Shown {
  return { state: 'not done', expected, actual };
}
