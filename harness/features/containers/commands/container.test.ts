import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call } from '../../../kernel/cli/testing.ts';
import { temporaryFolder } from '../../../testing.ts';
import { dockerAvailable } from '../docker-available.ts';

const docker = await dockerAvailable();
const why = docker.available ? '' : ` (no Docker: ${docker.reason})`;

const folder = temporaryFolder();

/** Ports of this machine that lead to containers, running or stopped, which were made before then. */
async function portsPublishedBefore(then: number): Promise<number[]> {
  if (!docker.available) throw new Error(docker.reason);
  const containers = await docker.client.container.dockerode.listContainers({ all: true });
  return containers
    .filter(({ Created }) => Created * 1_000 <= then)
    .flatMap(({ Ports }) => Ports.map(({ PublicPort }) => PublicPort));
}

// Runs in a process of its own, because this one may have found Docker already.
test('without Docker, containers are a target that cannot be reached', async () => {
  const environment = { DOCKER_HOST: 'tcp://127.0.0.1:1' };
  const { code, err } = await call('run --reference container', environment);
  expect(err).toContain('cannot be started in containers');
  expect(err).toContain('leave --reference container out');
  expect(code).toBe(4);
});

describe.skipIf(!docker.available)(
  `the command with the reference gateway in containers${why}`,
  { timeout: 120_000 },
  () => {
    test('judges it, and leaves nothing', async () => {
      const report = join(folder, 'report.json');
      const { code, out, err } = await call(
        `run --reference container --allow-partial generation/responses access/regions --seed 1 --json ${report}`,
        { HOME: process.env.HOME, DOCKER_HOST: process.env.DOCKER_HOST },
      );
      expect(err).not.toContain('broke');
      expect(out).toContain('PARTIAL');
      expect(code).toBe(0);
      const addresses = /eu http:\/\/\S+:(\d+), us http:\/\/\S+:(\d+)/.exec(out);
      const [, eu, us] = (addresses ?? []).map(Number);
      expect(eu).toBeGreaterThan(0);
      expect(us).toBeGreaterThan(0);
      // A container started after these have gone may be given their ports.
      const { startedAt } = JSON.parse(readFileSync(report, 'utf8'));
      const left = await portsPublishedBefore(Date.parse(startedAt));
      expect(left).not.toContain(eu);
      expect(left).not.toContain(us);
    });
  },
);
