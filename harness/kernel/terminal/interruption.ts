import type { Terminal } from './terminal.ts';

/** Exit code of a process that a signal ended. */
export const interrupted = 130;

/** Prints that a command was interrupted before it judged anything. @returns the exit code */
export function stopped(terminal: Terminal): number {
  terminal.stderr.write('Interrupted before anything was judged.\n');
  return interrupted;
}

/**
 * Handles Ctrl-C during a run: the first one aborts the signal, so that nothing further is sent, but captured
 * exchanges are still judged and reported; the second ends the process at once.
 */
export function interruptible(
  terminal: Terminal,
  say: (line: string) => void,
): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const release = terminal.onInterrupt(() => {
    if (controller.signal.aborted) {
      process.exit(interrupted);
    }
    say(
      'Interrupted: nothing more is sent, and what was captured is judged. Ctrl-C again exits at once.',
    );
    controller.abort();
  });
  return { signal: controller.signal, release };
}
