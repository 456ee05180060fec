import type { Terminal } from './terminal.ts';

/** A terminal for tests: keeps its output, and lets a test press Ctrl-C. */
export interface MemoryTerminal extends Terminal {
  readonly written: { out: string; err: string };
  interrupt(): void;
  /** Types a line. */
  type(line: string): void;
}

/**
 * @param environment the variables that the command sees
 * @param folder in which the command looks up default files
 */
export function memoryTerminal(
  environment: Terminal['environment'] = {},
  folder?: string,
): MemoryTerminal {
  const written = { out: '', err: '' };
  const listeners = new Set<() => void>();
  const readers = new Set<(line: string) => void>();
  return {
    written,
    environment,
    ...(folder === undefined ? {} : { folder }),
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onLine(listener) {
      readers.add(listener);
      return () => readers.delete(listener);
    },
    type(line) {
      for (const reader of readers) reader(line);
    },
    interrupt() {
      for (const listener of listeners) listener();
    },
  };
}
