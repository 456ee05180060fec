import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inProcess as call, call as callCommand, start } from '../../../kernel/cli/testing.ts';
import { listening } from '../../../kernel/wire/testing-server.ts';
import { temporaryFolder } from '../../../testing.ts';
import { frontKey, startProxy } from '../testing.ts';

const portInUse = (): Promise<number> => listening(createServer());

test.each([
  ['--upstream-of ftp://gateway', 'expected an address like http://localhost:4000'],
  ['--upstream-of http://127.0.0.1:1 --key-env NO_SUCH', 'that variable is not set'],
  ['--upstream-of http://127.0.0.1:1 --wait 3', '--wait goes with --print-provider'],
  ['--upstream-of http://127.0.0.1:1 --listen seven', 'Expected a port from 0 to 65535'],
  ['--upstream-of http://127.0.0.1:1 --adapter openai', 'leave out --adapter'],
  ['--upstream-of http://127.0.0.1:1 -- node client.mjs', 'leave out the command'],
  ['--model m -- node client.mjs', '--model goes with --upstream-of'],
])('client %s exits with 3', async (line, said) => {
  const { code, err } = await call(`client ${line}`);
  expect(err).toContain(said);
  expect(code).toBe(3);
});

test('so it does where its port is in use', async () => {
  const port = await portInUse();
  const { code, err } = await call(`client --upstream-of http://127.0.0.1:1 --listen ${port}`);
  expect(err).toBe(`Port ${port} is in use. Choose another with --listen PORT.\n`);
  expect(code).toBe(3);
});

test('a front that is not there exits with 4', async () => {
  const { code, err } = await call('client --upstream-of http://127.0.0.1:1 --listen 0 -q');
  expect(err).toMatch(/its front at http:\/\/127\.0\.0\.1:1 cannot be reached/);
  expect(code).toBe(4);
});

test('one that is entered in nothing is asked until the time is up', async () => {
  const { baseUrl } = await startProxy(['knows-no-model']);
  const line = `client --upstream-of ${baseUrl} --key-env KEY --listen 0 --print-provider litellm --wait 4 -q`;
  const { code, out, err } = await call(line, { KEY: frontKey });
  expect(out).toMatch(/api_base: http:\/\/127\.0\.0\.1:\d+\/v1\n/);
  expect(err).toContain(
    'nothing came in at its back (Responses, Chat Completions: it answered 404',
  );
  expect(code).toBe(4);
});

test('one that is entered in time is judged, and certified', async () => {
  const proxy = await startProxy();
  const folder = temporaryFolder();
  const bundle = join(folder, 'certificate');
  const line = `client --upstream-of ${proxy.baseUrl} --key-env KEY --listen 0 --print-provider openai-compatible --speaks messages --certify ${bundle}`;
  const { written, ended } = start(line, { KEY: frontKey });
  await expect.poll(() => written.out).toContain('base address');
  proxy.provider = /http:\/\/127\.0\.0\.1:\d+/.exec(written.out)?.[0] ?? '';
  const { code, out, err } = await ended;
  expect(out + err).not.toContain(frontKey);
  expect(out).toMatch(/✓ client {2}\d+ passed/);
  expect(code).toBe(0);
  // Verified by the build that made it.
  const verified = await callCommand(`verify ${bundle}`);
  expect(verified.out).toMatch(/^back side of +"http:/m);
  expect(verified.out).toContain(`"${proxy.baseUrl}"`);
  expect(verified.out + verified.err).not.toContain(frontKey);
}, 60_000);
