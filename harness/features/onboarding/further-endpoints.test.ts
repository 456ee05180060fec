import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { asker } from '../../kernel/probing/index.ts';
import { withDefaults } from '../../kernel/targets/defaults.ts';
import { listening } from '../../kernel/wire/testing-server.ts';
import { furtherEndpoints } from './further-endpoints.ts';

/** Statuses by path; of all other paths that of `*`. */
async function servedBy(statuses: Readonly<Record<string, number>>): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    request.resume();
    const status = statuses[request.url ?? ''] ?? statuses['*'] ?? 404;
    const message = status === 404 ? 'Not found' : '`input` is missing';
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status < 300 ? { data: [] } : { error: { message } }));
  });
  const baseUrl = `http://127.0.0.1:${await listening(server)}`;
  onTestFinished(() => void server.close());
  const target = withDefaults(
    { regions: [{ name: 'here', baseUrl }], keys: { owner: 'k' }, models: [] },
    'test',
  );
  return furtherEndpoints(asker(target, new AbortController().signal));
}

test('an endpoint that misses what it needs is served, and one that is not there is not', async () => {
  const statuses = {
    '/v1/embeddings': 400,
    '/v1/files': 200,
    '/v1/rerank': 501,
    '/v1/images/generations': 405,
  };
  expect(await servedBy(statuses)).toEqual(['embeddings', 'files']);
});

test.each([[401], [400], [200], [503]])(
  'nothing follows from the status %i that every path gets',
  async (status) => {
    expect(await servedBy({ '*': status })).toEqual([]);
  },
);

test('a status of its own counts where other paths get another refusal', async () => {
  expect(await servedBy({ '*': 403, '/v1/batches': 200 })).toEqual(['batches']);
});
