import {
  assumeServed,
  contentOf,
  type Exchange,
  expect,
  expectValue,
  json,
  NothingToJudge,
  protocolModules,
  type StreamingProtocol,
  tokenCounts,
} from '../../harness/index.ts';

/** Judges that the total of a usage is the sum of its parts. A usage without either proves nothing. */
export function expectSum(answer: Exchange, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const { total, parts } = sumOf(protocol);
  const { counts, reported } = countsIn(answer, protocol);
  const least = sum(counts, parts);
  const as = `${total} = ${parts.join(' + ')}`;
  const about = { as, of: answer };
  if (hidesTokens(counts, protocol)) {
    expectValue(reported, about).toBe(`${least} at least`, () => reported >= least);
  } else {
    expectValue(reported, about).toEqual(least);
  }
}

/**
 * Returns the counts of a usage and its total.
 *
 * @throws {NothingToJudge} if one of them is missing
 */
function countsIn(answer: Exchange, protocol: StreamingProtocol) {
  const { total, parts, optional } = sumOf(protocol);
  const counts = contentOf(answer).usage;
  const reported = json.number(counts, total);
  const needed = parts.filter((part) => !optional.includes(part));
  if (reported === null || needed.some((part) => json.number(counts, part) === null)) {
    throw new NothingToJudge(`the usage does not show ${[...needed, total].join(', ')}`);
  }
  return { counts, reported };
}

/** True if the usage may omit a nonzero count that its total includes. */
function hidesTokens(counts: unknown, protocol: StreamingProtocol): boolean {
  return protocolModules[protocol].usage.outputBeside.some(
    (name) => json.number(counts, name) === null,
  );
}

/** Judges that a total that exceeds its parts shows all of them. */
export function expectNothingHidden(answer: Exchange, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const { total, parts } = sumOf(protocol);
  const { counts, reported } = countsIn(answer, protocol);
  if (!hidesTokens(counts, protocol)) return;
  const as = `${total}, where ${parts.join(' + ')} are ${sum(counts, parts)}`;
  expectValue(reported, { as, of: answer }).toBeAtMost(sum(counts, parts));
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

/** Adds up counts; a missing count is 0. */
function sum(counts: unknown, parts: readonly string[]): number {
  return parts.reduce((so, part) => so + (json.number(counts, part) ?? 0), 0);
}

/**
 * Judges the sum in a baseline answer, where a missing count is 0. A total that is missing, or not a number, is not
 * a wrong sum.
 */
export function expectTotalAddsUp(answer: Exchange, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const { member, total, parts } = sumOf(protocol);
  const addsUp = (body: unknown): boolean => {
    const counts = json.at(body, member);
    const reported = json.isObject(counts) ? json.number(counts, total) : null;
    const least = sum(counts, parts);
    if (reported === null || reported === least) return true;
    return hidesTokens(counts, protocol) && reported > least;
  };
  expect(answer).toHave(`${member}.${total} = ${parts.join(' + ')}`, addsUp, (body) =>
    json.at(body, member),
  );
}

/** Judges that no partial count exceeds its whole, if both are shown. */
export function expectPartsWithin(answer: Exchange, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const counts = contentOf(answer).usage;
  const shown = protocolModules[protocol].usage.within.flatMap(({ part, whole }) => {
    const [least, most] = [json.number(counts, part), json.number(counts, whole)];
    return least === null || most === null ? [] : [{ part, whole, least, most }];
  });
  if (shown.length === 0) throw new NothingToJudge('the usage shows no part of a count');
  for (const { part, whole, least, most } of shown) {
    expectValue(least, { as: `${part}, a part of ${whole}`, of: answer }).toBeAtMost(most);
  }
}

/** Judges that an answer with text does not report an output of 0 tokens. */
export function expectOutputCounted(answer: Exchange): void {
  if (contentOf(answer).text === '') throw new NothingToJudge('no text was generated');
  assumeServed(answer);
  const count = tokenCounts.output(answer);
  if (count === null) throw new NothingToJudge('the answer shows no count of its output');
  const at = tokenCounts.placeOf(answer, 'output');
  expectValue(count, { as: 'tokens of the output, by the usage', of: answer, at }).toBeMoreThan(0);
}

/** Judges that an answer does not report an input of 0 tokens. */
export function expectInputCounted(answer: Exchange): void {
  assumeServed(answer);
  const count = tokenCounts.prompt(answer);
  if (count === null) throw new NothingToJudge('the answer shows no count of its input');
  const at = tokenCounts.placeOf(answer, 'input');
  expectValue(count, { as: 'tokens of the input, by the usage', of: answer, at }).toBeMoreThan(0);
}
