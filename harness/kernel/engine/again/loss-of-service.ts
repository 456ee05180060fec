import type { Exchange } from '../../core/index.ts';
import { ExpectationFailed, outcome, requestInWords } from '../../judge/index.ts';
import type { WholeRun } from '../whole-run.ts';
import { isSentinel, isShutOut, words } from './lockout.ts';
import { endedAlone } from './never-served.ts';

/** Number of lockouts, each after a single request, that show a defect and not a defence. */
const leastLockouts = 3;

/** Minimum share of the refusals of one kind that are followed by a lockout. */
const mostOf = 0.8;

const remembered = new WeakMap<WholeRun, ExpectationFailed | null>();

/**
 * Finds the request that takes the service from all clients: either the gateway ends at it while nothing else is in
 * flight, or each single request of its kind is followed by a lockout. A gateway that locks out a client that sends
 * many of them only defends itself.
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

/** Refusals in the same words, with the lockouts that followed them. */
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
  // The exchange of such a refusal ends only after a sentinel has shown the lockout.
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
