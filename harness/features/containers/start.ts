import { Unreachable } from '../../kernel/targets/index.ts';
import { containerTarget } from './container.ts';
import { dockerAvailable } from './docker-available.ts';

/**
 * Starts the reference gateway in containers, as a target.
 *
 * @throws {Unreachable} without Docker, with advice
 */
export async function startInContainers(signal: AbortSignal) {
  const docker = await dockerAvailable();
  if (!docker.available) {
    throw new Unreachable(
      `The reference gateway cannot be started in containers: ${docker.reason}.\n` +
        'Start Docker, or leave --reference container out: then it starts in this process.',
    );
  }
  return containerTarget({ signal });
}
