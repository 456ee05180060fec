import { at, type CheckVerdict, type Exchange, formatId, parsed, textAt } from '../core/index.ts';
import { isRefused, isServed, turnsOf } from '../judge/index.ts';
import { contentOf, storedIdIn } from '../protocols/index.ts';
import { type Known, responsesIn, sharesAll } from './again/index.ts';

/** A lookup that the maker of a stored response may expect to be served. */
interface Lookup {
  readonly exchange: Exchange;
  readonly isServed: boolean;
  readonly known: Known;
  /** Milliseconds since the response was stored, and since it was asked for. */
  readonly age: number;
  readonly sinceAsked: number;
  /** Numbers of responses that were stored after it and before the lookup: in all regions, and in its own. */
  readonly newer: number;
  readonly newerThere: number;
  /** Form of its creation. */
  readonly made: string;
}

/** Minimum number of lookups on each side. Fewer may be divided by chance. */
const fewest = 3;

/**
 * Names what divides the lookups that were refused from those that were served, in the verdicts of checks that fail
 * at a refused one: the age of the response, the number of newer ones, its creation, region or key, or a header by
 * which nodes of the gateway tell themselves apart.
 */
export function withDivision(
  verdicts: ReadonlyMap<string, CheckVerdict>,
  exchanges: readonly Exchange[],
  consistencyMs: number,
): ReadonlyMap<string, CheckVerdict> {
  const isBroken = ({ state }: CheckVerdict): boolean => state === 'fail' || state === 'warn';
  if (![...verdicts.values()].some(isBroken)) return new Map();
  const lookups = lookupsIn(exchanges, consistencyMs);
  const words = divisionIn(lookups);
  if (words === null) return new Map();
  const gone = new Set(
    lookups.filter((one) => !one.isServed).map(({ exchange }) => idIn(exchange)),
  );
  const refused = new Set(
    exchanges
      .filter((exchange) => gone.has(idIn(exchange)) && isRefused(exchange))
      .map(({ id }) => formatId(id)),
  );
  return new Map(
    [...verdicts].flatMap(([id, verdict]): [string, CheckVerdict][] => {
      if (verdict.state !== 'fail' && verdict.state !== 'warn') return [];
      if (verdict.evidence === null || !refused.has(verdict.evidence.exchange)) return [];
      return [[id, { ...verdict, actual: `${verdict.actual}; ${words}` }]];
    }),
  );
}

/** Returns what divides served and refused lookups, in words; null if nothing does. */
function divisionIn(lookups: readonly Lookup[]): string | null {
  const refused = lookups.filter((one) => !one.isServed);
  const served = lookups.filter((one) => one.isServed);
  if (refused.length < fewest || served.length < fewest) return null;
  const found = [
    ...Object.entries(valuesOf).flatMap(([name, read]) => {
      const values = new Set(refused.map(read));
      const [only] = values;
      if (values.size !== 1 || only === undefined) return [];
      return served.some((one) => read(one) === only) ? [] : [`${name} ${only}`];
    }),
    ...headersThatDivide(refused, served),
    ...[({ age }: Lookup) => age, ({ sinceAsked }: Lookup) => sinceAsked]
      .flatMap((read) => bound(refused, served, read, inSeconds))
      .slice(0, 1),
    ...bound(
      refused,
      served,
      ({ newer }) => newer,
      (n) => `behind which ${n} or more were stored`,
    ),
    ...bound(
      refused,
      served,
      ({ newerThere }) => newerThere,
      (n) => `behind which ${n} or more were stored in their region`,
    ),
  ];
  if (found.length === 0) return null;
  const count = `${refused.length} and ${served.length}`;
  return `in this run the lookups of responses ${found.join(', or ')} are refused, and others are served: ${count}`;
}

const valuesOf: Readonly<Record<string, (one: Lookup) => string>> = {
  'made by': ({ made }) => made,
  'of region': ({ known }) => known.by.region,
  'by key': ({ exchange }) => exchange.about.key,
};

function inSeconds(milliseconds: number): string {
  return `after ${(milliseconds / 1000).toFixed(1)} s or more`;
}

/**
 * Returns the least value of the refused lookups, in words, if it is above that of the served ones. Few may stand on
 * the other side, because our times include the way to the gateway.
 */
function bound(
  refused: readonly Lookup[],
  served: readonly Lookup[],
  read: (one: Lookup) => number,
  inWords: (value: number) => string,
): string[] {
  const few = Math.floor((refused.length + served.length) / 30);
  const values = refused.map(read).sort((one, other) => one - other);
  const divides = values.slice(0, few + 1).find((least, below) => {
    return below + served.filter((one) => read(one) >= least).length <= few;
  });
  return divides === undefined ? [] : [inWords(divides)];
}

/** Headers that depend on the answer itself. */
const ofAnswer =
  /^(content-|date$|age$|etag$|vary$|cache-|connection$|transfer-|www-auth|retry-|set-cookie)|id$|ratelimit|time/;

function headersThatDivide(refused: readonly Lookup[], served: readonly Lookup[]): string[] {
  const valuesIn = (some: readonly Lookup[]) => {
    const values = new Map<string, Set<string>>();
    for (const { exchange } of some) {
      for (const [name, value] of exchange.response?.headers ?? []) {
        const own = values.get(name.toLowerCase()) ?? new Set();
        values.set(name.toLowerCase(), own.add(value));
      }
    }
    return values;
  };
  const others = valuesIn(served);
  return [...valuesIn(refused)].flatMap(([name, values]) => {
    const [only] = values;
    const known = others.get(name);
    const divides = values.size === 1 && only !== undefined && known?.has(only) === false;
    return divides && !ofAnswer.test(name) ? [`answered with ${name}: ${only}`] : [];
  });
}

function lookupsIn(exchanges: readonly Exchange[], consistencyMs: number): readonly Lookup[] {
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
      return isMade ? [[id, { form: formOf(turn), asked: askedAt(turn) }]] : [];
    }),
  );
  return exchanges.flatMap((exchange): Lookup[] => {
    const { about, times } = exchange;
    if (about.operation !== 'responses.lookup') return [];
    const id = idIn(exchange);
    const known = responses.get(id);
    if (known === undefined || known.stored === null) return [];
    const { by, deleted, stored: since } = known;
    const end = Math.min(deleted ?? Infinity, aged.get(id) ?? Infinity);
    const isOwn = sharesAll(about.key, by.key) && about.region === by.region;
    const isLate = times.started >= since + consistencyMs;
    const served = isServed(exchange);
    if (!isOwn || times.ended >= end || (!served && !(isRefused(exchange) && isLate))) return [];
    const creation = made.get(id);
    const newer = all.filter(({ stored }) => {
      return stored !== null && stored > since && stored < times.started;
    });
    const newerThere = newer.filter((other) => other.by.region === by.region).length;
    return [
      {
        ...{ exchange, isServed: served, known, newer: newer.length, newerThere },
        ...{ age: times.started - since, made: creation?.form ?? 'another request' },
        sinceAsked: times.started - (creation?.asked ?? since),
      },
    ];
  });
}

interface Made {
  readonly form: string;
  readonly asked: number;
}

/** Returns when a generation was asked for, in milliseconds since the start of the run. */
function askedAt({ socket, times }: Exchange): number {
  return socket?.frames.find(({ from }) => from === 'us')?.at ?? times.started;
}

function formOf(turn: Exchange): string {
  const body = bodyOf(turn);
  const forms = [
    ...(at(body, 'background') === true ? ['in the background'] : []),
    ...(textAt(body, 'previous_response_id') === null ? [] : ['as a continuation']),
  ];
  return [turn.about.operation, ...forms].join(' ');
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
