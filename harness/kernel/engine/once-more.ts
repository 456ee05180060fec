import type { Cause, Exchange, ExchangeId } from '../core/index.ts';
import type { Call, CallOptions, SocketSession } from '../protocols/index.ts';
import type { LateAnswer } from './consistency.ts';
import type { Outcome } from './outcome.ts';
import type { Scenario } from './scenario.ts';
import { Phases } from './schedule/phases.ts';
import { seedOf } from './seed.ts';
import type { Sequence, TargetRun } from './session.ts';

/**
 * Requests that are retried when everything else has its outcome: those that the gateway put off, or those
 * with any transient failure.
 */
export type Settle = 'none' | 'put-off' | 'transient';

/**
 * Reason why something is undecided: its cause, or a single broken connection of a gateway that is
 * reachable.
 */
type Reason = Cause | 'broken-connection';

const putOff: ReadonlySet<Reason> = new Set([
  'rate-limit',
  'overload',
  'locked-out',
  'broken-connection',
]);
const transient: ReadonlySet<Reason> = new Set([...putOff, 'timeout', 'unreachable']);

/** True if a check that is undecided for this cause is retried. */
export function isSettled(cause: Reason, settle: Settle): boolean {
  return settle !== 'none' && (settle === 'put-off' ? putOff : transient).has(cause);
}

/** True if an exchange belongs to a scenario that ran once more. */
export function isAskedAgain({ id }: Pick<Exchange, 'id'>): boolean {
  return id.again.includes('put-off');
}

function onceMore(id: ExchangeId): ExchangeId {
  return { ...id, again: [...id.again, 'put-off'] };
}

/**
 * A run once more: the same scenarios at the same target, with an empty memo, so that what they build on is
 * made anew as well. All that they send are new requests, with ids and words of their own.
 */
export class OnceMore implements TargetRun {
  readonly outcomes = new Map<Scenario, Promise<Outcome>>();
  readonly phases = new Phases();
  readonly seed: number;
  readonly #run: TargetRun;

  constructor(run: TargetRun) {
    this.#run = run;
    this.seed = seedOf(run.seed, 'put-off');
  }

  get target(): TargetRun['target'] {
    return this.#run.target;
  }

  get runId(): string {
    return this.#run.runId;
  }

  get sequence(): Sequence {
    return this.#run.sequence;
  }

  get recorded(): readonly Exchange[] | undefined {
    return this.#run.recordedAgain;
  }

  get sentinels(): readonly Exchange[] {
    return this.#run.sentinels ?? [];
  }

  get undeclared(): Set<string> {
    return this.#run.undeclared;
  }

  get lags(): Map<Scenario, readonly LateAnswer[]> {
    return this.#run.lags;
  }

  get scenarios(): number {
    return this.#run.scenarios;
  }

  get scenariosDone(): number {
    return this.#run.scenariosDone;
  }

  send(id: ExchangeId, scenario: Scenario, call: Call, options: CallOptions): Promise<Exchange> {
    return this.#run.send(onceMore(id), scenario, call, options);
  }

  open(id: ExchangeId, scenario: Scenario, call: Call, how: CallOptions): Promise<SocketSession> {
    return this.#run.open(onceMore(id), scenario, call, how);
  }

  mayAskAgain(id: ExchangeId, before: number | null): boolean {
    return this.#run.mayAskAgain(onceMore(id), before);
  }

  mayAttempt(id: ExchangeId, call: Call): boolean {
    return this.#run.mayAttempt(onceMore(id), call);
  }

  attempted(scenario: Scenario, isAnswered: boolean): void {
    this.#run.attempted(scenario, isAnswered);
  }

  /** Once is enough. */
  settles(): boolean {
    return false;
  }

  now(): number {
    return this.#run.now();
  }

  pause(milliseconds: number, scenario: Scenario, lane: string): Promise<void> {
    return this.#run.pause(milliseconds, scenario, lane);
  }

  deferred(scenario: Scenario, behind: readonly Scenario[], by: Scenario): void {
    this.#run.deferred(scenario, behind, by);
  }

  began(scenario: Scenario): void {
    this.#run.began(scenario);
  }

  scenarioStarted(): void {
    this.#run.scenarioStarted();
  }

  scenarioEnded(scenario: Scenario): void {
    this.#run.scenarioEnded(scenario);
  }

  flaw(scenario: Scenario): Error | null {
    return this.#run.flaw(scenario);
  }

  prioritise(): void {}

  onMoved(told: () => void): void {
    this.#run.onMoved(told);
  }
}
