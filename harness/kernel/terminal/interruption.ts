import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Terminal } from './terminal.ts';

/** Exit code of a process that a signal ended. */
export const interrupted = 130;

/** Prints that a command was interrupted before it judged anything. @returns the exit code */
export function stopped(terminal: Terminal): number {
  terminal.stderr.write('Interrupted before anything was judged.\n');
  return interrupted;
}

/** Fraction of the heap that may be in use after a full garbage collection: judging and the reports need the rest. */
const fullHeap = 0.6;
/** Bytes of the heap with which a whole run that ends early is still judged and reported. */
const leastHeap = 80 * 1024 ** 2;
/** Bytes of the heap limit that only young objects may use. */
const youngBytes = 48 * 1024 ** 2;

const inMegabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);

/**
 * Calls a function with the megabytes of the heap when it is nearly full, until the returned function is called.
 *
 * @throws {Error} ENOMEM if the heap is too small for a run
 */
function onFullHeap(full: (megabytes: number) => void, heap: typeof getHeapStatistics): () => void {
  const most = heap().heap_size_limit - youngBytes;
  if (most < leastHeap) {
    const needed = `Node may use ${inMegabytes(most)} MB, and a run needs ${inMegabytes(leastHeap)}`;
    const remedy = 'raise --max-old-space-size in NODE_OPTIONS';
    throw Object.assign(new Error(`${needed}: ${remedy}`), { code: 'ENOMEM' });
  }
  const observer = new PerformanceObserver((list) => {
    const { used_heap_size: used } = heap();
    const isCollected = list
      .getEntries()
      .some((one) => Object(one).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (isCollected && used > fullHeap * most) full(inMegabytes(most));
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}

/**
 * Handles Ctrl-C during a run: the first one aborts the signal, so that nothing further is sent, but captured
 * exchanges are still judged and reported; the second ends the process at once. So does a heap that is nearly full:
 * V8 would end the process without reports.
 *
 * @throws {Error} ENOMEM if the heap is too small for a run
 */
export function interruptible(
  terminal: Terminal,
  say: (line: string) => void,
  heap = getHeapStatistics,
): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const end = (why: string, remedy: string): void => {
    say(`${why}: nothing more is sent, and what was captured is judged. ${remedy}.`);
    controller.abort();
  };
  const release = terminal.onInterrupt(() => {
    if (controller.signal.aborted) {
      process.exit(interrupted);
    }
    end('Interrupted', 'Ctrl-C again exits at once');
  });
  const relieve = onFullHeap((megabytes) => {
    const why = `The ${megabytes} MB of memory that Node may use are nearly full`;
    if (!controller.signal.aborted) end(why, 'Raise --max-old-space-size in NODE_OPTIONS');
  }, heap);
  return {
    signal: controller.signal,
    release() {
      release();
      relieve();
    },
  };
}
