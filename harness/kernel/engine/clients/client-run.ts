import type { ExchangeId, HeldBy } from '../../core/index.ts';
import type { Target } from '../../targets/index.ts';
import { RunMemo } from '../run-memo.ts';
import type { Sequence, TargetRun } from '../session.ts';
import type { ClientSession, ClientStart } from './session.ts';

interface ClientRunOptions {
  /** The gateway that the client speaks to, and the client. */
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  /** Starts the client, or finds the recording of such a start. */
  readonly start: (id: ExchangeId, start: ClientStart) => Promise<ClientSession>;
  readonly now: () => number;
}

/** A run that judges a client: its scenarios start the client, and send nothing themselves. */
export class ClientRun extends RunMemo implements TargetRun {
  readonly sequence: Sequence = {};
  /** A start of the client is never retried. */
  readonly retries = { may: () => false, attempted() {}, settles: () => false };
  readonly heldBy: HeldBy | null = null;
  /** Starts of the client, in the order of their ends. */
  readonly sessions: ClientSession[] = [];
  readonly now: () => number;
  readonly #start: ClientRunOptions['start'];

  constructor({ target, seed, runId, start, now }: ClientRunOptions) {
    super({ target, seed, runId });
    this.#start = start;
    this.now = now;
  }

  async start(id: ExchangeId, start: ClientStart): Promise<ClientSession> {
    const session = await this.#start(id, start);
    this.sessions.push(session);
    return session;
  }

  send(): never {
    throw new Error('A run that judges a client sends nothing itself');
  }

  open(): never {
    return this.send();
  }

  async pause(): Promise<void> {}

  deferred(): void {}

  began(): void {}

  prioritise(): void {}

  flaw(): null {
    return null;
  }
}
