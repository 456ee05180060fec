import type { Exchange } from '../../core/exchange.ts';
import type { ClientSession } from './session.ts';

const beginning = '{"session":';

/** A start of the client under test as one line of JSON, without its exchanges, which have lines of their own. */
export function sessionLine({ exchanges: _, ...session }: ClientSession): string {
  return JSON.stringify({ session });
}

/** Whether a line of a recording is of a start. */
export function isSessionLine(line: string): boolean {
  return line.startsWith(beginning);
}

/** The starts of a recording, with their exchanges. @throws {Error} when a line is none */
export function sessionsIn(
  lines: readonly string[],
  exchanges: readonly Exchange[],
): readonly ClientSession[] {
  return lines.map((line) => {
    const { session } = JSON.parse(line) as { session: Omit<ClientSession, 'exchanges'> };
    const own = exchanges.filter(({ key }) => sessionOf(key) === session.key);
    return {
      ...session,
      exchanges: own.sort((one, other) => one.times.started - other.times.started),
    };
  });
}

/** The start that an exchange belongs to: what stands before its own number; null: it is of no client. */
export function sessionOf(key: string): string | null {
  return /^(.*#[^#]*\/\d+)\.\d+$/.exec(key)?.[1] ?? null;
}
