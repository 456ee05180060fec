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
  // Exit code (`exitCodes.broken`) if the process ends before there is a verdict: Node's own would be 1,
  // which means that the gateway is not conformant.
  process.exitCode = 5;
  let said = (error: unknown) => ({ message: unloaded(error), exitCode: 5 });
  process.on('uncaughtException', (error) => {
    const { message, exitCode } = said(error);
    process.stderr.write(`${message}\n`, () => process.exit(exitCode));
  });
  // V8 optimises every function after some hundred calls. In a command of seconds without a hot spot that takes more
  // processor time than it saves; a server needs it. Versions of Node after 20 refuse the flag.
  if (
    major === 20 &&
    /^(run|demo|recheck|explore|certify|verify|prove)$/.test(process.argv[2] ?? '')
  )
    (await import('node:v8')).setFlagsFromString('--interrupt-budget=1000000');
  const { failureOf } = await import('./kernel/terminal/failure.ts');
  said = failureOf;
  await import('./features.ts');
  const { touchstone } = await import('./kernel/cli/program.ts');
  const { flushed, processTerminal } = await import('./kernel/terminal/terminal.ts');
  const code = await touchstone(process.argv.slice(2), processTerminal());
  process.exitCode = await flushed(code);
}

/** Message for an error that occurs before the commands are loaded. */
function unloaded(error: unknown): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const isLimit = /^E(?:MFILE|NFILE|NOMEM|AGAIN|IO)\b/.test(message);
  const why = isLimit ? `${message} (see \`ulimit -a\`)` : stack;
  return `Touchstone could not be loaded. This says nothing about the gateway.\n${why}`;
}

export {};
