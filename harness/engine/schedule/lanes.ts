import type { Exchange } from '../../core/exchange.ts';
import type { Call, Caller, CallOptions, SocketSession } from '../../protocols/call.ts';
import { asksToGenerate } from '../../protocols/modules.ts';
import { mostGenerations, type Scenario } from '../scenario.ts';
import type { TargetRun } from '../session.ts';
import { type Hostile, hostileIn, isRaw } from './hostile.ts';
import { phases } from './phases.ts';

/**
 * The exchanges of one scenario at one target. Each has a key of lane and ordinal; the ordinal is
 * taken in the same tick as the call is made, before any waiting, so that keys do not depend on
 * which answer came first. Chains that run side by side take a lane each.
 *
 * It asks for no more generations than the scenario declares, whatever a gateway answers: what a plan says
 * is what a user pays at most.
 */
export class Lanes {
  readonly #run: TargetRun;
  readonly #scenario: Scenario;
  readonly #pending: (() => Promise<Exchange>)[] = [];
  readonly #ordinals = new Map<string, number>();
  #generations = 0;

  constructor(run: TargetRun, scenario: Scenario) {
    this.#run = run;
    this.#scenario = scenario;
  }

  /** A caller whose exchanges are numbered in this lane. */
  caller(lane: string): Caller {
    return {
      send: (call, options) => this.#send(lane, call, options ?? {}),
      open: (call, options) => this.#open(lane, call, options ?? {}),
    };
  }

  /** All exchanges, in the order of their calls, once the last of them has ended. */
  async settled(): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    // A call made while we wait, by the loser of a race, is waited for as well.
    for (let index = 0; index < this.#pending.length; index++) {
      const ended = this.#pending[index];
      if (ended !== undefined) exchanges.push(await ended());
    }
    return exchanges;
  }

  /** A request goes to the region of its scenario unless it names another. */
  #atHome(options: CallOptions): CallOptions {
    const { home } = this.#scenario;
    return home === null ? options : { region: home, ...options };
  }

  #key(lane: string): string {
    const ordinal = this.#ordinals.get(lane) ?? 0;
    this.#ordinals.set(lane, ordinal + 1);
    return `${this.#scenario.name}#${lane}/${ordinal}`;
  }

  #send(lane: string, call: Call, options: CallOptions): Promise<Exchange> {
    if (asksToGenerate(call)) this.#asksToGenerate();
    this.#isHostile(hostileIn(call, options));
    const exchange = this.#run.send(this.#key(lane), this.#scenario, call, this.#atHome(options));
    this.#pending.push(() => exchange);
    return exchange;
  }

  async #open(lane: string, call: Call, options: CallOptions): Promise<SocketSession> {
    this.#isHostile(hostileIn(call, options));
    const key = this.#key(lane);
    const opening = this.#run.open(key, this.#scenario, call, this.#atHome(options));
    // A socket that the scenario leaves open is closed when it ends.
    this.#pending.push(async () => (await opening).exchange());
    const session = await opening;
    return {
      ...session,
      send: (frame) => {
        // Whatever it says: who serves everything takes it for a turn.
        this.#asksToGenerate();
        this.#isHostile(isRaw(frame) ? 'input' : null);
        session.send(frame);
      },
    };
  }

  /** @throws {Error} when it would send too early what a gateway may defend itself against */
  #isHostile(what: Hostile | null): void {
    const { name, phase } = this.#scenario;
    if (what === null || phases.indexOf(phase) >= phases.indexOf(what)) return;
    throw new Error(
      `${name} sends ${what === 'input' ? 'input' : 'a credential'} that a gateway may defend itself against, ` +
        `before others have had their turn: say \`hostile: '${what}'\` among its options.`,
    );
  }

  /** @throws {Error} when a scenario asks for more than its cost says, before anybody pays for it */
  #asksToGenerate(): void {
    const { name } = this.#scenario;
    const most = mostGenerations(this.#scenario.costAt(this.#run.target));
    this.#generations++;
    if (this.#generations <= most) return;
    throw new Error(
      `${name} declares ${most} generations at most, and asks for one more. Its cost has to count every ` +
        'request and every frame that asks a model to generate: under `generations` what a right gateway ' +
        'serves, under `refused` what has to be refused.',
    );
  }
}

/** The lane in the key of an exchange. */
export function laneOf(key: string): string {
  return key.slice(key.lastIndexOf('#') + 1, key.lastIndexOf('/'));
}
