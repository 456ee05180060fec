import { EventEmitter, once } from 'node:events';
import type { ExchangeFailure } from '../../core/index.ts';
import type { Scenario } from '../scenario.ts';
import type { Traffic } from '../traffic.ts';

/**
 * The generations that a run may have served. What is under way counts until its answer comes: a generation that the
 * gateway refuses is given back.
 */
export class Purse {
  readonly #most: number;
  readonly #traffic: Pick<Traffic, 'generations'>;
  readonly #payments = new Set<Payment>();
  readonly #ends = new EventEmitter().setMaxListeners(0);

  constructor(most: number, traffic: Pick<Traffic, 'generations'>) {
    this.#most = most;
    this.#traffic = traffic;
  }

  /** Failure of a request that nothing is left for. */
  get empty(): ExchangeFailure {
    const message = `not sent: ${this.#most} generations were served before, and no more may be`;
    return { kind: 'over-budget', message };
  }

  /** @param isConnection true for a WebSocket: its scenario has to end it, and a request ends by itself */
  payment(by: Scenario, isConnection: boolean): Payment {
    const payment = new Payment(by, isConnection, this);
    this.#payments.add(payment);
    return payment;
  }

  get isEmpty(): boolean {
    const underWay = [...this.#payments].reduce((sum, { taken }) => sum + taken, 0);
    return this.#traffic.generations + underWay >= this.#most;
  }

  /** Waits until something under way ends. @returns false if all of it waits itself, as the scenario does */
  async someEnd(by: Scenario): Promise<boolean> {
    const all = [...this.#payments];
    const waiting = new Set([by, ...all.flatMap((one) => (one.waits ? [one.by] : []))]);
    const ends = all.some((one) => one.taken > 0 && !(one.isConnection && waiting.has(one.by)));
    if (ends) await once(this.#ends, 'end');
    return ends;
  }

  /** Gives a payment back: all of it, or what it has less by now. */
  givenBack(payment: Payment, isAll: boolean): void {
    if (isAll) this.#payments.delete(payment);
    this.#ends.emit('end');
  }
}

/** The generations of a request, or of a WebSocket connection. */
export class Payment {
  taken = 0;
  waits = false;
  readonly by: Scenario;
  readonly isConnection: boolean;
  readonly #purse: Purse;

  constructor(by: Scenario, isConnection: boolean, purse: Purse) {
    this.by = by;
    this.isConnection = isConnection;
    this.#purse = purse;
  }

  /** Takes a generation as soon as one is left. @returns false if none comes back */
  async take(): Promise<boolean> {
    while (this.#purse.isEmpty) {
      const end = this.#purse.someEnd(this.by);
      this.waits = true;
      const isLeft = await end;
      this.waits = false;
      if (!isLeft) return false;
    }
    this.taken++;
    return true;
  }

  /** Gives one back whose turn was refused. A gateway may send errors that answer no turn. */
  refused(): void {
    this.taken = Math.max(0, this.taken - 1);
    this.#purse.givenBack(this, false);
  }

  /** Gives all back when the answer has come, and the served ones are counted. */
  end(): void {
    this.#purse.givenBack(this, true);
  }
}
