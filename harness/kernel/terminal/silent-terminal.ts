import type { Terminal } from './terminal.ts';

const nowhere = { write: () => true };

/** A terminal without output, for programs that call the functions of commands. */
export const silentTerminal: Terminal = {
  stdout: nowhere,
  stderr: nowhere,
  environment: {},
  onInterrupt: () => () => {},
};
