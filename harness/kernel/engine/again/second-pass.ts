import type { Cause, Exchange } from '../../core/index.ts';
import { Phases } from '../schedule/phases.ts';
import { seedOf } from '../seed.ts';
import type { TargetRun } from '../session.ts';

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

/**
 * Returns a run that sends the same scenarios to the same target once more, with an empty memo, so that what
 * they build on is made anew as well. All that they send are new requests, with ids and words of their own.
 */
export function secondPass(run: TargetRun): TargetRun {
  const own: Partial<TargetRun> = {
    outcomes: new Map(),
    phases: new Phases(),
    seed: seedOf(run.seed, 'put-off'),
    pass: ['put-off'],
    recorded: run.recordedAgain,
    load: undefined,
  };
  return new Proxy(run, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
