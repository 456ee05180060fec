import {
  finite,
  flag,
  formatId,
  idShape,
  isObject,
  kind,
  listOf,
  objectOf,
  oneOf,
  orNull,
  parsed,
  protocols,
  type Read,
  sameId,
  text,
} from '../../kernel/core/index.ts';
import type { Recording } from '../../kernel/engine/index.ts';
import type { Script } from './script.ts';
import { type ClientSession, clientOutcomes, clientTasks } from './session.ts';

/** Formats a start of the client as one line of JSON, without its exchanges. */
export function sessionLine({ id, exchanges: _, ...session }: ClientSession): string {
  return JSON.stringify({ session: { id: formatId(id), ...session } });
}

/** A recorded script is only compared with the script of today's check, so any object is valid. */
const script = kind('a script', (value): value is Script => isObject(value));

const isTrue = kind('true', (value): value is true => value === true);

const lineShape: Read<{ readonly session: Omit<ClientSession, 'exchanges'> }> = objectOf({
  session: objectOf(
    {
      id: idShape,
      protocol: oneOf(...protocols),
      task: oneOf(...clientTasks),
      stream: flag,
      script,
      model: text,
      word: text,
      mask: text,
      region: text,
      met: flag,
      run: objectOf({
        startedAt: finite,
        endedAt: finite,
        exit: orNull(finite),
        endedBy: oneOf('itself', 'quiet', 'timeout', 'interruption'),
        stdout: text,
        stderr: text,
        answer: orNull(
          objectOf(
            {},
            {
              text,
              id: text,
              status: text,
              outcome: oneOf(...clientOutcomes),
              error: objectOf({ message: text }, { status: finite }),
              tokens: finite,
              models: listOf(text),
              unsupported: isTrue,
            },
          ),
        ),
        problem: orNull(text),
      }),
    },
    {
      front: objectOf({
        origin: text,
        protocol: oneOf(...protocols),
        kind: oneOf('unreachable', 'key-refused', 'not-served', 'served'),
        said: text,
      }),
      isAlone: isTrue,
      connections: finite,
      stalledMs: finite,
    },
  ),
});

/** Reads the starts of a recording, each by its last line, with their exchanges. @throws {Error} if a line is invalid */
export function sessionsIn({
  sessions,
  exchanges,
}: Pick<Recording, 'sessions' | 'exchanges'>): readonly ClientSession[] {
  const read = sessions.map((line) => lineShape(parsed(line), 'line').session);
  const last = new Map(read.map((session) => [formatId(session.id), session]));
  return [...last.values()].map((session) => {
    const own = exchanges.filter(
      ({ id }) => id.request !== null && sameId({ ...id, request: null }, session.id),
    );
    return {
      ...session,
      exchanges: own.sort((one, other) => one.times.started - other.times.started),
    };
  });
}
