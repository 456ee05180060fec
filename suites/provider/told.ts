import {
  assumeAsked,
  type HeardRequest,
  type Join,
  played,
} from '../../harness/features/provider/index.ts';
import {
  type Exchange,
  ExpectationFailed,
  Inconclusive,
  lostBecause,
} from '../../harness/index.ts';

/** Fails unless a value is as expected. @param exchange that shows it */
export function expectSame(
  what: string,
  actual: unknown,
  expected: unknown,
  exchange: Exchange,
): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new ExpectationFailed(
    `${what} ${inShort(expected)}`,
    typeof actual === 'string' && typeof expected === 'string'
      ? differing(actual, expected)
      : inShort(actual),
    exchange,
  );
}

/** Fails unless a statement holds. */
export function expectThat(
  holds: boolean,
  expected: string,
  actual: string,
  exchange: Exchange,
): void {
  if (!holds) throw new ExpectationFailed(expected, actual, exchange);
}

/** Returns a value in at most 200 letters. */
export function inShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Returns where two texts differ first, with a few letters around. */
function differing(actual: string, expected: string): string {
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) at++;
  const around = (text: string): string =>
    JSON.stringify(text.slice(Math.max(0, at - 10), at + 20));
  return `a text that differs at letter ${at}: ${around(actual)}, and not ${around(expected)}`;
}

/** The request of the gateway that its provider accepted, the last if there are several. */
export function acceptedOf(join: Join): Exchange {
  assumeAsked(join);
  const accepted = join.back.findLast(({ response }) => response === null || response.status < 300);
  if (accepted === undefined) {
    throw new Inconclusive(
      'the provider refused the request: provider/asked.native-body says why',
      join.back.at(-1) ?? join.front,
    );
  }
  return accepted;
}

/** @throws {Inconclusive} unless the front served the answer of the provider */
export function assumeTold(join: Join): Exchange {
  acceptedOf(join);
  const { front } = join;
  const status = front.response?.status ?? 0;
  if (status < 200 || status >= 300 || front.failure !== null) {
    throw new Inconclusive(
      `the gateway did not serve the answer of its provider${lostBecause(front)}`,
      front,
    );
  }
  return front;
}

/** Reads a request of the gateway as its provider does. */
export function heardIn({ route }: Join, { request }: Exchange): HeardRequest {
  return played[route.asks].heard(JSON.parse(Buffer.from(request.body ?? []).toString() || '{}'));
}
