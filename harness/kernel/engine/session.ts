import type { AgainReason, Cause, Exchange, ExchangeId, HeldBy, Lag } from '../core/index.ts';
import type { Call, CallOptions, SocketSession } from '../protocols/index.ts';
import type { Target } from '../targets/index.ts';
import type { ClientSession, ClientStart } from './clients/session.ts';
import type { Load } from './load/load.ts';
import type { Outcome } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import type { Phases } from './schedule/phases.ts';

/** In what sequence the scenarios of a run start. It must decide no verdict. */
export interface Sequence {
  /** In an order that the run's seed draws: neither as they are written, nor the longest chain first. */
  readonly shuffle?: boolean | undefined;
  /** One when the one before has its outcome; by default all start together. */
  readonly serial?: boolean | undefined;
}

/** Requests, at most: those that a gateway may defend itself against may have a pace of their own. */
export interface RequestsLeft {
  readonly ordinary: number;
  readonly hostile: number;
}

/** Generations of others during a run. They belong to no scenario. */
export interface LoadBeside extends Load {
  /** When there is load: the run waits for it. */
  readonly begun: Promise<void>;
  /** Nothing further is asked for. @returns what it has exchanged, when the last of it has ended */
  end(): Promise<readonly Exchange[]>;
}

/** An answer that showed late what was done to a stored response, and by how long. */
export interface LateAnswer extends Lag {
  /** Id of the exchange that showed it. */
  readonly exchange: string;
}

export interface Retry {
  /** True if it costs a generation that its scenario does not count. */
  readonly generates?: boolean;
  /** Time of the run after which it is not sent. */
  readonly before?: number | null;
}

/** Decides what a run sends again. A recording allows what was sent. */
export interface Retrying {
  /** Maximum number of requests that may still be sent. Absent if nothing is sent. */
  readonly requestsLeft?: RequestsLeft;
  /** True if a further request may be sent under this id, whose members say why. */
  may(id: ExchangeId, retry?: Retry): boolean;
  /** Learns of a request whose connection broke whether a later attempt was answered. */
  attempted(scenario: Scenario, isAnswered: boolean): void;
  /**
   * True if a check that is undecided for this cause is retried at the end of the run. To be asked when all
   * else has its outcome.
   */
  settles(cause: Cause, scenarios: readonly Scenario[]): boolean;
}

/** One target within a run: its memo of scenarios, and the only way to send anything to it. */
export interface TargetRun {
  readonly target: Target;
  readonly seed: number;
  /** Tells this run's requests from those of any other run against the same gateway. */
  readonly runId: string;
  readonly sequence: Sequence;
  readonly outcomes: Map<Scenario, Promise<Outcome>>;
  readonly phases: Phases;
  /** Reasons for which every request of this pass repeats an earlier one. */
  readonly pass?: readonly AgainReason[];
  /** All that was recorded, where nothing is sent any more. */
  readonly recorded?: readonly Exchange[] | undefined;
  /** Retries among the recorded exchanges. */
  readonly recordedAgain?: readonly Exchange[];
  /** Requests that the run itself sent to see if it is locked out. */
  readonly sentinels?: readonly Exchange[];
  /** Load in flight during the run. Absent unless it was asked for. */
  readonly load?: LoadBeside | undefined;
  send(id: ExchangeId, scenario: Scenario, call: Call, options: CallOptions): Promise<Exchange>;
  open(
    id: ExchangeId,
    scenario: Scenario,
    call: Call,
    options: CallOptions,
  ): Promise<SocketSession>;
  /** Starts the client under test; only where one is judged. */
  start?(id: ExchangeId, start: ClientStart): Promise<ClientSession>;
  readonly retries: Retrying;
  /** Reason why the run may send nothing at this moment; null or absent if it may. */
  readonly heldBy?: HeldBy | null;
  /** Milliseconds since the start of the run. */
  now(): number;
  /** Scenarios that go on from more stored responses than their cost says: there are none at a right gateway. */
  readonly undeclared: Set<string>;
  /** Late answers, by the scenarios that waited for them. */
  readonly lags: Map<Scenario, readonly LateAnswer[]>;
  /** Waits between two polls of a lane; ends early when the run is interrupted. */
  pause(milliseconds: number, scenario: Scenario, lane: string): Promise<void>;
  /** Notes that an expiring scenario starts after the scenarios `behind`, because `by` needs them. */
  deferred(scenario: Scenario, behind: readonly Scenario[], by: Scenario): void;
  /** Its phase has come. */
  began(scenario: Scenario): void;
  scenarioStarted(): void;
  scenarioEnded(scenario: Scenario): void;
  /** Returns the reason why the capture of a scenario does not count, or null. */
  flaw(scenario: Scenario): Error | null;
  readonly scenarios: number;
  readonly scenariosDone: number;
  /** Nobody asks any more for what came of a scenario: a run of any length keeps no more than what is under way. */
  forget?(scenario: Scenario): Promise<void>;
  /** Lets the scenarios that most requests wait for go first, among these and what comes before them. */
  prioritise(scenarios: Iterable<Scenario>): void;
  /** Tells whenever something happened that a progress display may want to show. */
  onMoved(told: () => void): void;
}
