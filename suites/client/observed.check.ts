import {
  clientObserved,
  clientObservedEach,
  headerOf,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import {
  answerId,
  asksForResponse,
  asksToGenerate,
  at,
  decoded,
  type Exchange,
  ExpectationFailed,
  isEventStream,
  NothingToJudge,
  ownCredential,
  parsed,
  protocolOf,
  setLimits,
  type WholeRun,
} from '../../harness/index.ts';

// Judges unscripted clients by their requests and the answers that they got.

function generates(exchange: Exchange): boolean {
  return exchange.socket === null ? asksToGenerate(exchange.about) : true;
}

/** Returns the JSON body of a request, or the frame of a turn of a WebSocket. */
function bodyOf({ request, socket }: Exchange): unknown {
  const sent = request.body ?? socket?.frames.find(({ from }) => from === 'us')?.data ?? null;
  return sent === null ? undefined : parsed(Buffer.from(sent).toString());
}

clientObserved('client/requests.credential-header', {
  which: generates,
  judge: (exchange) => {
    // The recording may have left the key out.
    if (exchange.about.key === 'none') throw new NothingToJudge('it shows no key');
    const wrong = ownCredential(exchange, maskIn(exchange));
    if (wrong !== null) throw new ExpectationFailed(wrong.expected, wrong.actual, exchange);
  },
});

/** Returns the mask of the key in a request: the asterisks at the end of a credential header. */
function maskIn({ request }: Exchange): string {
  const lines = request.headers.filter(([name]) => /^authorization$|api-?key$/i.test(name));
  const [mask] = lines.flatMap(([, value]) => /\*+$/.exec(value)?.[0] ?? []);
  return mask ?? '*'.repeat(1000);
}

clientObserved('client/requests.output-limit-set', {
  which: generates,
  turns: true,
  judge: (exchange) => {
    const protocol = protocolOf(exchange);
    const body = bodyOf(exchange);
    if (protocol === null || body === undefined) throw new NothingToJudge('it has no body');
    if (exchange.socket !== null && !asksForResponse(exchange)) {
      throw new NothingToJudge('it asked for no response');
    }
    const { expected, actual } = setLimits(protocol, body);
    if (actual !== null) throw new ExpectationFailed(expected, actual, exchange);
  },
});

const isUnknown = (exchange: Exchange): boolean => exchange.about.operation === 'unknown';
const isModelInSegments = (exchange: Exchange): boolean =>
  /\/models\/[^:]+\/[^:]+:[A-Za-z]+$/.test(pathOf(exchange));

clientObserved('client/requests.paths', {
  which: (exchange) => generates(exchange) || isUnknown(exchange),
  judge: (exchange) => {
    if (!isUnknown(exchange)) return;
    if (isModelInSegments(exchange)) throw new NothingToJudge('its model is judged by another row');
    throw new ExpectationFailed(
      'the path of an endpoint, below the base address of its protocol',
      `${exchange.request.method} ${pathOf(exchange)}`,
      exchange,
    );
  },
});

clientObserved('client/requests.model-id-encoded', {
  which: (exchange) => /\/models\/.+:[A-Za-z]+$/.test(pathOf(exchange)),
  judge: (exchange) => {
    if (isModelInSegments(exchange)) {
      throw new ExpectationFailed('the model id as one segment', pathOf(exchange), exchange);
    }
    const [, segment = ''] = /\/models\/([^/]+):[A-Za-z]+$/.exec(pathOf(exchange)) ?? [];
    if (decoded(segment) === segment) throw new NothingToJudge('its id need not be encoded');
  },
});

clientObserved('client/requests.background-stores', {
  which: (exchange) => exchange.about.protocol === 'responses' && generates(exchange),
  turns: true,
  judge: (exchange) => {
    const body = bodyOf(exchange);
    if (at(body, 'background') !== true) throw new NothingToJudge('it runs in the foreground');
    if (at(body, 'store') === true) return;
    throw new ExpectationFailed(
      '`store: true` beside `background: true`',
      `store: ${JSON.stringify(at(body, 'store')) ?? 'left out'}`,
      exchange,
    );
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
  if (isEventStream(exchange)) return isLeft ? 'stall' : 'cut-stream';
  // A client that leaves in the middle of a body is not uncertain.
  return isLeft ? null : 'cut-body';
}

const asksOverHttp = (exchange: Exchange): boolean =>
  exchange.socket === null && asksToGenerate(exchange.about);

clientObservedEach('client/retries.none-when-uncertain', (value) => ({
  // The check depends on the way in which connections ended.
  observed: 'on the wire',
  which: (exchange) => asksOverHttp(exchange) && uncertaintyOf(exchange) === value,
  judge: (exchange, run) =>
    expectNotAgain(exchange, run, 'one generation, since nobody knows whether it was executed'),
}));

clientObservedEach('client/retries.none-at-all', (value) =>
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
    const id = answerId(exchange);
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
