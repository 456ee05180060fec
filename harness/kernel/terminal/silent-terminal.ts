import type { Terminal } from './terminal.ts';

const nowhere = { write: () => true };

/** A terminal that nobody looks at: for programs that call what commands do. */
export const silentTerminal: Terminal = {
  stdout: nowhere,
  stderr: nowhere,
  environment: {},
  onInterrupt: () => () => {},
};
