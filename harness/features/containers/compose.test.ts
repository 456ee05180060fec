import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fixture } from '../../kernel/core/package-root.ts';
import { fixtureKeys } from '../../reference/keys.ts';
import { type Leftovers, leftovers, networkName, removeRun } from './container-cleanup.ts';
import { containerImage, containerPort } from './container-image.ts';
import { dockerAvailable } from './docker-available.ts';
import { dismissJanitor, startJanitor } from './janitor-process.ts';
import { testcontainers } from './testcontainers.ts';

/**
 * Programs that accept a compose file, and how testcontainers calls them: a plugin of Docker, or a program of its own.
 */
const composes = [
  { line: ['docker', 'compose', 'version'], executable: { executablePath: 'docker' } },
  { line: ['docker-compose', 'version'], executable: { standalone: true } },
] as const;

async function composeAvailable() {
  for (const { line, executable } of composes) {
    const [command, ...rest] = line;
    const found = await promisify(execFile)(command, rest).catch(() => null);
    if (found !== null) return executable;
  }
  return null;
}

const docker = await dockerAvailable();
const compose = await composeAvailable();
const problem = docker.available ? 'neither docker compose nor docker-compose' : docker.reason;
const isAvailable = docker.available && compose !== null;
const why = isAvailable ? '' : ` (${problem})`;

// A continuous integration that has lost it must not be green.
if (process.env.CI === 'true') {
  test('continuous integration has Docker with compose', () => {
    expect(isAvailable, why).toBe(true);
  });
}

describe.skipIf(!isAvailable)(`fixtures/mock/compose.yaml${why}`, { timeout: 60_000 }, () => {
  test('serves two regions behind a balancer by a mounted script; the janitor removes it', async () => {
    const { base, janitor, left } = await composed();
    const eu = client(`${base}/eu`);
    const us = client(`${base}/us`);
    for (const region of [eu, us]) {
      const said = { messages: [{ role: 'user', content: 'Hello?' }] };
      expect(await region('POST', '/v1/chat/completions', said)).toMatchObject({
        status: 200,
        body: { choices: [{ message: { content: 'Hello from the script.' } }] },
      });
    }

    const created = await eu('POST', '/v1/responses', { input: 'Hello?', store: true });
    expect(created.status).toBe(200);
    const { id } = created.body;
    const further = { input: 'And now?', previous_response_id: id };
    expect(await eu('GET', `/v1/responses/${id}`)).toMatchObject({ status: 200, body: { id } });
    expect((await eu('POST', '/v1/responses', further)).status).toBe(200);
    expect((await us('GET', `/v1/responses/${id}`)).status).toBe(404);
    expect((await us('POST', '/v1/responses', further)).status).toBe(400);
    expect((await client(base)('GET', `/v1/responses/${id}`)).status).toBe(404);

    expect(await left()).not.toEqual(nothing);
    // The input ends without a message, as when the process at the other end is killed.
    janitor.stdin?.end();
    await once(janitor, 'exit');
    expect(await left()).toEqual(nothing);
  });
});

const nothing: Leftovers = { containers: [], networks: [] };

/** Starts what the file says, on a free port. */
async function composed() {
  if (!docker.available || compose === null) throw new Error(problem);
  const { dockerode } = docker.client.container;
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
  const { DockerComposeEnvironment, Wait } = await testcontainers();
  const image = await containerImage(docker.client);
  const run = randomUUID().slice(0, 8);
  const project = networkName(run);
  const janitor = startJanitor(run);
  onTestFinished(async () => {
    await removeRun(docker.client, run);
    await dismissJanitor(janitor);
  });
  const filters = { label: [`com.docker.compose.project=${project}`] };
  await new DockerComposeEnvironment(fixture('mock'), 'compose.yaml')
    .withProjectName(project)
    .withClientOptions({ executable: compose })
    .withEnvironment({ TOUCHSTONE_IMAGE: image, TOUCHSTONE_LISTEN: '0' })
    .withDefaultWaitStrategy(Wait.forHealthCheck())
    .up();
  const ports = (await dockerode.listContainers({ filters })).flatMap(({ Ports }) => Ports);
  const port = ports.find(
    ({ PrivatePort, PublicPort }) => PrivatePort === containerPort && PublicPort,
  );
  return {
    base: `http://${docker.client.info.containerRuntime.host}:${port?.PublicPort}`,
    left: () => leftovers(docker.client, run),
    janitor,
  };
}

function client(base: string) {
  return async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${fixtureKeys.owner}` },
      ...(body === undefined ? {} : { body: JSON.stringify({ model: 'ts-omni', ...body }) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
}
