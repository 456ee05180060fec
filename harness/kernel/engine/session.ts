import type { AgainReason, Cause, Exchange, ExchangeId, HeldBy, Lag } from '../core/index.ts';
import type { Call, CallOptions, SocketSession } from '../protocols/index.ts';
import type { Load } from '../recordings/index.ts';
import type { Target } from '../targets/index.ts';
import type { EvidenceOf } from './judge.ts';
import type { Outcome } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import type { Phases } from './schedule/phases.ts';

/** Sequence in which the scenarios of a run start. No verdict may depend on it. */
export interface Sequence {
  /** Uses an order drawn from the run's seed, neither the declared one nor the longest chain first. */
  readonly shuffle?: boolean | undefined;
  /** Starts each scenario after the outcome of the one before. Default: all start together. */
  readonly serial?: boolean | undefined;
}

/** Maximum numbers of requests. Hostile ones may have another pace. */
export interface RequestsLeft {
  readonly ordinary: number;
  readonly hostile: number;
}

/** Load of a run. Its generations belong to no scenario. */
export interface LoadBeside extends Load {
  /** Resolves when the load is established: the run waits for it. */
  readonly begun: Promise<void>;
  /** Starts no further generation. @returns all exchanges of the load, after the last has ended */
  end(): Promise<readonly Exchange[]>;
}

/** An answer that showed a change of a stored response late, and the delay. */
export interface LateAnswer extends Lag {
  /** Id of the exchange that showed it. */
  readonly exchange: string;
}

export interface Retry {
  /** True if it costs a generation that its scenario does not count. */
  readonly generates?: boolean;
  /** Time of the run after which it is not sent. */
  readonly before?: number | null;
  /** False if the connection did not break. It is then sent only if a hostile request may be the reason. */
  readonly isBroken?: boolean;
}

/** Decides which requests a run retries. A replay allows those that were recorded. */
export interface Retrying {
  /** Maximum number of requests that may still be sent. Absent if nothing is sent. */
  readonly requestsLeft?: RequestsLeft;
  /** True if a further request may be sent under this id, whose members give the reason. */
  may(id: ExchangeId, retry?: Retry): boolean;
  /** Records a request whose connection broke, and whether a later attempt was answered. */
  attempted(scenario: Scenario, isAnswered: boolean): void;
  /**
   * True if a check that is undecided for this cause is retried at the end of the run. To be called when everything
   * else has its outcome.
   */
  settles(cause: Cause, scenarios: readonly Scenario[]): boolean;
}

/** One target within a run: its memo of scenarios, and the only way to send anything to it. */
export interface TargetRun {
  readonly target: Target;
  readonly seed: number;
  /** Distinguishes the requests of this run from those of any other run against the same gateway. */
  readonly runId: string;
  readonly sequence: Sequence;
  readonly outcomes: Map<Scenario, Promise<Outcome>>;
  readonly phases: Phases;
  /** Reasons for which every request of this pass repeats an earlier one. */
  readonly pass?: readonly AgainReason[];
  /** Recorded exchanges of this pass, if the run is a replay. */
  readonly recorded?: readonly Exchange[] | undefined;
  /** Exchanges of the second pass among the recorded ones. */
  readonly recordedAgain?: readonly Exchange[];
  /** Requests that the run itself sent to test for a lockout. */
  readonly sentinels?: readonly Exchange[];
  /** Load in flight during the run. Absent unless it was requested. */
  readonly load?: LoadBeside | undefined;
  send(id: ExchangeId, scenario: Scenario, call: Call, options: CallOptions): Promise<Exchange>;
  open(
    id: ExchangeId,
    scenario: Scenario,
    call: Call,
    options: CallOptions,
  ): Promise<SocketSession>;
  readonly retries: Retrying;
  /** Reason why the run may send nothing at this moment; null or absent if it may. */
  readonly heldBy?: HeldBy | null;
  /** Milliseconds since the start of the run. */
  now(): number;
  /** Names of scenarios that continue more stored responses than their cost declares. */
  readonly undeclared: Set<string>;
  /** Late answers, by the scenarios that waited for them. */
  readonly lags: Map<Scenario, readonly LateAnswer[]>;
  /** Waits between two polls of a lane. Ends early when the run is interrupted. */
  pause(milliseconds: number, scenario: Scenario, lane: string): Promise<void>;
  /** Records that an expiring scenario starts after the scenarios `behind`, because `by` needs them. */
  deferred(scenario: Scenario, behind: readonly Scenario[], by: Scenario): void;
  began(scenario: Scenario): void;
  scenarioStarted(): void;
  scenarioEnded(scenario: Scenario): void;
  /** Waits for what may still come of the scenarios after the last has ended. Absent: nothing. */
  readonly late?: () => Promise<void>;
  /** Returns the evidence of a verdict. Default: request and answer. */
  readonly evidenceOf?: EvidenceOf;
  /** Returns the reason why the capture of a scenario does not count, or null. */
  flaw(scenario: Scenario): Error | null;
  readonly scenarios: number;
  readonly scenariosDone: number;
  /** Drops an outcome that is not needed any more, so that a long run keeps a bounded amount. */
  forget?(scenario: Scenario): Promise<void>;
  /** Prioritises the longest chains of requests among these scenarios and their prerequisites. */
  prioritise(scenarios: Iterable<Scenario>): void;
  /** Sets a function to be called after every change that a progress display may want to show. */
  onMoved(told: () => void): void;
}
