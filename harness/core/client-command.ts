import { protocols } from './protocol.ts';
import type { ClientSubject } from './result.ts';

/** The command line that judges a client again, by these ids only. */
export function clientCommandLine(client: ClientSubject, ids: readonly string[] = []): string {
  const { adapter, tasks, speaks, upstreamOf } = client;
  const all = speaks.length === protocols.length;
  return [
    'touchstone client',
    ...ids,
    ...(adapter === undefined ? [] : ['--adapter', adapter]),
    ...(client.with === undefined ? [] : ['--with', quoted(client.with)]),
    ...(tasks && adapter === undefined ? ['--tasks'] : []),
    ...(all ? [] : ['--speaks', speaks.join(',')]),
    ...(upstreamOf === undefined
      ? []
      : ['--upstream-of', quoted(upstreamOf.front), '--model', quoted(upstreamOf.model)]),
    ...(adapter === undefined && upstreamOf === undefined ? ['--', commandInWords(client)] : []),
  ].join(' ');
}

/** The command as a shell takes it. */
export function commandInWords({ command }: Pick<ClientSubject, 'command'>): string {
  return command.map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
