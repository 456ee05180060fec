import { clientObserved, headerOf, pathOf } from '../../harness/features/sessions/index.ts';
import {
  answerOf,
  asksToGenerate,
  contentOf,
  decoded,
  type Exchange,
  ExpectationFailed,
  NothingToJudge,
  type WholeRun,
} from '../../harness/index.ts';

// Judges the retries of unscripted clients by their requests and the answers that they got.

clientObserved('client/requests.model-id-encoded', {
  which: (exchange) => /\/models\/.+:[A-Za-z]+$/.test(pathOf(exchange)),
  judge: (exchange) => {
    const path = pathOf(exchange);
    const [, segment = ''] = /\/models\/(.+):[A-Za-z]+$/.exec(path) ?? [];
    if (segment.includes('/')) {
      throw new ExpectationFailed('the model id as one segment', path, exchange);
    }
    if (decoded(segment) === segment) throw new NothingToJudge('its id need not be encoded');
  },
});

/** Failures that leave a client uncertain if its request was executed. */
type Uncertain = 'reset' | 'no-answer' | 'cut-body' | 'cut-stream' | 'stall';

function uncertaintyOf(exchange: Exchange): Uncertain | null {
  const { response, failure } = exchange;
  const isLeft = failure?.kind === 'cut';
  if (!isLeft && failure?.kind !== 'reset') return null;
  if (response === null) return isLeft ? 'no-answer' : 'reset';
  if (Math.floor(response.status / 100) !== 2) return null;
  if (answerOf(exchange).form === 'events') return isLeft ? 'stall' : 'cut-stream';
  // A client that leaves in the middle of a body is not uncertain.
  return isLeft ? null : 'cut-body';
}

const asksOverHttp = (exchange: Exchange): boolean =>
  exchange.socket === null && asksToGenerate(exchange.about);

clientObserved.each('client/retries.none-when-uncertain', (value) => ({
  // The check depends on the way in which connections ended.
  observed: 'on the wire',
  which: (exchange) => asksOverHttp(exchange) && uncertaintyOf(exchange) === value,
  judge: (exchange, run) =>
    expectNotAgain(exchange, run, 'one generation, since nobody knows whether it was executed'),
}));

clientObserved.each('client/retries.none-at-all', (value) =>
  value === 'refused'
    ? null
    : {
        which: (exchange) => asksOverHttp(exchange) && exchange.response?.status === Number(value),
        judge: (exchange, run) =>
          expectNotAgain(exchange, run, 'one generation: zero automatic retries'),
      },
);

clientObserved('client/retries.lookup-before-resend', {
  observed: 'on the wire',
  which: (exchange) =>
    exchange.about.operation === 'responses.stream' && uncertaintyOf(exchange) !== null,
  judge: (exchange, run) => {
    const id = contentOf(exchange).id;
    if (id === null) throw new NothingToJudge('no id had come');
    const again = sameAgain(exchange, run).find((one) => isRetry(exchange, one));
    if (again === undefined) return;
    const lookup = run.exchanges.find(
      (one) =>
        one.request.method === 'GET' &&
        one.times.started >= exchange.times.started &&
        one.times.started <= again.times.started &&
        decoded(pathOf(one)).includes(id),
    );
    if (lookup !== undefined) return;
    throw new ExpectationFailed(
      `a lookup of the response whose id it saw (${id}) before it generates again`,
      `a second generation, and no lookup between`,
      again,
    );
  },
});

/** Returns the later requests with the same path and body. */
function sameAgain(exchange: Exchange, { exchanges }: WholeRun): readonly Exchange[] {
  const words = (one: Exchange): string => Buffer.from(one.request.body ?? []).toString('base64');
  return exchanges.filter(
    (one) =>
      one !== exchange &&
      one.times.started >= exchange.times.started &&
      asksOverHttp(one) &&
      pathOf(one) === pathOf(exchange) &&
      words(one) === words(exchange),
  );
}

/** Headers by which clients mark a request as a retry. */
const sameRequest = ['idempotency-key', 'x-client-request-id'] as const;

function isRetry(first: Exchange, again: Exchange): boolean {
  const [before, count] = [first, again].map((one) =>
    Number(headerOf(one, 'x-stainless-retry-count') ?? 0),
  );
  if (count === (before ?? 0) + 1) return true;
  return sameRequest.some((name) => {
    const value = headerOf(first, name);
    return value !== null && value === headerOf(again, name);
  });
}

/**
 * Judges that a request is not repeated. Two users may send equal requests, so only a request that marks itself as
 * the same one counts.
 */
function expectNotAgain(exchange: Exchange, run: WholeRun, expected: string): void {
  const same = sameAgain(exchange, run);
  const again = same.find((one) => isRetry(exchange, one));
  if (again !== undefined) {
    const later = Math.round(again.times.started - exchange.times.started);
    throw new ExpectationFailed(expected, `the same once more, ${later} ms after it`, again);
  }
  if (same.length > 0) {
    throw new NothingToJudge('whether what was asked in the same words is a retry, nothing tells');
  }
}
