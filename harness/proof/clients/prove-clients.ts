import { runClient } from '../../client/run-client.ts';
import { fixture } from '../../core/package-root.ts';
import { type Protocol, protocols } from '../../core/protocol.ts';
import type { RunResult } from '../../core/result.ts';
import { covers } from '../matrix.ts';
import { clientDefects, legalClients, nullClients } from './defects.ts';

/** Long enough for an impatient client, and short enough for a proof. */
const holdMs = 2_500;

/** So many clients are judged at once: more would keep one another waiting. */
const atOnce = 3;

/** A client whose verdicts are known before. */
export interface KnownClient {
  readonly id: string;
  readonly what: string;
  readonly tasks: boolean;
  readonly speaks: readonly Protocol[];
  /** What is wrong with its verdicts, in words; null: nothing. */
  readonly problemIn: (result: RunResult) => string | null;
}

/** Every client that the client mode is proven with. */
export const knownClients: readonly KnownClient[] = [
  ...[true, false].map((tasks) => ({
    id: tasks ? 'right' : 'right, without tasks',
    what: 'It does what it should.',
    tasks,
    speaks: protocols,
    problemIn: (result: RunResult) => blamed(result, []) ?? (tasks ? undecided(result) : null),
  })),
  ...legalClients.map((client) => ({
    ...client,
    tasks: true,
    speaks: protocols,
    problemIn: (result: RunResult) => blamed(result, []),
  })),
  ...nullClients.map((client) => ({
    ...client,
    tasks: false,
    speaks: protocols,
    problemIn: earnedNothing,
  })),
  ...clientDefects.map(({ breaks, speaks = ['responses'] as const, ...client }) => ({
    ...client,
    tasks: true,
    speaks,
    problemIn: (result: RunResult) => blamed(result, breaks),
  })),
];

/** What a proof found of one client. */
export interface ProvenClient {
  readonly client: KnownClient;
  readonly problem: string | null;
}

/** Judges clients, and compares what came of it with what is known of them. */
export async function proveClients(
  clients: readonly KnownClient[] = knownClients,
  told: (proven: ProvenClient) => void = () => undefined,
): Promise<readonly ProvenClient[]> {
  const waiting = clients.entries();
  const proven: ProvenClient[] = [];
  const work = async (): Promise<void> => {
    for (const [index, client] of waiting) {
      const result = await judgeFaultyClient([client.id], client);
      proven[index] = { client, problem: client.problemIn(result) };
      told(proven[index]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return proven;
}

/**
 * Judges the small client with some of its defects.
 *
 * @param filters id prefixes; empty: everything
 */
export function judgeFaultyClient(
  defects: readonly string[],
  {
    tasks = true,
    speaks = protocols,
    filters = [],
  }: {
    readonly tasks?: boolean;
    readonly speaks?: readonly Protocol[];
    readonly filters?: readonly string[];
  } = {},
): Promise<RunResult> {
  const mode = tasks ? ['--tasks'] : [];
  const command = [process.execPath, fixture('faulty-client.mjs'), ...mode, ...defects];
  return runClient({
    name: defects.join(', ') || 'right client',
    client: { command, tasks, speaks },
    seed: 1,
    filters,
    concurrency: 16,
    timeoutMs: 30_000,
    quietMs: 3_000,
    holdMs,
    environment: process.env,
    judgesUnseen: true,
  });
}

/** Whether exactly these checks hold something against a client. */
function blamed({ checks }: RunResult, breaks: readonly string[]): string | null {
  const found = checks
    .filter(({ verdict }) => verdict.state === 'fail' || verdict.state === 'warn')
    .map(({ id }) => id);
  const missed = breaks.filter((id) => !found.some((one) => covers([id], one)));
  const more = found.filter((id) => !covers(breaks, id));
  const errors = checks.flatMap(({ id, verdict }) =>
    verdict.state === 'error' ? [`${id} is in error: ${verdict.reason}`] : [],
  );
  const parts = [
    ...(missed.length === 0 ? [] : [`not found by ${missed.join(', ')}`]),
    ...(more.length === 0 ? [] : [`blamed by ${more.join(', ')}`]),
    ...errors,
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

/** A right client decides everything. */
function undecided({ checks }: RunResult): string | null {
  const open = checks.filter(({ verdict }) => verdict.state !== 'pass');
  return open.length === 0
    ? null
    : open.map(({ id, verdict }) => `${id} is ${verdict.state}`).join(', ');
}

function earnedNothing({ checks }: RunResult): string | null {
  const earned = checks.filter(
    ({ verdict }) => verdict.state !== 'inconclusive' && verdict.state !== 'untestable',
  );
  return earned.length === 0 ? null : `earned ${earned.map(({ id }) => id).join(', ')}`;
}
