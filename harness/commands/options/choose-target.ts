import { randomUUID } from 'node:crypto';
import type { Provenance } from '../../core/provenance.ts';
import { ProvenanceLog } from '../../engine/provenance-log.ts';
import { asker } from '../../onboarding/free-requests.ts';
import { assertLooksLikeGateway } from '../../onboarding/looks-like-gateway.ts';
import { secretsOf } from '../../protocols/credentials.ts';
import { buildRequest } from '../../protocols/request.ts';
import { inlineTarget } from '../../target/inline.ts';
import { loadTarget } from '../../target/load.ts';
import { assertReachable, Unreachable } from '../../target/reachable.ts';
import { routesOf } from '../../target/routes.ts';
import type { Target } from '../../target/target.ts';
import { UsageError } from '../../terminal/failure.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { startClock } from '../../wire/clock.ts';
import { send } from '../../wire/transport.ts';

/** The options that say what to judge, as they are given. */
export interface TargetOptions {
  readonly target?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly model?: readonly string[] | undefined;
  readonly protocol?: readonly string[] | undefined;
  readonly header?: Readonly<Record<string, string>> | undefined;
  readonly reference?: 'embedded' | 'container' | undefined;
  readonly concurrency?: number | undefined;
  readonly rps?: number | undefined;
  readonly timeout?: number | undefined;
  /** Every triple of circumstances, where acts on stored responses are tried. */
  readonly thorough?: boolean | undefined;
}

/** The options that say what to judge, where that may be several. */
export interface SeveralTargets extends Omit<TargetOptions, 'target'> {
  readonly target?: readonly string[];
}

export interface ChosenTarget {
  readonly target: Target;
  /** Ends what was started for the run. */
  close(): Promise<void>;
}

/**
 * Finds the target that a command line names; a reference gateway is started.
 *
 * @throws {UsageError | TargetError} when the options contradict one another, or describe none
 */
export async function chooseTarget(
  options: TargetOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ChosenTarget> {
  assertOneSource(options);
  const { target, close } = await described(options, terminal, signal);
  const { concurrency, rps, timeout, thorough = target.thorough } = options;
  const limits = {
    ...target.limits,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(rps === undefined ? {} : { requestsPerSecond: rps }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  };
  return { target: { ...target, limits, thorough }, close };
}

/** Whether the target is a gateway of somebody else's, which may be down. */
export function isForeign({ target, baseUrl }: TargetOptions): boolean {
  return target !== undefined || baseUrl !== undefined;
}

/**
 * Looks in every region whether a gateway is there, before anything is paid for: asks for the list, and for
 * what no gateway can serve.
 *
 * @returns with whom that was
 * @throws {Unreachable}
 */
export async function askAllRegions(
  target: Target,
  stop: AbortSignal,
): Promise<Provenance | undefined> {
  const seen = await askForLists(target, stop);
  await assertLooksLikeGateway(target, asker(target, stop));
  return seen;
}

/** Asks every region once whether it is there, and takes the key. @throws {Unreachable} */
export async function askForLists(
  target: Target,
  stop: AbortSignal,
): Promise<Provenance | undefined> {
  const startedAt = new Date().toISOString();
  const log = new ProvenanceLog();
  const wire = {
    clock: startClock(),
    timeoutMs: Math.min(target.limits.timeoutMs, 30_000),
    routes: routesOf(target),
    secrets: secretsOf({ ...target, keys: { ...target.keys } }),
    stop,
  };
  await assertReachable(target, async (region) => {
    const call = {
      operation: 'models.list',
      protocol: 'models',
      method: 'GET',
      path: '/v1/models',
      expects: 'json',
    } as const;
    const ids = { key: `reachable#${region.name}/0`, clientRequestId: randomUUID() };
    const request = buildRequest(call, { region: region.name }, target, ids);
    const exchange = await send(request, wire);
    log.add(exchange);
    return exchange;
  });
  return log.provenance(startedAt);
}

async function described(
  options: TargetOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ChosenTarget> {
  const close = (): Promise<void> => Promise.resolve();
  if (options.target !== undefined) {
    return { target: loadTarget(options.target, terminal.environment), close };
  }
  if (options.baseUrl !== undefined) {
    const { baseUrl, model: models = [], protocol: protocols, header: headers = {} } = options;
    const inline = { baseUrl, models, headers, ...(protocols === undefined ? {} : { protocols }) };
    return { target: inlineTarget(inline, terminal.environment), close };
  }
  if (options.reference === 'container') {
    return inContainers(signal);
  }
  const { referenceTarget } = await import('../../target/reference.ts');
  return referenceTarget();
}

async function inContainers(signal: AbortSignal): Promise<ChosenTarget> {
  const { dockerAvailable } = await import('../../containers/docker-available.ts');
  const docker = await dockerAvailable();
  if (!docker.available) {
    throw new Unreachable(
      `The reference gateway cannot be started in containers: ${docker.reason}.\n` +
        'Start Docker, or leave --reference container out: then it starts in this process.',
    );
  }
  const { containerTarget } = await import('../../containers/container.ts');
  return containerTarget({ signal });
}

const standsUnder = {
  '--model': '`models`',
  '--protocol': '`protocols` of each model',
  '--header': '`headers`',
} as const;

function assertOneSource({
  target,
  baseUrl,
  model,
  protocol,
  header,
  reference,
}: TargetOptions): void {
  const given = [
    target === undefined ? null : '--target',
    baseUrl === undefined ? null : '--base-url',
    reference === undefined ? null : '--reference',
  ].filter((option) => option !== null);
  if (given.length > 1) {
    throw new UsageError(`${given.join(' and ')} name two targets: give one of them.`);
  }
  if (baseUrl !== undefined) return;
  for (const [option, value] of [
    ['--model', model],
    ['--protocol', protocol],
    ['--header', header],
  ] as const) {
    if (value === undefined) continue;
    throw new UsageError(
      target === undefined
        ? `${option} goes with --base-url URL, the address of the gateway.`
        : `${option} goes with --base-url. With a target file, that stands in the file: ${standsUnder[option]}.`,
    );
  }
}
