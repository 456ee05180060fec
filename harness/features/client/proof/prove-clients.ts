import {
  covers,
  fixture,
  type Protocol,
  protocols,
  type RunResult,
} from '../../../kernel/core/index.ts';
import { runClient } from '../index.ts';
import { clientDefects, nullClients } from './defects.ts';
import { legalClients } from './legal-clients.ts';

/** Milliseconds of silence: longer than an impatient client waits, and short enough for a proof. */
const holdMs = 4_500;

/** Number of clients that are judged concurrently, and of concurrent starts of each. More would delay one another. */
const atOnce = 4;
const startsAtOnce = 6;

/** A client with known verdicts. */
interface KnownClient {
  readonly id: string;
  readonly what: string;
  readonly tasks: boolean;
  readonly speaks: readonly Protocol[];
  /** The only checks that must blame the client. */
  readonly breaks: readonly string[];
  /** Returns the error in its verdicts, in words, or null. */
  readonly problemIn: (result: RunResult) => string | null;
}

/** End of the name of a client that is judged without tasks. */
const untasked = ', without tasks';

const right = { id: 'right', what: 'It does what it should.' };

/** Every client that the client mode is proven with. */
export const knownClients: readonly KnownClient[] = [
  ...[right, ...legalClients]
    .flatMap((client, at) => [
      { speaks: protocols, ...client, tasks: true },
      // A process for each start takes long: in one protocol, in turn.
      { ...client, id: `${client.id}${untasked}`, tasks: false, speaks: [inTurn(client, at)] },
    ])
    .map((client) => ({
      ...client,
      breaks: [],
      problemIn: (result: RunResult) => blamed(result, []) ?? undecided(result),
    })),
  ...nullClients.map((client) => ({
    ...client,
    tasks: false,
    speaks: protocols,
    breaks: [],
    problemIn: earnedNothing,
  })),
  ...clientDefects.map((defect) => ({
    tasks: true,
    speaks: ['responses'] as const,
    ...defect,
    problemIn: (result: RunResult) => blamed(result, defect.breaks, defect.sometimes),
  })),
];

function inTurn({ speaks = protocols }: Partial<KnownClient>, at: number): Protocol {
  return speaks[at % speaks.length] ?? 'responses';
}

/** Result of the proof for one client. */
export interface ProvenClient {
  readonly client: KnownClient;
  readonly problem: string | null;
}

interface ProveClientsOptions {
  /** Called with each client when it has been judged. */
  readonly told?: (proven: ProvenClient) => void;
  /** True to judge a faulty client only by the checks that it breaks. */
  readonly quick?: boolean;
  readonly signal?: AbortSignal;
}

/** Judges clients, and compares the results with the expected ones. */
export async function proveClients(
  clients: readonly KnownClient[],
  { told = () => undefined, quick = false, signal }: ProveClientsOptions = {},
): Promise<readonly ProvenClient[]> {
  const waiting = clients.entries();
  const proven: ProvenClient[] = [];
  const work = async (): Promise<void> => {
    for (const [index, client] of waiting) {
      if (signal?.aborted) return;
      const filters = quick ? client.breaks : [];
      const result = await judgeFaultyClient([client.id], { ...client, filters, signal });
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
 * @param filters id prefixes. Empty for all checks
 */
export function judgeFaultyClient(
  defects: readonly string[],
  {
    tasks = true,
    speaks = protocols,
    filters = [],
    signal,
  }: {
    readonly tasks?: boolean;
    readonly speaks?: readonly Protocol[];
    readonly filters?: readonly string[];
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<RunResult> {
  const mode = tasks ? ['--tasks'] : [];
  // Behind the `@` stands the protocol in which it has the defect.
  const names = defects.map((id) => id.replace(untasked, '').replace(/@.*/, ''));
  const command = [process.execPath, fixture('faulty-client.mjs'), ...mode, ...names];
  return runClient({
    name: defects.join(', ') || 'right client',
    client: { command, tasks, speaks },
    seed: 1,
    filters,
    concurrency: startsAtOnce,
    timeoutMs: 30_000,
    quietMs: 8_000,
    holdMs,
    environment: process.env,
    judgesUnseen: true,
    signal,
  });
}

/** Returns the difference between the checks that blame a client and those that should. Null if there is none. */
function blamed(
  { checks }: RunResult,
  breaks: readonly string[],
  sometimes: readonly string[] = [],
): string | null {
  const found = checks
    .filter(({ verdict }) => verdict.state === 'fail' || verdict.state === 'warn')
    .map(({ id }) => id);
  const missed = breaks.filter((id) => !found.some((one) => covers([id], one)));
  const more = checks.filter(
    ({ id }) => found.includes(id) && !covers([...breaks, ...sometimes], id),
  );
  const errors = checks.flatMap(({ id, verdict }) =>
    verdict.state === 'error' ? [`${id} is in error: ${verdict.reason}`] : [],
  );
  const parts = [
    ...(missed.length === 0 ? [] : [`not found by ${missed.join(', ')}`]),
    ...more.map((one) => `blamed by ${inWords(one)}`),
    ...errors,
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

/**
 * Returns the undecided checks of a correct client, or null. Checks of tasks that the client does not know may stay
 * untestable.
 */
function undecided({ checks }: RunResult): string | null {
  const decided = ['pass', 'not-applicable', 'untestable'];
  const open = checks.filter(({ verdict }) => !decided.includes(verdict.state));
  return open.length === 0 ? null : open.map(inWords).join(', ');
}

function earnedNothing({ checks }: RunResult): string | null {
  const earned = checks.filter(({ verdict }) => {
    return !['inconclusive', 'untestable', 'excluded'].includes(verdict.state);
  });
  return earned.length === 0 ? null : `earned ${earned.map(({ id }) => id).join(', ')}`;
}

function inWords({ id, verdict }: RunResult['checks'][number]): string {
  if ('actual' in verdict) return `${id} (${verdict.actual})`;
  return 'reason' in verdict ? `${id} is ${verdict.state} (${verdict.reason})` : id;
}
