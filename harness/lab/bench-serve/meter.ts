/**
 * Loaded into a measured process before its own code: tells whoever started it what it has used so far,
 * each time that it is asked.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Resources that a process has used since it started, and the delays since the last query. */
export interface ServerUsage {
  /** Microseconds of all cores. */
  readonly cpu: number;
  /** Bytes of its objects, after a collection where the collector can be called. */
  readonly heap: number;
  /** Milliseconds by which its event loop was late, 99 times out of 100 at most, and at the most. */
  readonly delay: number;
  readonly longestDelay: number;
}

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();

process.on('message', () => {
  const [delay, longestDelay] = [delays.percentile(99) / 1e6, delays.max / 1e6];
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  const usage: ServerUsage = { cpu: user + system, heap: heapUsed + external, delay, longestDelay };
  delays.reset();
  process.send?.(usage);
});
// An open channel does not keep the process alive.
process.channel?.unref();
