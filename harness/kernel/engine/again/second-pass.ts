import type { Cause, Exchange } from '../../core/index.ts';
import { seedOf } from '../../drawn/index.ts';
import { Phases } from '../schedule/phases.ts';
import type { TargetRun } from '../session.ts';

/** Requests that are retried at the end: those put off, or those with any transient failure. */
export type Settle = 'none' | 'put-off' | 'transient';

/** Reason why a check is undecided: its cause, or a single broken connection. */
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

/** True if an exchange belongs to the second run of a scenario. */
export function isAskedAgain({ id }: Pick<Exchange, 'id'>): boolean {
  return id.again.includes('put-off');
}

/**
 * Returns a run that sends the same scenarios to the same target once more. Its memo is empty, so that
 * prerequisites are made anew as well. All its requests have new ids and new random data.
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
