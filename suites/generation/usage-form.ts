import {
  assumeServed,
  at,
  type Exchange,
  expectValue,
  isObject,
  jsonValues,
  protocolModules,
  type StreamingProtocol,
  usage,
} from '../../harness/index.ts';

/** Names of a usage in any protocol, in lower case and without underscores. */
const usageNames = ['usage', 'usagemetadata', 'tokenusage'];
const countNames = {
  input: ['inputtokens', 'inputtokencount', 'prompttokens', 'prompttokencount'],
  output: [
    'outputtokens',
    'outputtokencount',
    'completiontokens',
    'completiontokencount',
    'candidatestokens',
    'candidatestokencount',
  ],
};

/** Judges that an answer with a usage shows it in the documented place and form. */
export function expectNativeUsage(answer: Exchange, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const facts = protocolModules[protocol].usage;
  const elsewhere = answerParts(answer).flatMap((part) =>
    namesLike(part, usageNames).filter((name) => name !== facts.member),
  );
  const shown = usage(answer);
  if (shown === null) {
    const as = `members in the place of ${facts.member}`;
    expectValue(elsewhere, { as, of: answer }).toEqual([]);
    return;
  }
  for (const which of ['input', 'output'] as const) {
    const name = facts[which];
    if (at(shown, name) !== undefined) continue;
    const others = namesLike(shown, countNames[which]);
    const as = `members in the place of ${facts.member}.${name}`;
    expectValue(others, { as, of: answer }).toEqual([]);
  }
}

/** Returns the values that may hold a usage: the body, an event, and the answer in an event. */
function answerParts(answer: Exchange): readonly unknown[] {
  return jsonValues(answer).flatMap((value) => [
    value,
    at(value, 'response'),
    at(value, 'message'),
  ]);
}

function namesLike(part: unknown, names: readonly string[]): readonly string[] {
  if (!isObject(part)) return [];
  return Object.keys(part).filter((name) => names.includes(name.toLowerCase().replaceAll('_', '')));
}
