import { LiveRun, ownSignal, Recorder, Traffic } from '../../../kernel/engine/index.ts';
import type { Target } from '../../../kernel/targets/index.ts';

/** Data that the global set-up passes to the worker. */
export interface VitestRun {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
}

let run: LiveRun | undefined;

/**
 * The one run of this worker. It stands in a module of its own, because Vitest evaluates the set-up file
 * again for each test file.
 */
export function currentRun(told: VitestRun): LiveRun {
  run ??= new LiveRun({
    ...told,
    stop: ownSignal(undefined).stop,
    traffic: new Traffic(),
    recorder: new Recorder(null),
  });
  return run;
}
