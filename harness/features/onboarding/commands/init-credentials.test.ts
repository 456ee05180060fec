import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inProcess } from '../../../kernel/cli/testing.ts';
import { loadTarget } from '../../../kernel/targets/load.ts';
import { temporaryFolder } from '../../../testing.ts';

const folder = temporaryFolder();
const environment = { TOUCHSTONE_KEY: 'canary-owner-key' };

/** A gateway that takes the key in a header of its own on its list, and on Chat. */
function refusesKey({ url: path, headers }: IncomingMessage): boolean {
  const key = environment.TOUCHSTONE_KEY;
  if (path === '/v1/models') return headers['x-list-key'] !== key;
  return path === '/v1/chat/completions' && headers['x-chat-key'] !== key;
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const unknown = body.includes('no-such-model');
  const message = unknown ? 'The model does not exist' : 'messages must be an array';
  const [status, sent] = refusesKey(request)
    ? [401, { error: { message: 'no key' } }]
    : request.url === '/v1/models'
      ? [200, { data: [{ id: 'm-1' }] }]
      : [unknown ? 404 : 400, { error: { message } }];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

async function init(options: string) {
  const out = join(folder, 'target.yaml');
  const line = `init --base-url ${url} --out ${out} --force ${options}`;
  return { ...(await inProcess(line, environment)), out };
}

test('where the list takes the key elsewhere, it is said how to say so', async () => {
  const { code, err } = await init('');
  expect(code).toBe(4);
  expect(err).toContain('--credential models=HEADER');
});

test('a protocol that refused the key is named, with what says where the key goes', async () => {
  const { code, out } = await init('--credential models=x-list-key');
  expect(code).toBe(0);
  const text = readFileSync(out, 'utf8');
  expect(text).toContain('# The key was refused on chat: see `credentials.chat`');
  expect(loadTarget(out, environment).credentials).toEqual({
    chat: 'bearer',
    systemone: 'bearer',
    models: 'x-list-key',
  });
});

test('with the right headers, nothing is refused', async () => {
  const { out } = await init('--credential models=x-list-key --credential chat=x-chat-key');
  expect(readFileSync(out, 'utf8')).not.toContain('refused');
  const { credentials, models } = loadTarget(out, environment);
  expect(credentials.chat).toBe('x-chat-key');
  expect(models[0]?.protocols).toContain('chat-completions');
});

test.each(['chat', 'messages=x-key', 'chat=a b'.replace(' ', '\t')])('%j is none', async (text) => {
  const { code, err } = await init(`--credential ${text}`);
  expect(code).toBe(3);
  expect(err).toContain('Expected chat, systemone or models, and a header');
});
