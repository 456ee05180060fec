import { isDeepStrictEqual } from 'node:util';
import { type Conversation, formatId } from '../../kernel/core/index.ts';
import { rejudge, StaleRecording, type Traffic } from '../../kernel/engine/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import {
  ClientRun,
  type ClientSession,
  type ClientStart,
  conversationsOf,
  interrupted,
  sessionsIn,
} from '../sessions/index.ts';

/** Judges a recorded run of a client again. No client is started. */
export const rejudgeClient: typeof rejudge = (from, options) =>
  rejudge(
    from,
    options,
    (recording, traffic) =>
      new ReplayedClient({ ...recording.header, sessions: sessionsIn(recording), traffic }),
  );

interface ReplayedClientOptions {
  /** As the recording has it. */
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  readonly sessions: readonly ClientSession[];
  readonly traffic: Traffic;
}

/** Replays a recorded run that judged a client. No client is started. */
class ReplayedClient extends ClientRun {
  readonly #all: readonly ClientSession[];
  /** Starts that no scenario has requested yet, by id. */
  readonly #recorded: Map<string, ClientSession>;

  constructor({ target, seed, runId, sessions, traffic }: ReplayedClientOptions) {
    const recorded = new Map(sessions.map((session) => [formatId(session.id), session]));
    super({
      target,
      seed,
      runId,
      now: () => 0,
      start: async (id, start) => {
        const session = recorded.get(formatId(id));
        recorded.delete(formatId(id));
        if (session === undefined) throw new StaleRecording(id, 'it was not recorded');
        if (session.run.endedBy === 'interruption') throw interrupted();
        const difference = differenceFrom(session, start);
        if (difference !== null) throw new StaleRecording(id, difference);
        for (const exchange of session.exchanges) traffic.begin()(exchange, null);
        return session;
      },
    });
    this.#all = sessions;
    this.#recorded = recorded;
  }

  /** Recorded starts that a scenario has requested, as reports show them. */
  get conversations(): readonly Conversation[] {
    return conversationsOf(this.#all.filter(({ id }) => !this.#recorded.has(formatId(id))));
  }

  get wasInterrupted(): boolean {
    return this.#all.some(({ run }) => run.endedBy === 'interruption');
  }

  /** Ids of the recorded starts that no scenario has requested. */
  get unasked(): readonly string[] {
    return [...this.#recorded.keys()];
  }
}

/** Returns the difference between a start of the present suite and the recorded one, or null. */
function differenceFrom(session: ClientSession, start: ClientStart): string | null {
  const { protocol, task = 'generate', stream = false, script = {} } = start;
  const asked = { protocol, task, stream, script };
  const { protocol: was, task: did, stream: streamed, script: scripted } = session;
  const recorded = { protocol: was, task: did, stream: streamed, script: scripted };
  return isDeepStrictEqual(asked, recorded)
    ? null
    : `the suite asks for ${JSON.stringify(asked)}, and ${JSON.stringify(recorded)} was recorded`;
}
