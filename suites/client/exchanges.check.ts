import {
  type ClientScenario,
  type ClientSession,
  clientCheck,
  clientObserved,
  headerOf,
  otherHost,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import {
  asksForResponse,
  contentOf,
  credentials,
  type Exchange,
  ExpectationFailed,
  errorBody,
  json,
  judgeEach,
  NothingToJudge,
  type Protocol,
  protocolModules,
  protocolOf,
  turnsOf,
  type WholeRun,
} from '../../harness/index.ts';
import { requestBody, responseIn } from '../scenarios/exchanges.ts';
import { startOf } from './judged.ts';
import { background, counted, everyStart, listed, madeElsewhere, oddId } from './scenarios.ts';
import { counts, generates, isUnknown } from './tasks.ts';

/** Alternative documented names of the limit. */
const alsoCalled: Partial<Record<Protocol, readonly string[]>> = {
  'chat-completions': ['max_tokens'],
  generative: ['generation_config.max_output_tokens'],
};

/**
 * Checks that a body sets its output limit, or that it sets none on System One, which has no such limit. `actual`
 * is null if the body is right.
 */
function setLimits(
  protocol: Protocol,
  body: unknown,
): { readonly expected: string; readonly actual: string | null } {
  const own = protocolModules[protocol].request.outputLimit;
  if (own === null) {
    const said = ['max_tokens', 'max_output_tokens', 'max_completion_tokens'].find(
      (member) => json.at(body, member) !== undefined,
    );
    return { expected: 'no output limit', actual: said ?? null };
  }
  const isSaid = [own, ...(alsoCalled[protocol] ?? [])].some(
    (path) => typeof json.at(body, path) === 'number',
  );
  return { expected: `\`${own}\``, actual: isSaid ? null : 'no output limit' };
}

// Judges each request of a client, wherever it was seen: in any start, by `observe`, or in a HAR.

type StartOrStarts = ClientSession | readonly ClientSession[];

interface OfExchange {
  readonly which: (exchange: Exchange) => boolean;
  /**
   * @param session the start that sent the request; null: a client that nobody started
   * @param all requests of the same client
   */
  readonly judge: (
    exchange: Exchange,
    session: ClientSession | null,
    all: readonly Exchange[],
  ) => void;
  /** True to judge each turn of a WebSocket. */
  readonly turns?: true;
  /** Starts that send such requests. Default: those that each client is judged by. */
  readonly starts?: ClientScenario<StartOrStarts>;
}

/** Binds a requirement of the client to each of its requests. */
function eachRequest(
  id: Parameters<typeof clientObserved>[0],
  { which, judge, turns, starts }: OfExchange,
): void {
  const observed = {
    which,
    judge: (exchange: Exchange, { exchanges }: WholeRun) => judge(exchange, null, exchanges),
  };
  clientObserved(id, turns === undefined ? observed : { ...observed, turns });
  const on = starts === undefined ? everyStart : [starts, everyStart];
  clientCheck(id, on, (sessions) =>
    judgeEachRequest(sessions, { which, judge, ...(turns && { turns }) }),
  );
}

/** Judges every request of every start to the gateway. None: nothing to judge. */
function judgeEachRequest(sessions: StartOrStarts, { which, judge, turns }: OfExchange): void {
  const sent = [sessions].flat().flatMap((session) =>
    session.exchanges
      // A redirect led it to another host.
      .filter((exchange) => exchange.about.region !== otherHost && which(exchange))
      .flatMap((exchange) => (turns === undefined ? [exchange] : turnsOf(exchange)))
      .map((exchange) => ({ exchange, session })),
  );
  judgeEach(
    sent,
    (one) => startOf(one.session),
    ({ exchange, session }) => judge(exchange, session, session.exchanges),
    { noun: 'request' },
  );
}

const ofResponses = (exchange: Exchange): boolean =>
  exchange.about.protocol === 'responses' && generates(exchange);

eachRequest('client/requests.credential-header', {
  which: (exchange) => !isUnknown(exchange) && !counts(exchange),
  judge: expectCredential,
  starts: listed,
});

eachRequest('client/requests.credential-on-counts', {
  which: counts,
  judge: expectCredential,
  starts: counted,
});

function expectCredential(exchange: Exchange, session: ClientSession | null): void {
  // A recording may have left the key out.
  if (session === null && exchange.about.key === 'none')
    throw new NothingToJudge('it shows no key');
  const wrong = credentials.own(exchange, session?.mask ?? maskIn(exchange));
  if (wrong !== null) throw new ExpectationFailed(wrong.expected, wrong.actual, exchange);
}

const credentialHeader = /^(proxy-)?authorization$|api-?key$/i;

/** Returns the mask of the key in a request: the asterisks at the end of a credential header. */
function maskIn({ request }: Exchange): string {
  const lines = request.headers.filter(([name]) => credentialHeader.test(name));
  const [mask] = lines.flatMap(([, value]) => /\*+$/.exec(value)?.[0] ?? []);
  return mask ?? '*'.repeat(1000);
}

eachRequest('client/requests.output-limit-set', {
  which: generates,
  turns: true,
  judge(exchange) {
    const protocol = protocolOf(exchange);
    const body = requestBody(exchange);
    if (protocol === null || body === undefined) throw new NothingToJudge('it has no body');
    if (exchange.socket !== null && !asksForResponse(exchange)) {
      throw new NothingToJudge('it asked for no response');
    }
    const { expected, actual } = setLimits(protocol, body);
    if (actual !== null) throw new ExpectationFailed(expected, actual, exchange);
  },
});

clientCheck('client/requests.accepted', everyStart, (sessions) => {
  const judge = (exchange: Exchange, session: ClientSession | null): void => {
    // An error that a script wants says nothing of the request.
    if (session?.met === true && session.script.answer?.kind === 'status') {
      throw new NothingToJudge('its answer does not tell');
    }
    const status = errorBody(exchange)?.status ?? exchange.response?.status ?? 200;
    if (status < 400 || status >= 500) return;
    const body = requestBody(exchange);
    if (
      json.at(body, 'background') === true ||
      json.at(body, 'previous_response_id') !== undefined
    ) {
      throw new NothingToJudge('its storage and its region are judged by other rows');
    }
    const actual = `${status}: ${errorBody(exchange)?.message ?? ''}`;
    throw new ExpectationFailed('a request that the interface accepts', actual, exchange);
  };
  judgeEachRequest(sessions, { which: generates, judge, turns: true });
});

const isModelInSegments = (exchange: Exchange): boolean =>
  /\/models\/[^:]+\/[^:]+:.*[A-Za-z]+$/.test(pathOf(exchange));

eachRequest('client/requests.paths', {
  which: (exchange) =>
    generates(exchange) || (isUnknown(exchange) && exchange.request.body !== null),
  judge(exchange, session) {
    if (isModelInSegments(exchange) || session?.script.odd === true)
      throw new NothingToJudge('its id is judged by another row');
    const path = `${exchange.request.method} ${pathOf(exchange)}`;
    if (isUnknown(exchange)) {
      const expected = 'the path of an endpoint, below the base address of its protocol';
      throw new ExpectationFailed(expected, path, exchange);
    }
    if (session === null || session.front !== undefined) return;
    if (new URL(exchange.request.url).pathname.startsWith('/s/')) return;
    throw new ExpectationFailed('a path below the address that it was given', path, exchange);
  },
});

eachRequest('client/requests.background-stores', {
  which: ofResponses,
  turns: true,
  starts: background,
  judge(exchange) {
    const body = requestBody(exchange);
    if (json.at(body, 'background') !== true) throw new NothingToJudge('it runs in the foreground');
    if (json.at(body, 'store') === true) return;
    const actual = `store: ${JSON.stringify(json.at(body, 'store')) ?? 'left out'}`;
    throw new ExpectationFailed('`store: true` beside `background: true`', actual, exchange);
  },
});

eachRequest('client/requests.original-region', {
  which: (exchange) => idNamed(exchange) !== null,
  turns: true,
  starts: madeElsewhere,
  judge(exchange, session, all) {
    const id = idNamed(exchange);
    const made = all.flatMap(turnsOf).filter((one) => generates(one) && contentOf(one).id === id);
    const regions = made.map(({ about }) => about.region);
    if (session !== null && id === session.about) regions.push(session.region);
    if (regions.length === 0) throw new NothingToJudge('nobody saw where its response was made');
    if (regions.includes(exchange.about.region)) return;
    const expected = `a request to ${regions[0]}, which made the response`;
    throw new ExpectationFailed(expected, `one to ${exchange.about.region}`, exchange);
  },
});

/** Returns the id of the response that a request looks up, recovers or continues, or null. */
function idNamed(exchange: Exchange): string | null {
  if (generates(exchange)) return json.text(requestBody(exchange), 'previous_response_id');
  const isAbout = /^responses\.(lookup|recover|input-items)$/.test(exchange.about.operation);
  return isAbout ? responseIn(exchange) : null;
}

eachRequest('client/requests.store-said', {
  which: ofResponses,
  turns: true,
  judge(exchange) {
    if (typeof json.at(requestBody(exchange), 'store') === 'boolean') return;
    throw new ExpectationFailed('`store`, true or false', 'it left out', exchange);
  },
});

eachRequest('client/background.cancel-without-body', {
  which: ({ about }) => about.operation === 'responses.cancel',
  starts: oddId,
  judge(exchange) {
    const shown = Buffer.from(exchange.request.body ?? [])
      .toString()
      .slice(0, 80);
    if (shown === '') return;
    throw new ExpectationFailed('a cancel without a body', `the body ${shown}`, exchange);
  },
});

/** Query members that each endpoint knows. */
const queries: readonly (readonly [RegExp, RegExp])[] = [
  [/^responses\.(lookup|recover)$/, /^(stream|starting_after|include(_obfuscation)?)$/],
  [/^responses\.input-items$/, /^(limit|after|before|order|include)$/],
  [/^models\.list$/, /^(limit|after|(after|before)_id|beta)$/],
  [/^models\.catalog$/, /^(pageSize|pageToken|queryBase|filter)$/],
  [/^messages\./, /^beta$/],
  [/^generative\.|^models\.catalog$/, /^(alt|fields|prettyPrint|quotaUser|\$.*)$/],
];

eachRequest('client/requests.known-queries', {
  which: (exchange) => !isUnknown(exchange) && exchange.socket === null,
  starts: oddId,
  judge(exchange) {
    const { searchParams } = new URL(exchange.request.url);
    const known = queries.filter(([which]) => which.test(exchange.about.operation));
    const odd = [...searchParams].find(
      // A key in an address is judged by another row.
      ([name, value]) =>
        !/^\*{8,}$/.test(value) &&
        !known.some(([, names]) => names.test(name.replace(/\[\w*\]$/, ''))),
    );
    if (odd === undefined) return;
    throw new ExpectationFailed('no query that the endpoint does not know', `${odd[0]}=`, exchange);
  },
});

function expectJson(exchange: Exchange): void {
  if (exchange.socket !== null || exchange.request.body === null) {
    throw new NothingToJudge('it has no body');
  }
  const type = headerOf(exchange, 'content-type');
  if (type !== null && /^application\/json *(;|$)/i.test(type)) return;
  const actual = type === null ? 'none' : `\`${type}\``;
  throw new ExpectationFailed('`Content-Type: application/json`', actual, exchange);
}

const hasBodyIn = (protocol: string) => (exchange: Exchange) =>
  exchange.about.protocol === protocol && (generates(exchange) || counts(exchange));

clientObserved.each('client/requests.content-type', (protocol) => ({
  which: hasBodyIn(protocol),
  judge: expectJson,
}));

clientCheck.each('client/requests.content-type', (protocol) => ({
  on: everyStart,
  judge: (sessions: readonly ClientSession[]) =>
    judgeEachRequest(sessions, { which: hasBodyIn(protocol), judge: expectJson }),
}));

const elsewhere = (place: string, exchange: Exchange | null): ExpectationFailed =>
  new ExpectationFailed('the key in a header of its own alone', `it in ${place}`, exchange);

clientObserved('client/requests.key-in-header-only', {
  which: () => true,
  judge(exchange) {
    const shown = [...new URL(exchange.request.url).searchParams.values()];
    if (shown.some((value) => /^\*{8,}$/.test(value))) throw elsewhere('the address', exchange);
  },
});

clientCheck('client/requests.key-in-header-only', everyStart, (sessions) => {
  for (const { run, mask } of sessions) {
    if (run.stdout.includes(mask)) throw elsewhere('its standard output', null);
    if (run.stderr.includes(mask)) throw elsewhere('its standard error', null);
  }
  const judge = (exchange: Exchange, session: ClientSession | null): void => {
    const { url, body, headers } = exchange.request;
    const sent = body ?? exchange.socket?.frames[0]?.data ?? [];
    const places: readonly (readonly [string, string])[] = [
      ['the address', url],
      ['the body', Buffer.from(sent).toString()],
      ...headers
        .filter(([name]) => !credentialHeader.test(name))
        .map(([name, value]) => [`the header \`${name}\``, value] as const),
    ];
    const place = places.find(([, text]) => text.includes(session?.mask ?? ''))?.[0];
    if (place !== undefined) throw elsewhere(place, exchange);
  };
  judgeEachRequest(sessions, { which: () => true, judge, turns: true });
});
