import {
  at,
  type CheckVerdict,
  type Exchange,
  formatId,
  headersOf,
  listAt,
  numberAt,
  parsed,
  textAt,
} from '../core/index.ts';
import { brokenAt, isRefused, isServed, turnsOf } from '../judge/index.ts';
import { asksToGenerate, contentOf, hasGeneratedContent, storedIdIn } from '../protocols/index.ts';
import { responsesIn, sharesAll } from './again/index.ts';

/** An act that went well or not, and what may be the reason. */
interface Act {
  readonly exchange: Exchange;
  readonly isGood: boolean;
  /** By their names in words: `made by`. */
  readonly traits: Readonly<Record<string, string>>;
  /** Numbers from which on acts may go wrong, by what is said of the first of them. */
  readonly numbers?: Readonly<Record<string, readonly number[]>>;
}

interface ActSeries {
  readonly acts: readonly Act[];
  /** Words before and after what divides them. */
  readonly words: readonly [string, string];
  /** True if the check fails because its exchange went wrong in the series. */
  readonly explains: (verdict: Broken, exchange: string, check: string) => boolean;
}

type Broken = Extract<CheckVerdict, { readonly state: 'fail' | 'warn' }>;

/** Minimum number of acts on each side. Fewer may be divided by chance. */
const fewest = 3;

/**
 * Names what divides acts that went wrong from those that went well, in the verdicts of the checks that fail because
 * of it. The acts are lookups of a response by its maker, generations that the ledger should record, and reads that
 * have to be denied.
 */
export function withDivision(
  verdicts: ReadonlyMap<string, CheckVerdict>,
  exchanges: readonly Exchange[],
  consistencyMs: number,
): ReadonlyMap<string, CheckVerdict> {
  const broken = [...verdicts].flatMap(([id, verdict]): [string, Broken][] =>
    verdict.state === 'fail' || verdict.state === 'warn' ? [[id, verdict]] : [],
  );
  if (broken.length === 0) return new Map();
  const all = [lookups(exchanges, consistencyMs), records(exchanges), denials(broken, exchanges)];
  const found = all.flatMap(({ acts, words: [before, behind], explains }) => {
    const division = divisionIn(acts);
    const count = `${acts.filter(isBad).length} and ${acts.length - acts.filter(isBad).length}`;
    return division === null
      ? []
      : [{ explains, said: `in this run ${before} ${division} ${behind}: ${count}` }];
  });
  return new Map(
    broken.flatMap(([id, verdict]): [string, Broken][] => {
      const { exchange = '' } = verdict.evidence ?? {};
      const own = found.filter(({ explains }) => explains(verdict, exchange, id));
      const actual = [verdict.actual, ...own.map(({ said }) => said)].join('; ');
      return own.length === 0 ? [] : [[id, { ...verdict, actual }]];
    }),
  );
}

function isBad({ isGood }: Act): boolean {
  return !isGood;
}

/** Returns what divides acts that went wrong from the others, in words; null if nothing does. */
function divisionIn(acts: readonly Act[]): string | null {
  const bad = acts.filter(isBad);
  const good = acts.filter(({ isGood }) => isGood);
  const [first] = bad;
  if (first === undefined || bad.length < fewest || good.length < fewest) return null;
  const divides = ([name, value]: readonly [string, string]): boolean =>
    bad.every(({ traits }) => traits[name] === value) &&
    good.every(({ traits }) => traits[name] !== value);
  const found = [
    ...Object.entries(first.traits)
      .filter(divides)
      .map(([name, value]) => `${name} ${value}`),
    ...headersThatDivide(bad, good),
    ...Object.entries(first.numbers ?? {}).flatMap(([name, { length }]) =>
      Array.from({ length }, (_, n) => n)
        .flatMap((n) => bound(bad, good, ({ numbers }) => numbers?.[name]?.[n] ?? 0))
        .slice(0, 1)
        .map((least) => name.replace('…', String(least))),
    ),
  ];
  return found.length === 0 ? null : found.join(', or ');
}

/**
 * Returns the least value of the acts that went wrong if it is above that of the others. Few may stand on the other
 * side, because our times include the way to the gateway.
 */
function bound(
  bad: readonly Act[],
  good: readonly Act[],
  read: (one: Act) => number,
): readonly number[] {
  const few = Math.floor((bad.length + good.length) / 30);
  const values = bad.map(read).sort((one, other) => one - other);
  const divides = values.slice(0, few + 1).find((least, below) => {
    return below + good.filter((one) => read(one) >= least).length <= few;
  });
  return divides === undefined ? [] : [divides];
}

/** Headers that depend on the answer itself. */
const ofAnswer =
  /^(content-|date$|age$|etag$|vary$|cache-|connection$|transfer-|www-auth|retry-|set-cookie)|id$|ratelimit|time/;

function headersThatDivide(bad: readonly Act[], good: readonly Act[]): string[] {
  const valuesIn = (some: readonly Act[]) => {
    const values = new Map<string, Set<string>>();
    for (const { exchange } of some) {
      for (const [name, value] of exchange.response?.headers ?? []) {
        const own = values.get(name.toLowerCase()) ?? new Set();
        values.set(name.toLowerCase(), own.add(value));
      }
    }
    return values;
  };
  const others = valuesIn(good);
  return [...valuesIn(bad)].flatMap(([name, values]) => {
    const [only] = values;
    const known = others.get(name);
    const divides = values.size === 1 && only !== undefined && known?.has(only) === false;
    return divides && !ofAnswer.test(name) ? [`answered with ${name}: ${only}`] : [];
  });
}

/** Returns the lookups that the maker of a stored response may expect to be served. */
function lookups(exchanges: readonly Exchange[], consistencyMs: number): ActSeries {
  const responses = responsesIn(exchanges);
  const all = [...responses.values()];
  const aged = new Map(
    exchanges
      .filter(({ about }) => about.operation === 'probes.clock')
      .map((exchange) => [textAt(bodyOf(exchange), 'response_id'), exchange.times.started] as const)
      // The first of several probes counts.
      .toReversed(),
  );
  const made = new Map(
    exchanges.flatMap(turnsOf).flatMap((turn): [string, Made][] => {
      const id = contentOf(turn).id;
      const isMade = !turn.about.operation.startsWith('responses.lookup') && id !== null;
      return isMade ? [[id, { traits: formOf(turn), asked: askedAt(turn) }]] : [];
    }),
  );
  const acts = exchanges.flatMap((exchange): Act[] => {
    const { about, times } = exchange;
    if (about.operation !== 'responses.lookup') return [];
    const id = idIn(exchange);
    const known = responses.get(id);
    if (known === undefined || known.stored === null) return [];
    const { by, deleted, stored: since } = known;
    const end = Math.min(deleted ?? Infinity, aged.get(id) ?? Infinity);
    const isOwn = sharesAll(about.key, by.key) && about.region === by.region;
    const isLate = times.started >= since + consistencyMs;
    const isGood = isServed(exchange);
    if (!isOwn || times.ended >= end || (!isGood && !(isRefused(exchange) && isLate))) return [];
    const creation = made.get(id);
    const newer = all.filter(({ stored }) => {
      return stored !== null && stored > since && stored < times.started;
    });
    const seconds = (from: number): number => Number(((times.started - from) / 1000).toFixed(1));
    return [
      {
        ...{ exchange, isGood },
        traits: {
          ...(creation?.traits ?? { 'made by': 'another request' }),
          'of region': by.region,
          'by key': about.key,
        },
        numbers: {
          'after … s or more': [seconds(since), seconds(creation?.asked ?? since)],
          'behind which … or more were stored': [newer.length],
          'behind which … or more were stored in their region': [
            newer.filter((other) => other.by.region === by.region).length,
          ],
        },
      },
    ];
  });
  const gone = new Set(acts.filter(isBad).map(({ exchange }) => idIn(exchange)));
  const refused = new Set(
    exchanges
      .filter((exchange) => gone.has(idIn(exchange)) && isRefused(exchange))
      .map(({ id }) => formatId(id)),
  );
  return {
    acts,
    words: ['the lookups of responses', 'are refused, and others are served'],
    // A refusal explains only that something was not served.
    explains: ({ difference }, exchange) =>
      difference?.kind === 'unserved' && refused.has(exchange),
  };
}

function records(exchanges: readonly Exchange[]): ActSeries {
  const known = new Map<string, boolean>();
  for (const exchange of exchanges) {
    if (exchange.about.operation !== 'probes.ledger') continue;
    const ids = (new URL(exchange.request.url).searchParams.get('client_request_id') ?? '').split(
      ',',
    );
    const body = parsed(new TextDecoder().decode(exchange.response?.body));
    const [only] = ids.length === 1 ? ids : [];
    const metered = new Set(
      listAt(body, 'records')
        .filter((one) => amounts.some((name) => (numberAt(one, name) ?? 0) > 0))
        .map((one) => only ?? textAt(one, 'client_request_id')),
    );
    for (const id of ids) known.set(id, known.get(id) === true || metered.has(id));
  }
  const acts = exchanges.flatMap((exchange): Act[] => {
    const [id = ''] = headersOf(exchange.request, 'x-client-request-id');
    const isGood = known.get(id);
    const { about } = exchange;
    if (isGood === undefined || !asksToGenerate(about) || !hasGeneratedContent(exchange)) return [];
    const body = bodyOf(exchange);
    const isStream = at(body, 'stream') === true || about.operation.endsWith('.stream');
    return [
      {
        ...{ exchange, isGood },
        traits: {
          'that came as': isStream ? 'streams' : 'one body',
          ...formOf(exchange),
          'of region': about.region,
          'by key': about.key,
          'with model': textAt(body, 'model') ?? '',
        },
      },
    ];
  });
  const bad = new Set(acts.filter(isBad).map(({ exchange }) => formatId(exchange.id)));
  return {
    acts,
    words: ['the generations', 'have no record in the ledger, and others have one'],
    explains: (_, exchange, check) => check.startsWith('metering/') && bad.has(exchange),
  };
}

const amounts = ['charge', 'usage.input_tokens', 'usage.output_tokens'];

/** Returns reads of stored responses that were denied, and those that some check says should have been. */
function denials(broken: readonly [string, Broken][], exchanges: readonly Exchange[]): ActSeries {
  const served = new Set(
    broken.flatMap(([, { difference, evidence, points }]) =>
      difference?.kind === 'unrefused' && evidence !== null
        ? [evidence.exchange, ...(points === undefined ? [] : brokenAt(points))]
        : [],
    ),
  );
  // Denials to others, or of other operations, say nothing of these.
  const kindOf = ({ about }: Exchange): string => `${about.operation} ${about.key}`;
  const kinds = new Set(exchanges.filter(({ id }) => served.has(formatId(id))).map(kindOf));
  const first = new Map<string, boolean>();
  const acts = [...exchanges]
    .sort((one, other) => one.times.started - other.times.started)
    .flatMap((exchange): Act[] => {
      if (exchange.request.method !== 'GET' || idIn(exchange) === '') return [];
      const [path = ''] = exchange.request.url.split('?');
      const isRepeated = first.get(path) === true;
      first.set(path, first.get(path) ?? isServed(exchange));
      const isGood = isRefused(exchange);
      if (!isGood && !served.has(formatId(exchange.id))) return [];
      // Without a credential, a request may not come to what answers.
      if (exchange.response?.status === 401) return [];
      if (!kinds.has(kindOf(exchange))) return [];
      const traits: Act['traits'] = isRepeated
        ? { 'whose URL was': 'served to the first who asked' }
        : {};
      return [{ exchange, isGood, traits }];
    });
  const bad = new Set(acts.filter(isBad).map(({ exchange }) => formatId(exchange.id)));
  return {
    acts,
    words: [
      'the reads',
      'are served to everybody, as from a cache that knows the URL alone, and others are denied',
    ],
    explains: ({ difference }, exchange) => difference?.kind === 'unrefused' && bad.has(exchange),
  };
}

interface Made {
  readonly traits: Act['traits'];
  readonly asked: number;
}

/** Returns when a generation was asked for, in milliseconds since the start of the run. */
function askedAt({ socket, times }: Exchange): number {
  return socket?.frames.find(({ from }) => from === 'us')?.at ?? times.started;
}

function formOf(turn: Exchange): Act['traits'] {
  const body = bodyOf(turn);
  return {
    'made by': `${turn.about.operation}${at(body, 'background') === true ? ' in the background' : ''}`,
    ...(textAt(body, 'previous_response_id') === null ? {} : { 'that are': 'continuations' }),
  };
}

/** Returns the JSON body of a request, or its first frame. */
function bodyOf({ request, socket }: Exchange): unknown {
  const frame = socket?.frames.find(({ from }) => from === 'us')?.data;
  return parsed(new TextDecoder().decode(request.body ?? frame ?? new Uint8Array()));
}

/** Returns the stored response that a request acts on or continues, or ''. */
function idIn(exchange: Exchange): string {
  const named = storedIdIn(exchange.about.operation, exchange.request.url);
  return named ?? textAt(bodyOf(exchange), 'previous_response_id') ?? '';
}
