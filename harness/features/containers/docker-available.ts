import { existsSync } from 'node:fs';
import { request } from 'node:http';
import type { ContainerRuntimeClient } from 'testcontainers';
import { testcontainers } from './testcontainers.ts';

/** Docker engine on this machine. If none answers, the reason with advice. */
type Docker =
  | { readonly available: true; readonly client: ContainerRuntimeClient }
  | { readonly available: false; readonly reason: string };

/**
 * Finds a Docker engine like testcontainers: `DOCKER_HOST`, then the usual sockets. Starts and pulls nothing.
 *
 * @throws {MissingPackage} only without testcontainers. A missing engine is a regular result
 */
export async function dockerAvailable(): Promise<Docker> {
  const { getContainerRuntimeClient } = await testcontainers();
  try {
    return { available: true, client: await getContainerRuntimeClient() };
  } catch {
    // testcontainers only says that no strategy worked, not the reason of each.
    return { available: false, reason: await whyNoEngine(process.env.DOCKER_HOST) };
  }
}

/**
 * Explains why no engine answers at this address, with advice, in one line.
 *
 * @param host an address as in `DOCKER_HOST`
 */
export async function whyNoEngine(host = 'unix:///var/run/docker.sock'): Promise<string> {
  if (process.platform === 'win32') return 'no Docker engine responds: start Docker Desktop';
  if (!host.startsWith('unix://')) return `no Docker engine responds at DOCKER_HOST=${host}`;
  const socket = host.slice('unix://'.length);
  if (!existsSync(socket)) {
    return `${socket} does not exist: install and start Docker, or set DOCKER_HOST`;
  }
  return `${socket}: ${explain(await ping(socket))}`;
}

const pingTimeoutMs = 1_000;

/** Returns null if the engine answers, otherwise the code of the error. */
function ping(socketPath: string): Promise<string | null> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/_ping', timeout: pingTimeoutMs }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 ? null : `HTTP ${answer.statusCode}`);
    });
    asked.once('timeout', () => asked.destroy(new Error('no response in time')));
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end();
  });
}

function explain(problem: string | null): string {
  switch (problem) {
    case null:
      return 'the engine responds, but not in a way that testcontainers can use (DEBUG=testcontainers shows more)';
    case 'EACCES':
      return 'no permission to use it: join the group "docker", or run as root';
    case 'ECONNREFUSED':
      return 'no engine behind it: start Docker (dockerd)';
    default:
      return `${problem}; what is behind it is not a working engine: start Docker (dockerd) again`;
  }
}
