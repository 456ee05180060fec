import {
  type Exchange,
  formatId,
  type GatewayEnd,
  type HeldBack,
  type HeldBy,
  type Settled,
  type Traffic as TrafficReport,
} from '../core/index.ts';
import { requestInWords } from '../judge/index.ts';
import { generationsIn } from '../protocols/index.ts';
import { brokeUnanswered } from '../wire/index.ts';
import { Chains, longestOf } from './schedule/critical-path.ts';

/** Milliseconds within which broken connections count as one exit of the gateway. */
const sameMomentMs = 250;

export class Traffic {
  requests = 0;
  /** Served generations, which the user pays for. */
  generations = 0;
  inFlight = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;
  #latency = 0;
  readonly #chains: Chains[] = [];
  #settled: Settled | null = null;
  #broken = 0;
  readonly #heldBack = new Map<HeldBy, HeldBack>();
  /** Exits of the gateway, and the exchanges in flight at each. */
  readonly #ends: { readonly at: number; readonly exchanges: Exchange[] }[] = [];

  /** Returns the chains of a further target. */
  chains(): Chains {
    const chains = new Chains();
    this.#chains.push(chains);
    return chains;
  }

  /**
   * Counts the start of an exchange.
   *
   * @returns a function to be called with the ended exchange; its `freed` is the time when its slot was freed
   *   before its end, or null
   */
  begin(): (exchange: Exchange, freed: number | null) => void {
    this.requests++;
    this.inFlight++;
    return (exchange, freed) => {
      const { started, ended } = exchange.times;
      this.inFlight--;
      this.generations += generationsIn(exchange);
      this.#first = Math.min(this.#first, started);
      this.#last = Math.max(this.#last, ended);
      this.#latency += Math.min(freed ?? ended, ended) - started;
      if (brokeUnanswered(exchange)) this.#broken++;
      if (exchange.failure?.kind === 'ended') this.#hasEnded(exchange);
    };
  }

  /** Records an exit of the gateway, which some broken exchanges report a moment later. */
  #hasEnded(exchange: Exchange): void {
    const { ended } = exchange.times;
    const known = this.#ends.find(({ at }) => Math.abs(at - ended) < sameMomentMs);
    if (known === undefined) this.#ends.push({ at: ended, exchanges: [exchange] });
    else known.exchanges.push(exchange);
  }

  /** Records that some checks were judged once more at the end. */
  settled(settled: Settled): void {
    this.#settled = settled;
  }

  /** Records time in which requests waited and could not be sent. */
  heldBack({ by, ms, ...limit }: HeldBack): void {
    this.#heldBack.set(by, { by, ms: ms + (this.#heldBack.get(by)?.ms ?? 0), ...limit });
  }

  report(): TrafficReport {
    const longest = longestOf(this.#chains.map((chains) => chains.longest));
    return {
      requests: this.requests,
      generations: this.generations,
      spanMs: this.requests === 0 ? 0 : this.#last - this.#first,
      longestChainMs: longest.ms,
      longestChainRequests: longest.requests,
      longestChainPausesMs: longest.pausesMs,
      latencyMs: this.#latency,
      scenarios: this.#chains.flatMap((chains) => chains.durations()),
      ...(this.#ends.length === 0 ? {} : { ended: this.#ends.map(endOf) }),
      ...(this.#broken === 0 ? {} : { brokenConnections: this.#broken }),
      ...(this.#heldBack.size === 0 ? {} : { heldBack: [...this.#heldBack.values()] }),
      ...(this.#settled === null ? {} : { settled: this.#settled }),
    };
  }
}

function endOf({ exchanges }: { readonly exchanges: readonly Exchange[] }): GatewayEnd {
  const [first] = exchanges;
  const request = first === undefined ? '' : requestInWords(first);
  return {
    exchange: first === undefined ? '' : formatId(first.id),
    request,
    underWay: exchanges.length,
  };
}
