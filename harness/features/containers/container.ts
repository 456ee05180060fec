import { randomUUID } from 'node:crypto';
import type { ContainerRuntimeClient, StartedNetwork, StartedTestContainer } from 'testcontainers';
import { describeReference, type Target } from '../../kernel/targets/index.ts';
import {
  asServed,
  fixtureKeys,
  fixtureModels,
  keyRoles,
  keyVariable,
  ledgerPath,
  probesAt,
  type ReferenceOptions,
} from '../../reference/index.ts';
import { killContainers, networkName, removeRun, runLabel } from './container-cleanup.ts';
import { containerImage, containerPort } from './container-image.ts';
import { dockerAvailable } from './docker-available.ts';
import { dismissJanitor, startJanitor } from './janitor-process.ts';
import { testcontainers } from './testcontainers.ts';

/**
 * Options of the gateway in a container. `defect` is code and cannot be passed, and the container sets `host` and
 * `ports` itself.
 */
export interface ContainerOptions
  extends Pick<
    ReferenceOptions,
    'regions' | 'names' | 'pathPrefix' | 'latencyMs' | 'retentionDays' | 'keys'
  > {
  /** Aborts the start: everything is removed, then the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Id of this start in the engine, set as label `touchstone.run`. Default: a random id. */
  readonly run?: string;
  /** Image to build upon. Default: `TOUCHSTONE_NODE_IMAGE`, else the Node of this process (Linux). */
  readonly baseImage?: string;
}

export interface ContainerTarget {
  readonly target: Target;
  close(): Promise<void>;
}

/** Names of the specification. `touchstone serve` defaults to the usual ones. */
const specified = { vendorA: 'vendorA', vendorB: 'vendorB' };

const startTimeoutMs = 20_000;

/**
 * Starts the reference gateway as containers: one for each region, all on one network, with equal keys and models,
 * and separate stores.
 *
 * Nothing is left behind after `close`, when the start fails or is interrupted, or when this process is killed.
 * Only the image is kept for later use.
 *
 * @throws when there is no Docker engine, no image can be built, or a container does not answer
 */
export async function containerTarget(options: ContainerOptions = {}): Promise<ContainerTarget> {
  const { signal, run = randomUUID(), baseImage = process.env.TOUCHSTONE_NODE_IMAGE } = options;
  signal?.throwIfAborted();
  const docker = await dockerAvailable();
  if (!docker.available) {
    throw new Error(
      `The reference gateway cannot be started as containers: ${docker.reason}. Without containers it starts in this process.`,
    );
  }
  const { client } = docker;
  const image = await containerImage(client, { baseImage, signal });
  // The cleanup of testcontainers needs an image that has to be pulled. The janitor does not.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';

  const janitor = startJanitor(run);
  const close = async (): Promise<void> => {
    await removeRun(client, run);
    // Dismissed last: the janitor retries the removal when this process ends, if it failed here.
    await dismissJanitor(janitor);
  };
  try {
    const regions = await startRegions(client, run, image, options);
    return { target: describe(regions, options), close };
  } catch (error) {
    // The error of the start matters more than an error of the cleanup.
    await close().catch(() => undefined);
    signal?.throwIfAborted();
    throw error;
  }
}

interface StartedRegion {
  readonly name: string;
  readonly baseUrl: string;
}

async function startRegions(
  client: ContainerRuntimeClient,
  run: string,
  image: string,
  options: ContainerOptions,
): Promise<StartedRegion[]> {
  const { signal } = options;
  signal?.throwIfAborted();
  const { Network } = await testcontainers();
  const network = await new Network({ nextUuid: () => networkName(run) }).start();
  // A pending start cannot be cancelled, but fails at once when its container is killed.
  const breakOff = (): void => void killContainers(client, run).catch(() => undefined);
  signal?.addEventListener('abort', breakOff, { once: true });
  try {
    signal?.throwIfAborted();
    const started = await Promise.allSettled(
      (options.regions ?? ['eu', 'us']).map((region) =>
        startRegion(region, {
          ...{ network, run, image, options },
          host: client.info.containerRuntime.host,
        }),
      ),
    );
    signal?.throwIfAborted();
    // All starts have settled before the first failure is thrown, so that nothing starts after the removal.
    return started.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  } finally {
    signal?.removeEventListener('abort', breakOff);
  }
}

interface Start {
  readonly network: StartedNetwork;
  readonly run: string;
  readonly image: string;
  readonly options: ContainerOptions;
  /** Host of the containers, as seen from this process. */
  readonly host: string;
}

async function startRegion(
  region: string,
  { network, run, image, options, host }: Start,
): Promise<StartedRegion> {
  const prefix = (options.pathPrefix ?? '').replace(/\/+$/, '');
  const { GenericContainer, Wait } = await testcontainers();
  try {
    const container = await new GenericContainer(image)
      .withCommand(line(region, host, options))
      .withEnvironment(secrets(options))
      .withLabels({ [runLabel]: run, 'touchstone.region': region })
      // No alias: it would also add the container to the engine's default network.
      .withNetwork(network)
      .withExposedPorts(containerPort)
      .withWaitStrategy(
        Wait.forHttp(`${prefix}${ledgerPath}?client_request_id=none`, containerPort, {
          abortOnContainerExit: true,
        }),
      )
      .withStartupTimeout(startTimeoutMs)
      .start();
    return { name: region, baseUrl: `http://${addressOf(container)}${prefix}` };
  } catch (error) {
    throw new Error(
      `The container of region ${region} did not start from ${image}: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}

function addressOf(container: StartedTestContainer): string {
  const host = container.getHost();
  return `${host.includes(':') ? `[${host}]` : host}:${container.getMappedPort(containerPort)}`;
}

/** Command line of `touchstone serve` for these options. */
function line(region: string, asked: string, options: ContainerOptions): string[] {
  const { names = specified, pathPrefix, latencyMs, retentionDays } = options;
  const values = {
    host: '0.0.0.0',
    'allow-host': asked,
    region,
    'path-prefix': pathPrefix,
    'vendor-a': names.vendorA,
    'vendor-b': names.vendorB,
    'latency-ms': latencyMs,
    'retention-days': retentionDays,
  };
  const flags = Object.entries(values).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}=${value}`],
  );
  return ['serve', '--quiet', ...flags];
}

function secrets({ keys = {} }: ContainerOptions): Record<string, string> {
  return Object.fromEntries(
    keyRoles.flatMap((role) => {
      const secret = keys[role];
      return secret === undefined ? [] : [[keyVariable(role), secret]];
    }),
  );
}

function describe(regions: readonly StartedRegion[], options: ContainerOptions): Target {
  return describeReference(
    {
      regions,
      keys: { ...fixtureKeys, ...options.keys },
      models: asServed(fixtureModels()),
      probes: probesAt(regions.map(({ baseUrl }) => baseUrl)),
      retentionDays: options.retentionDays ?? 30,
      isMock: true,
    },
    options.names,
  );
}
