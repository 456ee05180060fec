import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeFile } from '../../kernel/core/index.ts';
import { fixtureKeys } from '../../reference/index.ts';
import { aimock } from '../others/aimock.ts';
import { install } from '../others/install.ts';
import { freePort } from '../others/start.ts';
import type { RepeatedRequest } from './load.ts';
import { type Measured, startMeasured } from './measured.ts';

/** Requests to both servers: over each protocol, as JSON and as a stream. */
export const loads = ['responses', 'chat', 'messages'].flatMap((protocol) => [
  { name: `${protocol}, JSON`, protocol, stream: false },
  { name: `${protocol}, stream`, protocol, stream: true },
]);

export type LoadCase = (typeof loads)[number];

const question = 'Tell me what the harbour is like this morning, in a sentence or two.';

/** `touchstone serve`, with one region. */
export async function startServe(): Promise<Measured> {
  const port = await freePort();
  const script = codeFile('harness/main');
  return startMeasured(port, [
    script,
    'serve',
    '--quiet',
    '--region',
    'eu',
    '--port',
    String(port),
  ]);
}

export function askServe(load: LoadCase): RepeatedRequest {
  return requestOf(load, 'ts-omni', fixtureKeys.owner);
}

/**
 * aimock, which answers everything with this text.
 *
 * @param chunk characters of each piece of a stream; null for as many as it takes itself
 */
export async function startAimock(
  folder: string,
  text: string,
  chunk: number | null,
): Promise<Measured> {
  const installed = await install(aimock, folder);
  const port = await freePort();
  const cwd = join(folder, `at-${port}`);
  mkdirSync(cwd, { recursive: true });
  const fixtures = [{ match: {}, response: { content: text } }];
  writeFileSync(join(cwd, 'fixtures.json'), JSON.stringify({ fixtures }));
  const parameters = ['--port', String(port), '--fixtures', 'fixtures.json', '--log-level', 'warn'];
  if (chunk !== null) parameters.push('--chunk-size', String(chunk));
  return startMeasured(port, [join(installed, 'dist', 'cli.js'), ...parameters], {
    cwd,
    environment: { AIMOCK_API_KEYS: fixtureKeys.owner },
  });
}

export function askAimock(load: LoadCase): RepeatedRequest {
  const model = load.protocol === 'messages' ? 'claude-3-5-sonnet-20241022' : 'gpt-4o';
  return requestOf(load, model, fixtureKeys.owner);
}

/** Request with the same question for each protocol, with the key where its clients send it. */
function requestOf({ protocol, stream }: LoadCase, model: string, key: string): RepeatedRequest {
  const bearer = { authorization: `Bearer ${key}` };
  const messages = [{ role: 'user', content: question }];
  switch (protocol) {
    case 'responses':
      return { path: '/v1/responses', headers: bearer, body: { model, input: question, stream } };
    case 'chat':
      return { path: '/v1/chat/completions', headers: bearer, body: { model, messages, stream } };
    default:
      return {
        path: '/v1/messages',
        headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
        body: { model, max_tokens: 200, messages, stream },
      };
  }
}
