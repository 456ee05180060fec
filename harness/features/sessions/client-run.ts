import type { ExchangeId, HeldBy } from '../../kernel/core/index.ts';
import {
  type ClientSubject,
  clientCommandLine,
  cut,
  type Evidence,
  type Exchange,
  formatId,
} from '../../kernel/core/index.ts';
import { RunMemo, type Sequence, type TargetRun } from '../../kernel/engine/index.ts';
import { Inconclusive, requestInWords } from '../../kernel/judge/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { outcomeForClient } from './conversations.ts';
import type { ClientSession, ClientStart } from './session.ts';

interface ClientRunOptions {
  /** The gateway that the client speaks to, and the client. */
  readonly target: Target;
  readonly seed: number;
  readonly runId: string;
  /** Starts the client, or finds the recording of such a start. */
  readonly start: (id: ExchangeId, start: ClientStart) => Promise<ClientSession>;
  /** Called after the last start: waits for late requests, and adds them to their sessions. */
  readonly late?: () => Promise<void>;
  readonly now: () => number;
}

/** Starts the client that a run judges, and waits until it has ended or gone quiet. */
export function startedBy(run: object, id: ExchangeId, start: ClientStart): Promise<ClientSession> {
  if (run instanceof ClientRun) return run.start(id, start);
  throw new Error(`${id.scenario} starts a client, and this run judges a gateway`);
}

/** Returns the starts of the client so far, in the order of their ends. */
export function startsBy(run: object): readonly ClientSession[] {
  return run instanceof ClientRun ? run.sessions : [];
}

/** Returns the outcome of a start that an interruption ended or prevented. */
export function interrupted(): Inconclusive {
  return new Inconclusive('the run was interrupted', null, 'interrupted');
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
  readonly evidenceOf: NonNullable<TargetRun['evidenceOf']> = (exchange, check) =>
    clientEvidenceOf(exchange, this.target.client, check);
  readonly late: () => Promise<void>;
  readonly #start: ClientRunOptions['start'];

  constructor({ target, seed, runId, start, late = async () => {}, now }: ClientRunOptions) {
    super({ target, seed, runId });
    this.#start = start;
    let over: Promise<void> | undefined;
    this.late = () => (over ??= Promise.all(this.outcomes.values()).then(late));
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

/** Maximum characters of a body: enough to recognise it. */
const longest = 600;

/** Returns the evidence of an exchange with a client: `received` is the body that it sent. */
function clientEvidenceOf(
  exchange: Exchange,
  client: ClientSubject | undefined,
  id: string,
): Evidence {
  const { request, socket } = exchange;
  const sent = [
    ...(request.body === null ? [] : [request.body]),
    ...(socket?.frames.filter(({ from }) => from === 'us').map(({ data }) => data) ?? []),
  ];
  const text = sent.map((bytes) => Buffer.from(bytes).toString()).join('\n');
  return {
    exchange: formatId(exchange.id),
    request: requestInWords(exchange),
    outcome: outcomeForClient(exchange),
    received: cut(text, longest),
    curl: client === undefined ? '' : clientCommandLine(client, [id]),
  };
}
