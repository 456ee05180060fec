import type { Terminal } from './terminal.ts';

/** True if a person can be asked: both input and output are a terminal. */
export function canAsk({ stdout, onLine }: Terminal): boolean {
  return onLine !== undefined && stdout.isTTY === true;
}

/**
 * Asks the user, and waits for a line.
 *
 * @returns the trimmed line; empty if the user only presses Enter, or interrupts
 */
export function question(terminal: Terminal, text: string, stop: AbortSignal): Promise<string> {
  terminal.stdout.write(text);
  return new Promise((resolve) => {
    const end = (line: string): void => {
      release?.();
      stop.removeEventListener('abort', interrupted);
      resolve(line.trim());
    };
    const interrupted = (): void => end('');
    const release = terminal.onLine?.(end);
    stop.addEventListener('abort', interrupted);
    if (stop.aborted) end('');
  });
}
