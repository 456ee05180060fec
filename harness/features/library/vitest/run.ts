import { LiveRun, ownSignal, Traffic } from '../../../kernel/engine/index.ts';
import { Recorder } from '../../../kernel/recordings/index.ts';
import type { Target } from '../../../kernel/targets/index.ts';

/** Data that the global setup passes to the worker. */
export interface VitestRun {
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
}

let run: LiveRun | undefined;

/**
 * The only run of this worker. It has a separate module, because Vitest evaluates the setup file again for each
 * test file.
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
