import type { Exchange } from '../../core/index.ts';
import {
  asksToGenerate,
  type Call,
  type Caller,
  type CallOptions,
  type SocketSession,
} from '../../protocols/index.ts';
import { KeptConnection } from '../../wire/index.ts';
import { RetryingSender } from '../again/index.ts';
import type { Received, WaitsFor } from '../io.ts';
import type { Scenario } from '../scenario.ts';
import type { TargetRun } from '../session.ts';
import { type Hostile, hostileIn, isRaw } from './hostile.ts';
import { phases } from './phases.ts';

/**
 * Sends the exchanges of one scenario at one target. Concurrent chains take a lane each. A scenario cannot send
 * more generations than it declares, whatever a gateway answers: a user never pays more than the plan says.
 */
export class Lanes {
  readonly #run: TargetRun;
  readonly #scenario: Scenario;
  readonly #received: Promise<Received>[] = [];
  readonly #sender: RetryingSender;
  readonly #connections: KeptConnection[] = [];
  #generations = 0;

  /** @param before exchanges of the prerequisites */
  constructor(run: TargetRun, scenario: Scenario, before: readonly Exchange[]) {
    this.#run = run;
    this.#scenario = scenario;
    this.#sender = new RetryingSender(run, scenario, before);
  }

  /** Returns a caller whose exchanges are numbered in this lane. */
  caller(lane: string): Caller {
    return {
      send: (call, options) => this.#send(lane, call, options ?? {}),
      open: (call, options) => this.#open(lane, call, options ?? {}),
    };
  }

  receive<Some extends Received>(lane: string, wait: WaitsFor<Some>): Promise<Some> {
    const received = wait(this.#sender.takeId(lane), this.#run);
    this.#received.push(received);
    return received;
  }

  /** Returns a connection that is kept until all exchanges have ended. */
  connection(): KeptConnection {
    const connection = new KeptConnection();
    this.#connections.push(connection);
    return connection;
  }

  /** Returns all exchanges in the order in which they were sent, after the last of them has ended. */
  async settled(): Promise<Exchange[]> {
    const exchanges = await this.#sender.settled();
    for (const received of this.#received) {
      const seen = await received.catch(() => null);
      exchanges.push(...(seen?.exchanges ?? []));
    }
    for (const connection of this.#connections) connection.close();
    return exchanges;
  }

  #send(lane: string, call: Call, given: CallOptions): Promise<Exchange> {
    if (asksToGenerate(call)) this.#asksToGenerate();
    this.#isHostile(hostileIn(call, given));
    return this.#sender.send(lane, call, given);
  }

  async #open(lane: string, call: Call, given: CallOptions): Promise<SocketSession> {
    this.#isHostile(hostileIn(call, given));
    const session = await this.#sender.open(lane, call, given);
    return {
      ...session,
      send: (frame) => {
        // Any frame counts, because a gateway that serves everything takes it for a turn.
        this.#asksToGenerate();
        this.#isHostile(isRaw(frame) ? 'input' : null);
        session.send(frame);
      },
    };
  }

  /** @throws {Error} if the scenario sends a hostile request before the phase of such requests */
  #isHostile(what: Hostile | null): void {
    const { name, phase } = this.#scenario;
    if (what === null || phases.indexOf(phase) >= phases.indexOf(what)) return;
    throw new Error(
      `${name} sends ${what === 'input' ? 'input' : 'a credential'} that a gateway may defend itself against, ` +
        `before others have had their turn: say \`hostile: '${what}'\` among its options.`,
    );
  }

  /** @throws {Error} before a generation beyond the declared cost of the scenario is sent */
  #asksToGenerate(): void {
    const { name } = this.#scenario;
    const { generations, refused = 0, fallback = 0 } = this.#scenario.costAt(this.#run.target);
    const most = generations + refused + fallback;
    this.#generations++;
    if (this.#generations <= most) return;
    throw new Error(
      `${name} declares ${most} generations at most, and asks for one more. Its cost has to count every ` +
        'request and every frame that asks a model to generate: under `generations` what a right gateway ' +
        'serves, under `refused` what has to be refused, under `fallback` what is only asked for where the rest ' +
        'did not show it.',
    );
  }
}
