import type { Exchange } from '../../core/index.ts';
import { ExpectationFailed, outcome, requestInWords } from '../../judge/index.ts';
import type { WholeRun } from '../whole-run.ts';
import { isSentinel, isShutOut, words } from './lockout.ts';
import { endedAlone } from './never-served.ts';

/** A gateway that refuses service after each of so many single requests does so by itself. */
const leastLockouts = 3;

/** Share of the refusals of one kind that a lockout has to follow. */
const mostOf = 0.8;

const remembered = new WeakMap<WholeRun, ExpectationFailed | null>();

/**
 * Finds the request that takes the service from everybody: the gateway ends at it, when nothing else was under
 * way, or refuses all further requests for a time, after each single one of its kind. A gateway that locks out
 * whoever sends many of them defends itself.
 */
export function lossOfService(run: WholeRun): ExpectationFailed | null {
  const known = remembered.get(run);
  if (known !== undefined) return known;
  const places = run.target.regions.map(({ name }) => name);
  const loss =
    endedAlone(run.exchanges) ??
    places.map((region) => lockedOutByOne(run, region)).find((one) => one !== null) ??
    null;
  remembered.set(run, loss);
  return loss;
}

/** Refusals that are told in the same words, and how many of them the gateway went on to lock everybody out after. */
interface Kind {
  readonly refusals: Exchange[];
  /** Sentinels that showed a lockout right after one of these refusals. */
  readonly lockouts: Exchange[];
}

function lockedOutByOne(run: WholeRun, region: string): ExpectationFailed | null {
  for (const { refusals, lockouts } of kindsIn(run, region)) {
    const [first] = refusals;
    const [refused] = lockouts;
    const isEach = lockouts.length >= leastLockouts && lockouts.length >= mostOf * refusals.length;
    if (!isEach || first === undefined || refused === undefined) continue;
    return new ExpectationFailed(
      `further requests served after ${requestInWords(first)}, which was refused`,
      `after ${lockouts.length} of ${refusals.length} such requests everybody was locked out at once: ` +
        `${requestInWords(refused)}, which was served before, was answered ${outcome(refused)}`,
      first,
      'unserved',
    );
  }
  return null;
}

function kindsIn({ exchanges, sentinels = [] }: WholeRun, region: string): readonly Kind[] {
  const kinds = new Map<string, Kind>();
  let last: Kind | null = null;
  let isOut = false;
  // A refusal that leads to a lockout is given back only when a sentinel has shown it.
  const inTime = [...exchanges, ...sentinels]
    .filter(({ about }) => about.region === region)
    .sort((a, b) => a.times.started - b.times.started);
  for (const exchange of inTime) {
    const status = exchange.response?.status ?? 0;
    if (isSentinel(exchange)) {
      if (isShutOut(exchange) && !isOut) last?.lockouts.push(exchange);
      if (status > 0) isOut = isShutOut(exchange);
    } else if (exchange.failure === null && status > 0 && !isOut) {
      last = status >= 400 && status < 500 ? kindOf(exchange, kinds) : null;
      last?.refusals.push(exchange);
    }
  }
  return [...kinds.values()];
}

function kindOf(exchange: Exchange, kinds: Map<string, Kind>): Kind {
  const as = words(exchange);
  const kind = kinds.get(as) ?? { refusals: [], lockouts: [] };
  kinds.set(as, kind);
  return kind;
}
