import { setTimeout as pause } from 'node:timers/promises';
import type { ContainerRuntimeClient } from 'testcontainers';

/** Label on each container of the reference gateway; its value names the start that it belongs to. */
export const runLabel = 'touchstone.run';

/** The network of one start; where compose started it, its project. */
export function networkName(run: string): string {
  return `touchstone-${run}`;
}

/** Objects that one start has left in the engine: ids of containers (stopped ones too) and of networks. */
export interface Leftovers {
  readonly containers: readonly string[];
  readonly networks: readonly string[];
}

/**
 * Finds the objects of one start by its label, or by that of the compose project, which compose sets on all
 * that it starts.
 */
export async function leftovers(
  { container: { dockerode } }: ContainerRuntimeClient,
  run: string,
): Promise<Leftovers> {
  const project = networkName(run);
  const labels = [`${runLabel}=${run}`, `com.docker.compose.project=${project}`];
  const [networks, ...containers] = await Promise.all([
    dockerode.listNetworks({ filters: { name: [`^${project}(_default)?$`] } }),
    ...labels.map((label) => dockerode.listContainers({ all: true, filters: { label: [label] } })),
  ]);
  return {
    containers: containers.flat().map(({ Id }) => Id),
    networks: networks.map(({ Id }) => Id),
  };
}

/** Kills what runs, so that waiting for it to become ready ends. */
export async function killContainers(client: ContainerRuntimeClient, run: string): Promise<void> {
  const { containers } = await leftovers(client, run);
  await Promise.all(
    containers.map((id) => client.container.getById(id).kill().catch(allow(404, 409))),
  );
}

/**
 * Removes the containers and the network of one start. What is gone already is fine; what cannot be
 * removed throws, with the engine's reason.
 *
 * @param settleMs go on until nothing was there for so long. A process that was killed may have asked
 *   for a container that the engine has not made yet.
 */
export async function removeRun(
  client: ContainerRuntimeClient,
  run: string,
  { settleMs = 0 } = {},
): Promise<void> {
  const { dockerode } = client.container;
  let quietSince = Date.now();
  for (;;) {
    const { containers, networks } = await leftovers(client, run);
    if (containers.length + networks.length > 0) quietSince = Date.now();
    else if (Date.now() - quietSince >= settleMs) return;
    await Promise.all(
      containers.map((id) =>
        client.container.getById(id).remove({ force: true, v: true }).catch(allow(404, 409)),
      ),
    );
    // 403: a container joined since the list was made, and goes in the next round.
    await Promise.all(
      networks.map((id) =>
        dockerode
          .getNetwork(id)
          .remove()
          .catch(allow(404, 403, 409)),
      ),
    );
    await pause(50);
  }
}

/** 404: somebody else was quicker. 409: somebody else is at it, or it does not run. */
function allow(...statuses: number[]): (error: unknown) => void {
  return (error) => {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
    if (!statuses.some((allowed) => allowed === status)) throw error;
  };
}
