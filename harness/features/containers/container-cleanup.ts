import { setTimeout as pause } from 'node:timers/promises';
import type { ContainerRuntimeClient } from 'testcontainers';

/** Label on each container of the reference gateway. Its value is the id of the start. */
export const runLabel = 'touchstone.run';

/** The network of one start. For compose, the id is the project. */
export function networkName(run: string): string {
  return `touchstone-${run}`;
}

/** Objects that one start has left in the engine: ids of containers, including stopped ones, and of networks. */
export interface Leftovers {
  readonly containers: readonly string[];
  readonly networks: readonly string[];
}

/**
 * Finds the objects of one start by its label, or by that of the compose project, which compose sets on all its
 * objects.
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

/** Kills running containers, so that waiting for them to become ready ends. */
export async function killContainers(client: ContainerRuntimeClient, run: string): Promise<void> {
  const { containers } = await leftovers(client, run);
  await Promise.all(
    containers.map((id) => client.container.getById(id).kill().catch(allow(404, 409))),
  );
}

/**
 * Removes the containers and the network of one start. Missing objects are ignored. If an object cannot be removed,
 * throws with the engine's reason.
 *
 * @param settleMs time without new objects after which removal ends. A killed process may have requested a
 *   container that the engine has not created yet.
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
    // 403: a container joined since the list was made. The next round removes it.
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

/** 404: already removed. 409: removal is in progress, or the container does not run. */
function allow(...statuses: number[]): (error: unknown) => void {
  return (error) => {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
    if (!statuses.some((allowed) => allowed === status)) throw error;
  };
}
