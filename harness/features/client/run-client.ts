import {
  type ClientSubject,
  type Exchange,
  type ExchangeId,
  formatId,
  type RunResult,
} from '../../kernel/core/index.ts';
import { chance } from '../../kernel/drawn/index.ts';
import {
  assemble,
  headOf,
  judgeChecks,
  outcomeOf,
  ownSignal,
  type Progress,
  recordingHeader,
  Traffic,
} from '../../kernel/engine/index.ts';
import { beginRecording } from '../../kernel/recordings/index.ts';
import { redactText } from '../../kernel/redaction/index.ts';
import { type Target, Unreachable, withDefaults } from '../../kernel/targets/index.ts';
import { Limiter, longestStallSince, startClock, watchEventLoop } from '../../kernel/wire/index.ts';
import {
  ClientRun,
  type ClientSession,
  type ClientStart,
  clientServed,
  conversationsOf,
  interrupted,
  sessionLine,
  whyNotReached,
} from '../sessions/index.ts';
import { commandOf, environmentOf, taskLine, toldOf } from './asked.ts';
import { Command, type RawRun, UnusableCommand } from './command.ts';
import { Front, type FrontOptions, hiddenOf, type Waiting } from './front.ts';
import { type BackSide, type ScriptedGateway, startScriptedGateway } from './gateway.ts';
import { providerKey, providerModel } from './provider-entries.ts';
import { readRun } from './said.ts';
import { secretLength } from './stage.ts';

interface ClientRunOptions {
  readonly name: string;
  readonly client: ClientSubject;
  readonly seed: number;
  /** Challenge of a verifier, which determines the seed and the id of the run. */
  readonly challenge?: string | undefined;
  /** Id prefixes. Empty for all checks. */
  readonly filters?: readonly string[];
  readonly strict?: boolean;
  /** Number of concurrent starts of the client. */
  readonly concurrency: number;
  /** Timeout of one start, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds without a request after which a running client is ended. */
  readonly quietMs: number;
  /** Duration of the silence that some scripts require, in milliseconds. */
  readonly holdMs?: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** File that receives a line of JSON for each exchange and for each start, as it ends. */
  readonly recording?: string | undefined;
  /** Called when the recording is incomplete, with the reason. */
  readonly onUnrecorded?: ((why: string) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Settings of a run that judges the upstream side of a gateway. */
  readonly upstream?: UpstreamOptions;
  /** True to judge a client that was never seen to generate. All checks are then inconclusive. */
  readonly judgesUnseen?: boolean;
}

interface UpstreamOptions {
  /** The key for its front. Null if it needs none. */
  readonly key: string | null;
  /** Address at which the gateway reaches its provider. */
  readonly host: string;
  readonly port: number;
  /** Called when the provider can be reached. */
  readonly onListening?: (address: string) => void;
  /** Set if a user still has to configure the provider in the gateway. Null if it is configured. */
  readonly waiting?: Waiting | null;
}

/**
 * Judges a client: starts it for each scenario against its own gateway, and judges the requests received.
 *
 * @throws {UnusableCommand} when the command cannot be started
 * @throws {Unreachable} when it never sent a generation although everything was served
 */
export async function runClient(asked: ClientRunOptions): Promise<RunResult> {
  const { name, client, judgesUnseen = false } = asked;
  const started = Date.now();
  const startedAt = new Date(started).toISOString();
  const head = await headOf({ ...asked, side: 'client', startedAt });
  const { seed, runId } = head;
  const options = { ...asked, seed };
  const clock = startClock();
  watchEventLoop();
  const traffic = new Traffic();
  const { stop, end } = ownSignal(options.signal);
  const seen = (exchange: Exchange): void => {
    recorder.add(name, exchange);
    run.moved();
  };
  const lines = new Map<ClientSession, string>();
  const counted = new Set<Exchange>();
  // Exchanges that belong to no start, such as the search for the upstream side of a gateway, are neither judged
  // nor counted.
  const note = (session: ClientSession): void => {
    const line = sessionLine(session);
    if (lines.get(session) !== line) recorder.addLine(line);
    lines.set(session, line);
    if (session.run.endedBy === 'interruption') return;
    for (const exchange of session.exchanges) {
      if (!counted.has(exchange)) traffic.begin()(exchange, null);
      counted.add(exchange);
    }
  };
  const gateway = await startScriptedGateway(clock, seen, options.holdMs, backOf(options));
  const target = targetOf(name, client, gateway);
  const recorder = beginRecording(options.recording, recordingHeader(head, target));
  const limiter = new Limiter({ concurrency: options.concurrency, stop });
  const command = new Command();
  const front = frontOf(options, { gateway, limiter, clock, stop });
  const run = new ClientRun({
    target,
    seed,
    runId,
    now: () => clock.now(),
    start: async (id, start) => {
      const starting = { id, start, gateway, clock, stop, command, ...options };
      const session = await (front?.start(id, start) ?? limiter.run(0, () => startOnce(starting)));
      note(session);
      if (session.run.endedBy === 'interruption') throw interrupted();
      return session;
    },
    late: async () => {
      // A start in which nothing went wrong leaves nothing to try again.
      const failed = run.sessions.filter(({ met }) => met).map((session) => session.run.endedAt);
      await gateway.settled(Math.max(Number.NEGATIVE_INFINITY, ...failed), stop);
      for (const session of run.sessions) note(Object.assign(session, gateway.seenOf(session.id)));
    },
  });
  try {
    options.upstream?.onListening?.(gateway.regions[0]?.baseUrl ?? '');
    const waiting = options.upstream?.waiting ?? null;
    if (front !== null && waiting !== null) {
      const why = await front.whyNotReached(client.speaks, waiting);
      if (why !== null) throw notJudged(target, why);
    }
    if (!judgesUnseen) await assertSeen(run, stop);
    const judging = { traffic, onProgress: options.onProgress };
    return assemble({
      ...head,
      target,
      verdicts: await judgeChecks(run, head.checks, judging),
      traffic: traffic.report(),
      lags: run.lags,
      conversations: conversationsOf(run.sessions),
      interrupted: options.signal?.aborted ?? false,
      durationMs: Date.now() - started,
    });
  } finally {
    end();
    await command.close();
    await gateway.close();
    recorder.close();
    if (recorder.problem !== null) options.onUnrecorded?.(recorder.problem);
  }
}

/** Returns where the upstream side of a gateway reaches Touchstone, or null if the client is a command. */
function backOf({ client, upstream }: ClientRunOptions): BackSide | null {
  if (client.upstreamOf === undefined || upstream === undefined) return null;
  const { host, port, key } = upstream;
  return {
    host,
    port,
    secret: providerKey,
    model: providerModel,
    frontModel: client.upstreamOf.model,
    hidden: hiddenOf(key),
  };
}

function frontOf(
  { client, upstream, seed, timeoutMs, quietMs }: ClientRunOptions,
  means: Pick<FrontOptions, 'gateway' | 'limiter' | 'clock' | 'stop'>,
): Front | null {
  if (client.upstreamOf === undefined || upstream === undefined) return null;
  const { key } = upstream;
  return new Front({ upstreamOf: client.upstreamOf, key, seed, timeoutMs, quietMs, ...means });
}

/** The gateway that a client calls, as the target of a run that judges the client. */
function targetOf(name: string, client: ClientSubject, { regions }: ScriptedGateway): Target {
  const keys = { owner: 'one-for-each-start' };
  return { ...withDefaults({ name, regions, keys, models: [] }, name), client };
}

/** Checks that the client was seen to call the gateway, because further starts are pointless otherwise. */
async function assertSeen(run: ClientRun, stop: AbortSignal): Promise<void> {
  const outcome = await outcomeOf(run, clientServed);
  if (outcome.kind === 'error' && outcome.error instanceof UnusableCommand) throw outcome.error;
  if (outcome.kind !== 'captured') return;
  const { protocols, sessions } = outcome.captured;
  // After an interruption, a client that has sent nothing is not reported as unusable.
  if (protocols.length > 0 || stop.aborted) return;
  throw notJudged(run.target, whyNotReached(sessions));
}

function notJudged({ name, client, regions }: Target, why: string): Unreachable {
  const isBack = client?.upstreamOf !== undefined;
  const where = isBack ? ` Touchstone waits for it at ${regions[0]?.baseUrl}.` : '';
  return new Unreachable(`${name} cannot be judged: ${why}.${where}`);
}

interface Starting extends ClientRunOptions {
  readonly id: ExchangeId;
  readonly start: ClientStart;
  readonly gateway: ScriptedGateway;
  readonly clock: ReturnType<typeof startClock>;
  readonly stop: AbortSignal;
  readonly command: Command;
}

/**
 * Starts the client once.
 *
 * @param repeated set if a process that takes many tasks ended or hung in an earlier attempt: the number of requests
 * of that attempt. The client is then started in a process of its own
 */
async function startOnce(options: Starting, repeated?: number): Promise<ClientSession> {
  const { id, start, gateway, clock, stop, client, environment, seed } = options;
  const word = chance(seed, formatId(id)).word();
  const stage = await gateway.stage(id, word, start, repeated);
  const since = performance.now();
  const told = toldOf(stage, start);
  const command = {
    ...options,
    command: commandOf(client.command, told),
    environment: environmentOf(told, environment, client.with ?? null),
    input: client.tasks ? taskLine(told, stage, start) : '',
    key: stage.secret,
    tasks: client.tasks,
    line: stage,
  };
  const { raw, keys, isDoubtful } = stop.aborted
    ? { raw: neverStarted(clock.now()), keys: [], isDoubtful: false }
    : await options.command.run(command, repeated !== undefined);
  if (isDoubtful && raw.endedBy !== 'interruption') {
    gateway.forget(stage);
    return startOnce(options, stage.requests);
  }
  const stalledMs = longestStallSince(since);
  const secrets = Object.fromEntries(keys.map((key, index) => [`owner${index}`, key]));
  const { protocol, task = 'generate', stream = false, script = {} } = start;
  const stdout = redactText(raw.stdout, secrets);
  const stderr = redactText(raw.stderr, secrets);
  return {
    id,
    protocol,
    task,
    stream,
    script,
    model: stage.model,
    word,
    mask: '*'.repeat(secretLength),
    region: stage.regions[stage.madeAt]?.name ?? '',
    ...(repeated === undefined ? {} : { from: repeated }),
    ...(start.id === undefined ? {} : { about: start.id }),
    ...gateway.seenOf(id),
    ...(stalledMs === 0 ? {} : { stalledMs }),
    run: readRun({ ...raw, stdout, stderr }, client.tasks),
  };
}

function neverStarted(at: number): RawRun {
  const run = { startedAt: at, endedAt: at, exit: null, stdout: '', stderr: '' };
  return { ...run, endedBy: 'interruption' };
}
