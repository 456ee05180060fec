#!/usr/bin/env node
// Nothing is imported before the version is known to do: an older Node would stop at the first line
// that it cannot read, with a message that teaches nothing.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Touchstone needs Node 20.19 or newer; this is ${process.version}. Install a newer Node and try again.\n`,
  );
  process.exitCode = 3;
} else {
  const { touchstone } = await import('./program.ts');
  const { processTerminal } = await import('../terminal/terminal.ts');
  const { failureOf } = await import('../terminal/failure.ts');
  // Node would exit with 1, which says that the gateway is not conformant.
  process.on('uncaughtException', (error) => {
    const { message, exitCode } = failureOf(error);
    process.stderr.write(`${message}\n`, () => process.exit(exitCode));
  });
  // `touchstone list | head`: a reader that has enough is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await touchstone(process.argv.slice(2), processTerminal());
}

export {};
