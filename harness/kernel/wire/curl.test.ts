import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Exchange, HeaderLines } from '../core/exchange.ts';
import { redactExchange } from '../redaction/index.ts';
import { curlLine } from './curl.ts';
import { sentRequest } from './request.ts';
import { bodyOf, serveHttp, wireRequest } from './testing-server.ts';

const key = 'sk-canary-0123456789';

function sent(fields: {
  url?: string;
  method?: string;
  headers?: HeaderLines;
  body?: Uint8Array | null;
  key?: string;
  socket?: Exchange['socket'];
}): Exchange {
  const { url = 'http://gateway.example/v1/responses', key: by = 'owner', socket = null } = fields;
  const request = wireRequest(url, {
    about: { operation: 'test', protocol: 'responses', region: 'here', key: by },
    ...(fields.method === undefined ? {} : { method: fields.method }),
    ...(fields.headers === undefined ? {} : { headers: fields.headers }),
    ...(fields.body === undefined ? {} : { body: fields.body }),
  });
  const exchange: Exchange = {
    id: request.id,
    about: request.about,
    request: sentRequest(request),
    response: null,
    socket,
    failure: null,
    times: { started: 0, headers: null, ended: 1 },
    echoed: [],
  };
  return redactExchange(exchange, { [by]: key });
}

test('a request with a key in its header', () => {
  const headers: HeaderLines = [
    ['Authorization', `Bearer ${key}`],
    ['Content-Type', 'application/json'],
  ];
  expect(curlLine(sent({ headers, body: Buffer.from(`{"input":"It's"}`) }))).toBe(
    `curl -sS -i -X POST --url 'http://gateway.example/v1/responses'` +
      ` -H 'Authorization: Bearer '"$TOUCHSTONE_KEY" -H 'Content-Type: application/json'` +
      // Prevents curl's own Accept header, which the request did not have.
      ` -H 'Accept:' --data-raw '{"input":"It'\\''s"}'`,
  );
});

test('beside a key that does not exist, the key of the owner', () => {
  const request = wireRequest('http://gateway.example/v1/responses', {
    about: { ...sent({}).about, key: 'unknown', beside: 'x-api-key' },
    headers: [
      ['Authorization', `Bearer ${'*'.repeat(20)}`],
      ['x-api-key', '*'.repeat(20)],
    ],
  });
  const { about } = request;
  expect(curlLine({ ...sent({}), about, request: sentRequest(request) })).toContain(
    ` -H 'Authorization: Bearer '"$TOUCHSTONE_KEY_UNKNOWN" -H 'x-api-key: '"$TOUCHSTONE_KEY"`,
  );
});

test.each([
  ['sameUser', 'TOUCHSTONE_KEY_SAME_USER'],
  ['otherUser', 'TOUCHSTONE_KEY_OTHER_USER'],
  ['restricted', 'TOUCHSTONE_KEY_RESTRICTED'],
])('the key of %s is $%s', (name, variable) => {
  const headers: HeaderLines = [['x-api-key', key]];
  expect(curlLine(sent({ headers, key: name }))).toContain(`-H 'x-api-key: '"$${variable}"`);
});

test('a key in the query, and as the user of Basic', () => {
  expect(curlLine(sent({ url: `http://g.example/v1?key=${key}`, headers: [] }))).toContain(
    `'http://g.example/v1?key='"$TOUCHSTONE_KEY"`,
  );
  const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  expect(curlLine(sent({ headers: [['Authorization', basic]] }))).toContain(
    `-u "$TOUCHSTONE_KEY"':'`,
  );
});

test('a stream is not buffered', () => {
  expect(curlLine(sent({ headers: [['Accept', 'text/event-stream, application/json']] }))).toMatch(
    /^curl -sS -i -N -X POST/,
  );
});

test('a body that no command line holds is named', () => {
  expect(curlLine(sent({ body: Buffer.alloc(20_013, 'x') }))).toMatch(
    /--data-binary '@'"\$\{TOUCHSTONE_BODY:\?names a file with the 20013 bytes of the body, which are in the recording\}"$/,
  );
});

test('a refused upgrade asks for it with curl, a conversation goes on with wscat', () => {
  const headers: HeaderLines = [['Authorization', `Bearer ${key}`]];
  const upgrade = sent({ url: 'ws://g.example/v1/responses', method: 'GET', headers, body: null });
  expect(curlLine(upgrade)).toMatch(
    /^curl -sS -i -N --url 'http:\/\/g\.example\/v1\/responses' .*'Upgrade: websocket'/,
  );
  const data = Buffer.from('{"type":"response.create"}');
  const socket = { frames: [{ from: 'us', at: 1, kind: 'text', data }], close: null } as const;
  expect(curlLine({ ...upgrade, socket })).toBe(
    `wscat -c 'ws://g.example/v1/responses' -H 'Authorization: Bearer '"$TOUCHSTONE_KEY"` +
      ` -w 60 -x '{"type":"response.create"}'`,
  );
});

const hasCurl = existsSync('/usr/bin/curl') || existsSync('/bin/curl');

test.runIf(hasCurl)('the line repeats the request when a shell runs it', async () => {
  const seen: unknown[] = [];
  const server = await serveHttp(async (request, response) => {
    const { authorization, 'x-client-request-id': id } = request.headers;
    seen.push([request.method, request.url, authorization, id, await bodyOf(request)]);
    response.end('{}');
  });
  const odd = `{"input":"It's \\"$HOME\\" \`id\` !! %41 \u{1F600} \\n"}`;
  const line = curlLine(
    sent({
      url: `${server.url}/a/../v1/models/acme%2F[x]:go?b=1&a=${key}`,
      headers: [
        ['Authorization', `Bearer ${key}`],
        ['X-Client-Request-Id', 'r-1'],
      ],
      body: Buffer.from(odd),
    }),
  );
  const env = { ...process.env, TOUCHSTONE_KEY: key };
  await promisify(execFile)('bash', ['-c', line], { env });
  await promisify(execFile)(
    'bash',
    ['-c', curlLine(sent({ url: server.url, headers: [], body: Uint8Array.of(65, 0, 255) }))],
    { env },
  );
  const path = `/a/../v1/models/acme%2F[x]:go?b=1&a=${key}`;
  expect(seen[0]).toEqual(['POST', path, `Bearer ${key}`, 'r-1', odd]);
  expect(seen[1]).toEqual(['POST', '/', undefined, undefined, 'A\0\ufffd']);
});
