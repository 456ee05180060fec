import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { type ContainerOptions, type ContainerTarget, containerTarget } from './container.ts';
import { type Leftovers, leftovers, networkName, removeRun } from './container-cleanup.ts';
import { containerImage } from './container-image.ts';
import { dockerAvailable } from './docker-available.ts';

const docker = await dockerAvailable();
const why = docker.available ? '' : ` (no Docker: ${docker.reason})`;

// A continuous integration that has lost its Docker must not be green.
if (process.env.CI === 'true') {
  test('continuous integration has a Docker engine', () => {
    expect(docker.available, why).toBe(true);
  });
}

const nothing: Leftovers = { containers: [], networks: [] };

function engine() {
  if (!docker.available) throw new Error(`This needs Docker: ${docker.reason}`);
  return docker.client;
}

/** A name for one start; whatever it left is removed at the end of the test, even of one that failed. */
function newRun(): string {
  const run = randomUUID();
  onTestFinished(() => removeRun(engine(), run));
  return run;
}

describe.skipIf(!docker.available)(
  `the reference gateway as containers${why}`,
  { timeout: 60_000 },
  () => {
    test('serves each region from a container with its own store, and leaves nothing', async () => {
      const run = newRun();
      const started = await containerTarget({ run });
      expect(started.target.regions.map(({ name }) => name)).toEqual(['eu', 'us']);
      expect(await leftovers(engine(), run)).toEqual({
        containers: [expect.any(String), expect.any(String)],
        networks: [expect.any(String)],
      });

      expect(await networksOf(run)).toEqual([[networkName(run)], [networkName(run)]]);

      const [eu, us] = await Promise.all([create(started, 0), create(started, 1)]);
      expect(await lookup(started, 0, eu)).toBe(200);
      expect(await lookup(started, 1, us)).toBe(200);
      expect(await lookup(started, 1, eu)).toBe(404);
      expect(await lookup(started, 0, us)).toBe(404);

      await started.close();
      expect(await leftovers(engine(), run)).toEqual(nothing);
    });

    test('takes its options along: keys, a path prefix, names, the probes', async () => {
      const { target } = await start({
        regions: ['only'],
        keys: { owner: 'another-key-of-the-owner' },
        pathPrefix: '/gateway/only/',
        names: { vendorA: 'acme', vendorB: 'zenith' },
        retentionDays: 2,
      });
      expect(target.keys.owner).toBe('another-key-of-the-owner');
      expect(target.retentionDays).toBe(2);
      const base = target.regions[0]?.baseUrl;
      expect(base).toMatch(/\/gateway\/only$/);
      const listed = await fetch(`${base}/v1beta/models`, {
        headers: { 'x-zenith-api-key': target.keys.owner ?? '' },
      });
      expect(listed.status).toBe(200);
      const ledger = await fetch(`${target.probes.ledger[0]}?client_request_id=none`);
      expect(await ledger.json()).toEqual({ records: [] });
    });

    test('builds one image for one content, upon another image too', async () => {
      const image = await containerImage(engine());
      expect(await containerImage(engine())).toBe(image);

      // Our own image has Node on its path, so it does for any that has: none can be pulled in a test.
      const { target } = await start({ regions: ['eu'], baseImage: image });
      const answer = await fetch(`${target.regions[0]?.baseUrl}/v1/models`);
      expect(answer.status).toBe(401);
    });

    test('says why an image cannot be built', async () => {
      const run = newRun();
      const starting = containerTarget({ run, baseImage: 'No Image Has Such A Name' });
      await expect(starting).rejects.toThrow(
        /could not be built from\nFROM No Image Has Such A Name/,
      );
      expect(await leftovers(engine(), run)).toEqual(nothing);
    });

    test('says why a container did not start, and leaves nothing', async () => {
      const run = newRun();
      const starting = containerTarget({ run, regions: ['eu'], retentionDays: -1 });
      await expect(starting).rejects.toThrow(
        /region eu did not start[\s\S]*--retention-days[\s\S]*Expected a whole number/,
      );
      expect(await leftovers(engine(), run)).toEqual(nothing);
    });

    test('breaks a start off, and leaves nothing', async () => {
      const run = newRun();
      const abort = new AbortController();
      const starting = containerTarget({ run, regions: ['eu'], signal: abort.signal });
      await Promise.all([
        expect(starting).rejects.toThrow('Ctrl-C'),
        containersOf(run).then(() => abort.abort(new Error('Ctrl-C'))),
      ]);
      expect(await leftovers(engine(), run)).toEqual(nothing);
    });

    test.each([
      ['SIGINT', 'while it starts'],
      ['SIGINT', 'while it runs'],
      ['SIGKILL', 'while it runs'],
    ] as const)('leaves nothing when its process gets %s %s', async (signal, when) => {
      const run = newRun();
      const child = startInProcess(run);
      const exited = once(child, 'exit');
      const reached = when === 'while it starts' ? containersOf(run) : once(child.stdout, 'data');
      // If the process exits earlier, it was not due to this signal, and the test fails.
      await Promise.race([reached, exited]);
      child.kill(signal);
      expect(await exited).toEqual([null, signal]);
      await vi.waitFor(async () => expect(await leftovers(engine(), run)).toEqual(nothing), {
        timeout: 20_000,
        interval: 200,
      });
    });
  },
);

/** Starts, and ends with the test. */
async function start(options: ContainerOptions): Promise<ContainerTarget> {
  const started = await containerTarget(options);
  onTestFinished(() => started.close());
  return started;
}

/** Resolves when the engine has a container of this start. */
async function containersOf(run: string): Promise<void> {
  await vi.waitFor(
    async () => expect((await leftovers(engine(), run)).containers).not.toEqual([]),
    { timeout: 30_000, interval: 20 },
  );
}

/** The names of the networks that each container of this start is on. */
async function networksOf(run: string): Promise<string[][]> {
  const { containers } = await leftovers(engine(), run);
  return Promise.all(
    containers.map(async (id) => {
      const { NetworkSettings } = await engine().container.getById(id).inspect();
      return Object.keys(NetworkSettings.Networks);
    }),
  );
}

/** A process of its own that starts the containers, writes a line when they run, and then waits. */
function startInProcess(run: string) {
  const script = ['dist', 'harness', 'features', 'containers', 'container-process.js'];
  return spawn(process.execPath, [join(packageRoot, ...script), run], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Creates a stored response, and gives its id. */
async function create({ target }: ContainerTarget, region: number): Promise<string> {
  const answer = await fetch(`${target.regions[region]?.baseUrl}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.keys.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'ts-omni', input: 'Name a colour.', store: true }),
  });
  expect(answer.status).toBe(200);
  const body: unknown = await answer.json();
  expect(body).toMatchObject({ id: expect.any(String) });
  return typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : '';
}

/** The status that a lookup gets. */
async function lookup(
  { target }: ContainerTarget,
  region: number,
  response: string,
): Promise<number> {
  const answer = await fetch(`${target.regions[region]?.baseUrl}/v1/responses/${response}`, {
    headers: { authorization: `Bearer ${target.keys.owner}` },
  });
  await answer.body?.cancel();
  return answer.status;
}
