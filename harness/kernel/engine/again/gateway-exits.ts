import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange, ExchangeFailure } from '../../core/index.ts';
import { answeredAs } from '../../judge/index.ts';
import type { Limits } from '../../targets/index.ts';
import { addressOf, isGone } from '../../wire/index.ts';
import { firstPauseMs, nextPause, retryBounds } from './bounds.ts';

/**
 * Counts the exits of a gateway. One exit breaks every exchange in flight, and each of these exchanges reports it,
 * some only after the gateway was restarted.
 */
class ExitCount {
  #count = 0;
  /** Time of the last exit, by the clock of the run. */
  #last = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  /** Counts the exit that broke this exchange. @returns true unless the exit was counted already */
  isNew({ times: { started, ended } }: Exchange): boolean {
    if (started <= this.#last) return false;
    this.#last = ended;
    this.#count++;
    return true;
  }
}

/** Returns, for each exit of a gateway in order, the unanswered turns that were in flight. */
export function underWayAtExits(turns: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const broken = turns.filter((turn) => answeredAs(turn) === 'ended');
  if (broken.length === 0) return [];
  const ends = new ExitCount();
  const moments = [...broken]
    .sort((one, other) => one.times.ended - other.times.ended)
    .filter((turn) => ends.isNew(turn))
    .map(({ times }) => times.ended);
  // An exchange that the gateway broke just before it ended looks like a reset connection if the gateway restarted
  // soon.
  const lost = turns.filter((turn) => ['ended', 'nothing'].includes(answeredAs(turn)));
  return moments.map((moment) =>
    lost.filter(({ times }) => times.started <= moment && moment <= times.ended),
  );
}

/**
 * Waits for a gateway that has ended and may be restarted, because requests sent meanwhile would fail. Polls by
 * opening a connection and closing it. After one wait without success, a run waits no further, neither for that
 * host nor for other regions.
 */
export class GatewayExits {
  readonly #patienceMs: number;
  readonly #stop: AbortSignal;
  readonly #reached = new Set<string>();
  readonly #away = new Map<string, Promise<ExchangeFailure | null>>();
  readonly #ends = new ExitCount();
  /** A wait for a host ended without success. */
  #isSpent = false;

  constructor({ limits, stop }: { readonly limits: Limits; readonly stop: AbortSignal }) {
    this.#patienceMs = retryBounds.gone.waitMs(limits);
    this.#stop = stop;
  }

  /** Reason why nothing further is sent (the gateway keeps ending), or null. */
  get givenUp(): ExchangeFailure | null {
    if (this.#ends.count < retryBounds.gone.tries) return null;
    const message = `not sent, because the gateway has ended ${this.#ends.count} times`;
    return { kind: 'unreachable', message };
  }

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

  /** Returns the reason why this address is unreachable, or null if it accepts connections. */
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
