import { protocols } from './protocol.ts';
import type { ClientSubject } from './result.ts';
import { commandLine } from './shell.ts';

/** Returns the command line that judges a client again. @param ids of the checks; empty: all */
export function clientCommandLine(client: ClientSubject, ids: readonly string[] = []): string {
  const { adapter, tasks, speaks, upstreamOf } = client;
  const all = speaks.length === protocols.length;
  return commandLine([
    'touchstone',
    'client',
    ...ids,
    ...(adapter === undefined ? [] : ['--adapter', adapter]),
    ...(client.with === undefined ? [] : ['--with', client.with]),
    ...(tasks && adapter === undefined ? ['--tasks'] : []),
    ...(all ? [] : ['--speaks', speaks.join(',')]),
    ...(upstreamOf === undefined
      ? []
      : ['--upstream-of', upstreamOf.front, '--model', upstreamOf.model]),
    ...(adapter === undefined && upstreamOf === undefined ? ['--', ...client.command] : []),
  ]);
}

export function commandInWords({ command }: Pick<ClientSubject, 'command'>): string {
  return commandLine(command);
}
