import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inProcess } from '../../../kernel/cli/testing.ts';
import { targetFileOf } from '../../../kernel/targets/served-target-file.ts';
import { listening } from '../../../kernel/wire/testing-server.ts';
import { startReference } from '../../../reference/index.ts';
import { temporaryFolder } from '../../../testing.ts';

const folder = temporaryFolder();
const gateway = await startReference();
afterAll(() => gateway.close());

/** Looks at a target file of the gateway, changed. */
async function doctor(change: (text: string) => string = (text) => text) {
  const file = join(folder, `${Math.random()}.yaml`);
  writeFileSync(file, change(targetFileOf(gateway)));
  const { out, ...ended } = await inProcess(['doctor', '--target', file]);
  return { ...ended, out: out.replace(/\n +(?! *[✓✗?→])/g, ' ') };
}

test('of a file that fits, nothing is wrong', async () => {
  const { code, out, err } = await doctor();
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(out).not.toContain('✗');
  for (const line of [
    '✓ region eu: GET /v1/models answered 200',
    '✓ the regions differ',
    '✓ keys.restricted is accepted',
    '✓ keys.restricted lists fewer models than keys.owner',
    '✓ x-api-key and vendorA-version: 2023-06-01 are accepted',
    '✓ x-vendorB-api-key is accepted',
    '✓ probes.ledger ',
    '✓ probes.clock ',
    '? which users `sameUser` and `otherUser` belong to',
  ]) {
    expect(out).toContain(line);
  }
});

test('says what the file leaves open, which is nothing wrong', async () => {
  const { code, out } = await doctor((text) =>
    text.replace(/ +otherUser: ts-key.*\n/, '').replaceAll(/\n +- (?:websocket|tools)(?=\n)/g, ''),
  );
  expect(code).toBe(0);
  expect(out).toContain('? keys.otherUser is not given');
  expect(out).not.toContain('keys.sameUser is not given');
  expect(out).toContain('? whether a model supports or lacks `websocket`, `tools`');
  expect((await doctor()).out).not.toContain('whether a model supports');
});

describe('a file that does not fit exits with 3, and says what to do', () => {
  const restricted = /restricted: ts-key.*/;
  test.each<[string, (text: string) => string, string]>([
    [
      'a key that does not exist',
      (text) => text.replace(restricted, 'restricted: no-such-key-1'),
      '✗ keys.restricted: GET /v1/models answered 401',
    ],
    [
      'a key with its scheme',
      (text) => text.replace(restricted, 'restricted: Bearer-abcdefg'),
      '✗ keys.restricted starts with a scheme',
    ],
    [
      'a model that is not there',
      (text) => text.replace('id: ts-chat', 'id: ts-chta'),
      '✗ keys.owner does not list `ts-chta`',
    ],
    [
      'a model that a key may not use',
      (text) => text.replaceAll(/\n +- restricted/g, ''),
      '✗ keys.restricted lists `ts-shared`',
    ],
    [
      'names that are not the publishers’',
      (text) => `${text}names: {vendorA: acme, vendorB: zeta}\n`,
      '✗ x-zeta-api-key: GET /v1beta/models answered 403',
    ],
    [
      'a path that is not there',
      (text) => text.replace(/(name: us\n.*baseUrl: \S+)/, '$1/v2/api'),
      '✗ region us: GET /v1/models answered 404',
    ],
    [
      'a probe that is not there',
      (text) => text.replaceAll('_touchstone/ledger', 'ledger'),
      '✗ probes.ledger ',
    ],
  ])('%s', async (_, change, line) => {
    const { code, out } = await doctor(change);
    expect(out).toContain(line);
    expect(out).toMatch(/→ \S/);
    expect(code).toBe(3);
  });
});

test('a clock that answers an unknown response with nothing but 404 may be right', async () => {
  const silent = createServer((request, answer) =>
    request.resume().on('end', () => answer.writeHead(404).end()),
  );
  const port = await listening(silent);
  const { code, out } = await doctor((text) =>
    text.replaceAll(/http\S+\/_touchstone\/clock/g, `http://127.0.0.1:${port}/clock`),
  );
  expect(out).toContain(`? probes.clock http://127.0.0.1:${port}/clock`);
  expect(out).toContain('or there is no probe at this address');
  expect(code).toBe(0);
});

test('an endpoint that is not there says nothing of the credentials', async () => {
  const listless = await startReference({
    defect: {
      id: 'doctor.no-lists',
      what: 'There are no lists of models.',
      override: ({ endpoints }) => ({
        endpoints: {
          routes: (dialect) => endpoints.routes(dialect).filter(({ method }) => method !== 'GET'),
        },
      }),
    },
  });
  try {
    const { out } = await doctor(() => targetFileOf(listless));
    expect(out).toContain('✗ region eu: GET /v1/models answered 404');
    expect(out).toContain('? whether the keys are accepted');
    expect(out).toContain('? whether x-vendorB-api-key is accepted');
    expect(out).not.toMatch(/✗ (keys|x-)/);
  } finally {
    await listless.close();
  }
});

test('a region that nobody listens at exits with 4', async () => {
  const { code, out } = await doctor((text) =>
    text.replace(/(name: us\n.*baseUrl: ).*/, '$1http://127.0.0.1:1'),
  );
  expect(out).toContain('✗ http://127.0.0.1:1 (region us) cannot be reached');
  expect(out).toContain('1 problem to fix.');
  expect(code).toBe(4);
});

test('no key is told', async () => {
  const { out } = await doctor();
  for (const key of Object.values(gateway.keys)) expect(out).not.toContain(key);
});

test('only lists and counts are asked for: nothing is generated', async () => {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    seen.add(`${request.method} ${request.url}`);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  const port = await listening(server);
  await doctor((text) => text.replace(/(name: eu\n.*baseUrl: ).*/, `$1http://127.0.0.1:${port}`));
  expect([...seen].sort()).toEqual([
    'GET /v1/models',
    'GET /v1beta/models',
    'POST /v1/messages/count_tokens',
    // No gateway can serve the body of this request.
    'POST /v1/responses',
  ]);
});

test('without a target it says what to name', async () => {
  const { code, err } = await inProcess('doctor');
  expect(code).toBe(3);
  expect(err).toContain('No target is named');
});
