import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { serveHttp } from '../wire/testing-server.ts';
import { rejudge } from './recordings/rejudge.ts';
import { run } from './run.ts';
import { reference, targetAt } from './testing.ts';

test('a short key is masked in its place, is no echo, and the recording is judged alike', async () => {
  const key = 'sk-1';
  const { target } = await reference({ regions: ['eu'], keys: { owner: key } });
  const folder = temporaryFolder();
  const recording = join(folder, 'run.jsonl');
  const filters = [
    'access/credentials.key-required:models',
    'access/credentials.own-header-served:models',
    'access/credentials.query-key-refused:systemone',
    'access/credentials.key-not-echoed',
  ];
  const result = await run({ target, seed: 1, filters, recording });
  const states = (checks: typeof result.checks) =>
    filters.map((id) => checks.find((check) => check.id === id)?.verdict.state);
  expect(states(result.checks)).toEqual(['pass', 'pass', 'pass', 'pass']);
  const written = `${readFileSync(recording, 'utf8')}${JSON.stringify(result)}`;
  expect(written).toContain('Bearer ********');
  expect(written).not.toMatch(/Bearer sk-1\b|key=sk-1\b/);
  expect(states((await rejudge(recording)).result.checks)).toEqual(states(result.checks));
});

test('a gateway without keys can be run, and what is demanded of keys fails', async () => {
  const { url } = await serveHttp((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(
      '{"object":"list","data":[{"id":"m","object":"model","created":1,"owned_by":"a"}]}',
    );
  });
  const filters = ['access/credentials.key-required:models', 'access/credentials.key-not-echoed'];
  const result = await run({ target: { ...targetAt(url), keys: {} }, seed: 1, filters });
  const states = filters.map((id) => result.checks.find((one) => one.id === id)?.verdict.state);
  expect(states).toEqual(['fail', 'not-applicable']);
  expect(result.target.takesNoKeys).toBe(true);
});
