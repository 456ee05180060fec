import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange, ExchangeFailure } from '../../core/index.ts';
import { answeredAs } from '../../judge/index.ts';
import type { Limits } from '../../targets/index.ts';
import { addressOf, isGone } from '../../wire/index.ts';
import { firstPauseMs, nextPause, retryBounds } from './bounds.ts';

/**
 * Tells the ends of a gateway apart: one end breaks all that is under way, and each of these exchanges says
 * so, some of them only when the gateway has long been started again.
 */
class ExitCount {
  #count = 0;
  /** When it ended last, by the clock of the run. */
  #last = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  /** @returns whether what broke this exchange is an end that is not known yet */
  isNew({ times: { started, ended } }: Exchange): boolean {
    if (started <= this.#last) return false;
    this.#last = ended;
    this.#count++;
    return true;
  }
}

/** For each end of a gateway, in their order: the turns that were under way, and came to nothing. */
export function underWayAtExits(turns: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const broken = turns.filter((turn) => answeredAs(turn) === 'ended');
  const ends = new ExitCount();
  const moments = [...broken]
    .sort((one, other) => one.times.ended - other.times.ended)
    .filter((turn) => ends.isNew(turn))
    .map(({ times }) => times.ended);
  // An exchange that the gateway broke just before it ended looks like a reset connection if the gateway
  // was soon back.
  const lost = turns.filter((turn) => ['ended', 'nothing'].includes(answeredAs(turn)));
  return moments.map((moment) =>
    lost.filter(({ times }) => times.started <= moment && moment <= times.ended),
  );
}

/**
 * Waits for a gateway that has ended, and may be started again: what is sent meanwhile would reach nobody. It
 * looks by opening a connection and closing it. One that nobody starts is waited for once in a run, and so
 * are its other regions.
 */
export class GatewayExits {
  readonly #patienceMs: number;
  readonly #stop: AbortSignal;
  /** Hosts that were reached. */
  readonly #reached = new Set<string>();
  readonly #away = new Map<string, Promise<ExchangeFailure | null>>();
  readonly #ends = new ExitCount();
  /** A host was waited for, and did not come back. */
  #isSpent = false;

  constructor({ limits, stop }: { readonly limits: Limits; readonly stop: AbortSignal }) {
    this.#patienceMs = retryBounds.gone.waitMs(limits);
    this.#stop = stop;
  }

  /** Reason why nothing further is sent (the gateway ends again and again), or null. */
  get givenUp(): ExchangeFailure | null {
    if (this.#ends.count < retryBounds.gone.tries) return null;
    const message = `not sent, because the gateway has ended ${this.#ends.count} times`;
    return { kind: 'unreachable', message };
  }

  /** An exchange has ended. */
  seen(exchange: Exchange): void {
    const { request, response, failure } = exchange;
    const { host } = addressOf(request.url);
    if (response !== null) this.#reached.add(host);
    const hasEnded =
      failure?.kind === 'ended' || (failure?.kind === 'unreachable' && this.#reached.has(host));
    if (!hasEnded || this.#away.has(host)) return;
    this.#ends.isNew(exchange);
    const back = this.#untilBack(request.url, host);
    this.#away.set(host, back);
    void back.then((gone) => {
      if (gone === null) this.#away.delete(host);
    });
  }

  /** Returns the reason why nothing reaches this address any more, or null if somebody listens there. */
  async at(url: string): Promise<ExchangeFailure | null> {
    return (await this.#away.get(addressOf(url).host)) ?? null;
  }

  async #untilBack(url: string, host: string): Promise<ExchangeFailure | null> {
    const since = performance.now();
    for (let pause = firstPauseMs; ; pause = nextPause(pause)) {
      if (this.#stop.aborted || !(await isGone(url))) return null;
      const waited = performance.now() - since;
      if (this.#isSpent || waited + pause > this.#patienceMs) {
        this.#isSpent = true;
        const seconds = Math.round(waited / 1_000);
        const message = `not sent: nobody has listened at ${host} for ${seconds} s, since the gateway ended`;
        return { kind: 'unreachable', message };
      }
      await delay(pause, undefined, { signal: this.#stop }).catch(() => undefined);
    }
  }
}
