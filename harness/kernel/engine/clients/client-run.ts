import type { ExchangeId, HeldBy } from '../../core/index.ts';
import type { Target } from '../../targets/index.ts';
import type { Outcome } from '../outcome.ts';
import type { Scenario } from '../scenario.ts';
import { Phases } from '../schedule/phases.ts';
import type { LateAnswer, Sequence, TargetRun } from '../session.ts';
import type { ClientSession, ClientStart } from './session.ts';

interface ClientRunOptions {
  /** The gateway that the client speaks to, with the client itself. */
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  /** Starts the client, or finds what was recorded of such a start. */
  readonly start: (id: ExchangeId, start: ClientStart) => Promise<ClientSession>;
  readonly now: () => number;
}

/** A run that judges a client: its scenarios send nothing themselves, and start the client. */
export class ClientRun implements TargetRun {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  readonly sequence: Sequence = {};
  readonly outcomes = new Map<Scenario, Promise<Outcome>>();
  readonly phases = new Phases();
  readonly undeclared = new Set<string>();
  readonly lags = new Map<Scenario, readonly LateAnswer[]>();
  readonly heldBy: HeldBy | null = null;
  scenarios = 0;
  scenariosDone = 0;
  /** Starts of the client, in the order in which they ended. */
  readonly sessions: ClientSession[] = [];
  readonly now: () => number;
  readonly #start: ClientRunOptions['start'];
  #moved: () => void = () => {};

  constructor({ target, seed, runId, start, now }: ClientRunOptions) {
    this.target = target;
    this.seed = seed;
    this.runId = runId;
    this.#start = start;
    this.now = now;
  }

  async start(id: ExchangeId, start: ClientStart): Promise<ClientSession> {
    const session = await this.#start(id, start);
    this.sessions.push(session);
    return session;
  }

  send(): never {
    throw new Error('A run that judges a client sends nothing itself');
  }

  open(): never {
    return this.send();
  }

  mayAskAgain(): boolean {
    return false;
  }

  mayAttempt(): boolean {
    return false;
  }

  attempted(): void {}

  /** The client was asked, and nothing is asked twice. */
  settles(): boolean {
    return false;
  }

  async pause(): Promise<void> {}

  deferred(): void {}

  began(): void {}

  prioritise(): void {}

  flaw(): null {
    return null;
  }

  scenarioStarted(): void {
    this.scenarios++;
    this.#moved();
  }

  scenarioEnded(): void {
    this.scenariosDone++;
    this.#moved();
  }

  onMoved(told: () => void): void {
    this.#moved = told;
  }

  moved(): void {
    this.#moved();
  }
}
