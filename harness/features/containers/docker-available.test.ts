import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { whyNoEngine } from './docker-available.ts';

test('an engine elsewhere is named', async () => {
  expect(await whyNoEngine('tcp://127.0.0.1:1')).toContain('DOCKER_HOST=tcp://127.0.0.1:1');
});

describe.skipIf(process.platform === 'win32')('a socket (Unix only)', () => {
  test('that is not there: install, start, or name another', async () => {
    const socket = join(await folder(), 'docker.sock');
    expect(await whyNoEngine(`unix://${socket}`)).toMatch(/docker\.sock does not exist: install/);
  });

  test('with nothing behind it: start Docker', async () => {
    // A file refuses a connection as the socket of an engine that was killed does.
    const socket = join(await folder(), 'docker.sock');
    await writeFile(socket, '');
    expect(await whyNoEngine(`unix://${socket}`)).toMatch(/no engine behind it: start Docker/);
  });

  test('with something else behind it', async () => {
    const socket = await listen((_request, answer) => answer.writeHead(500).end());
    expect(await whyNoEngine(`unix://${socket}`)).toMatch(/HTTP 500; .* start Docker/);
  });

  test('that accepts and says nothing', async () => {
    const socket = await listen(() => undefined);
    expect(await whyNoEngine(`unix://${socket}`)).toMatch(/no response in time; .* start Docker/);
  });

  test('of an engine that answers, but not to testcontainers: where to look', async () => {
    const socket = await listen((_request, answer) => answer.end('OK'));
    expect(await whyNoEngine(`unix://${socket}`)).toMatch(/DEBUG=testcontainers/);
  });
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'touchstone-docker-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The path of a Unix socket with an HTTP server behind it. */
async function listen(handle: RequestListener): Promise<string> {
  const socket = join(await folder(), 'docker.sock');
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return socket;
}
