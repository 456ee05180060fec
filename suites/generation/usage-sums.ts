import {
  assumeServed,
  at,
  type Exchange,
  expect,
  expectValue,
  generatedText,
  isObject,
  NothingToJudge,
  numberAt,
  outputTokens,
  protocolModules,
  type StreamingProtocol,
  usage,
} from '../../harness/index.ts';

/** Judges that the total of a usage is the sum of its parts. A usage without either says nothing. */
export function expectSum(answer: Exchange, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const { total, parts, optional } = sumOf(protocol);
  const counts = usage(answer);
  const reported = numberAt(counts, total);
  const needed = parts.filter((part) => !optional.includes(part));
  if (reported === null || needed.some((part) => numberAt(counts, part) === null)) {
    throw new NothingToJudge(`the usage does not show ${[...needed, total].join(', ')}`);
  }
  const as = `${total} = ${parts.join(' + ')}`;
  expectValue(reported, { as, of: answer }).toEqual(sum(counts, parts));
}

function sumOf(protocol: StreamingProtocol) {
  const { member, total } = protocolModules[protocol].usage;
  if (total === null) throw new NothingToJudge(`the usage of ${protocol} has no total`);
  return {
    member,
    total: total.member,
    parts: total.parts.map((part) => part.member),
    optional: total.parts.filter((part) => part.optional).map((part) => part.member),
  };
}

/** What is left out is 0. */
function sum(counts: unknown, parts: readonly string[]): number {
  return parts.reduce((so, part) => so + (numberAt(counts, part) ?? 0), 0);
}

/**
 * Judges the same of a baseline answer, where a count that is not sent is 0. A total that is not sent, or
 * that is no number, is no wrong sum.
 */
export function expectTotalAddsUp(answer: Exchange, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const { member, total, parts } = sumOf(protocol);
  const addsUp = (body: unknown): boolean => {
    const counts = at(body, member);
    const reported = isObject(counts) ? numberAt(counts, total) : null;
    return reported === null || reported === sum(counts, parts);
  };
  expect(answer).toHave(`${member}.${total} = ${parts.join(' + ')}`, addsUp, (body) =>
    at(body, member),
  );
}

/** Judges that the usage of an answer with text, where it counts the output, does not count nothing. */
export function expectOutputCounted(answer: Exchange): void {
  assumeServed(answer);
  if (generatedText(answer) === '') throw new NothingToJudge('no text was generated');
  const count = outputTokens(answer);
  if (count === null) throw new NothingToJudge('the answer shows no count of its output');
  expectValue(count, { as: 'tokens of the output, by the usage', of: answer }).toBeMoreThan(0);
}
