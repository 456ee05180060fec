// The model behind the gateway: it reads a neutral request, and plans a whole answer in tokens.

import { setTimeout as wait } from 'node:timers/promises';

/** Splits a text into tokens of up to eight characters, each with the space before it. */
export function tokensOf(text) {
  return text.match(/\s*\S{1,8}|\s+$/gu) ?? [];
}

export function count(text) {
  return tokensOf(text).length;
}

const imageTokens = 85;
const turnTokens = 3;

/** Counts the input of a neutral request: its turns, its tools and its schema. */
export function countInput({ turns, tools = [], schema = null }) {
  const said = turns.reduce(
    (sum, { text, images = 0 }) => sum + turnTokens + count(text) + images * imageTokens,
    0,
  );
  const offered = tools.reduce((sum, tool) => sum + count(JSON.stringify(tool)), 0);
  return said + offered + (schema === null ? 0 : count(JSON.stringify(schema)));
}

const filler =
  'lantern copper marble ribbon harbour thistle velvet orchard pebble cinder saddle walnut glacier meadow'.split(
    ' ',
  );

const wordsWanted = /(\d+)\s+(?:words|Wörtern?|mots|palabras|parole|palavras|woorden)/u;
const numbers =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** Returns the longest word of the last line of a text: what the answer is about. */
function subjectOf(text) {
  const words = (text.split('\n').at(-1) ?? '').match(/[\p{L}\p{M}]+/gu) ?? ['nothing'];
  return words.reduce((longest, word) => (word.length >= longest.length ? word : longest), '');
}

function proseFor(text, candidate) {
  if (/from one to twenty/.test(text)) return numbers.join('\n');
  const wanted = Number(wordsWanted.exec(text)?.[1] ?? 8);
  const beyond = /Say (.*), too\./u.exec(text)?.[1];
  const words = [subjectOf(text), ...(beyond === undefined ? [] : [beyond])];
  for (let n = 0; words.length < Math.min(wanted, 20_000); n++) {
    words.push(filler[(n * 5 + candidate + text.length) % filler.length]);
  }
  return `${words.join(' ')}.`;
}

/** Makes a value that a JSON schema accepts. */
function valueFor(schema, name, subject) {
  const [first] = schema?.enum ?? [];
  if (first !== undefined) return first;
  switch (String(schema?.type ?? 'string').toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, value]) => [
          key,
          valueFor(value, key, subject),
        ]),
      );
    case 'array':
      return [valueFor(schema.items, name, subject)];
    case 'integer':
    case 'number':
      return 7;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return subject;
  }
}

/** Returns the calls that a request is answered with: one for each of the last two names of its question. */
function callsFor({ turns, tools, choice, parallel }) {
  const named = tools.find(({ name }) => name === choice?.name) ?? tools[0];
  const asked = turns.findLast(({ by }) => by === 'user')?.text ?? '';
  const names = asked.match(/(?<=\s)\p{Lu}\p{L}+/gu) ?? [];
  const subjects = [...new Set(names)].slice(-2);
  if (subjects.length === 0) subjects.push(subjectOf(asked));
  return (parallel ? subjects : subjects.slice(0, 1)).map((subject) => ({
    name: named.name,
    arguments: JSON.stringify(valueFor(named.parameters ?? { type: 'object' }, '', subject)),
  }));
}

function makesCall({ turns, tools, choice }) {
  if (tools.length === 0 || choice === 'none') return false;
  return choice === 'required' || choice?.name !== undefined || turns.at(-1)?.by === 'user';
}

/** Cuts a text before the first stop sequence in it. */
function cutAt(text, stops, isShown) {
  const found = stops
    .filter((stop) => stop !== '' && text.includes(stop))
    .sort((one, other) => text.indexOf(one) - text.indexOf(other))[0];
  if (found === undefined) return { text, stop: null };
  const end = text.indexOf(found) + (isShown ? found.length : 0);
  return { text: text.slice(0, end), stop: found };
}

/**
 * Plans one candidate of the answer.
 *
 * @returns its items, each a list of tokens, and how it ends: `stop`, `sequence`, `limit` or `calls`
 */
export function plan(request, candidate = 0, faulty = () => false) {
  const { turns, schema, stops = [], thinks = false } = request;
  const limit = request.limit ?? 4_096;
  const asked = turns.findLast(({ by }) => by === 'user')?.text ?? '';
  const items = [];
  let left = limit;
  let ending = 'stop';
  let stop = null;
  const put = (kind, text, more = {}) => {
    const tokens = tokensOf(text);
    if (tokens.length > left) ending = 'limit';
    items.push({ kind, ...more, tokens: tokens.slice(0, left) });
    left -= Math.min(left, tokens.length);
  };
  if (thinks) {
    put('thought', `Think of ${subjectOf(asked)} for a while.`);
    if (faulty('thoughts-beyond-limit')) left = limit;
  }
  if (ending !== 'limit' && makesCall(request)) {
    ending = 'calls';
    for (const { name, arguments: text } of callsFor(request)) put('call', text, { name });
  } else if (ending !== 'limit') {
    const whole =
      schema == null
        ? proseFor(asked, candidate)
        : JSON.stringify(
            valueFor(schema, '', /Give (\p{L}+)/u.exec(asked)?.[1] ?? subjectOf(asked)),
          );
    const cut = cutAt(whole, stops, faulty('stop-sequence-shown'));
    stop = cut.stop;
    if (stop !== null) ending = 'sequence';
    put('text', cut.text);
    if (ending === 'limit') stop = null;
  }
  return { items, ending, stop };
}

/** Plans all candidates of a request, and counts its input. */
export function answer(request, faulty) {
  const candidates = Array.from({ length: request.candidates ?? 1 }, (_, n) =>
    plan(request, n, faulty),
  );
  return { candidates, input: countInput(request) };
}

export function outputOf({ items }, kind) {
  return items
    .filter((item) => kind === undefined || item.kind === kind)
    .reduce((sum, { tokens }) => sum + tokens.length, 0);
}

/** Log probability of a token, as Responses and Chat Completions write it. */
export function logprobOf(token, likely) {
  const one = (text, logprob) => ({ token: text, logprob, bytes: [...Buffer.from(text)] });
  const others = Array.from({ length: likely }, (_, n) =>
    one(n === 0 ? token : `${token}${n}`, -0.1 - n),
  );
  return { ...one(token, -0.1), top_logprobs: others };
}

/** Takes the time in which a model makes a token. */
export function tick() {
  return wait(2);
}
