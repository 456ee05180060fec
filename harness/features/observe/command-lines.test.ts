import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../kernel/core/exchange.ts';
import { withoutLogCommands } from '../../kernel/core/log-commands.ts';
import { printable } from '../../kernel/core/printable.ts';
import { commandLine } from '../../kernel/core/shell.ts';
import { idFrom } from '../../kernel/core/testing.ts';
import { curlLine, withoutBody } from '../../kernel/wire/curl.ts';
import { fromLine, toLine } from '../../kernel/wire/recording.ts';
import { temporaryFolder } from '../../testing.ts';
import { harEntry } from './har.ts';

/** More of them: `TOUCHSTONE_FUZZ=100 npx vitest run --project harness harness/features/observe/command-lines.test.ts`. */
const longer = Number(process.env.TOUCHSTONE_FUZZ ?? '1');
const bounded = longer === 1 ? { seed: 33 } : {};

const key = 'sk-canary-0123456789';
const shells = ['bash', 'zsh', 'sh'] as const;

function needs(shell: string, skip: (why: string) => void): void {
  if (spawnSync(shell, ['-c', 'exit 0']).status === 0) return;
  if (process.env.CI === 'true') throw new Error(`${shell} is not there`);
  skip(`${shell} is not there`);
}

/** Folder in which the lines run: no file may ever appear in it. */
const folder = temporaryFolder();
/** The only programs that they find: `curl` writes down each start, and `touch` stands for whatever else may run. */
const programs = temporaryFolder();
const starts = temporaryFolder();

interface Came {
  readonly method: string;
  readonly target: string;
  readonly lines: readonly string[];
  readonly body: string;
}

const came: Came[] = [];
const server = createServer((socket) => {
  let bytes = Buffer.alloc(0);
  socket.on('data', (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
    const length = Number(/^content-length: *(\d+)$/im.exec(lines.join('\n'))?.[1] ?? '0');
    if (bytes.length < end + 4 + length) return;
    const [, method = '', target = ''] = /^(\S*) (.*) HTTP\/1\.1$/.exec(first) ?? [];
    came.push({ method, target, lines, body: bytes.toString('latin1', end + 4) });
    socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
  });
  socket.on('error', () => undefined);
});

const real = spawnSync('sh', ['-c', 'command -v curl; command -v base64'], { encoding: 'utf8' });
const [curl = '', base64 = ''] = real.stdout.trim().split('\n');
const program = (name: string, text: string): void => {
  writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(programs, name), 0o755);
};
program('curl', `: >'${starts}/'$$\nexec ${curl} "$@"`);
program('base64', `exec ${base64} "$@"`);
for (const name of ['touch', 'id', 'made', 'wscat']) program(name, `: >'${folder}/'$$`);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

afterAll(() => server.close());

/** Runs a line as a reader would who has copied it. */
async function run(shell: string, line: string): Promise<void> {
  const env = { PATH: programs, TOUCHSTONE_KEY: key, LC_ALL: 'C.UTF-8', HOME: folder };
  const path = spawnSync('sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' }).stdout.trim();
  await promisify(execFile)(path, ['-c', line], { cwd: folder, env }).catch(() => undefined);
}

/** The one request that a line made, which has to be all that it did. */
async function requestOf(shell: string, line: string): Promise<Came> {
  came.length = 0;
  const before = readdirSync(starts).length;
  await run(shell, line);
  expect(readdirSync(folder), line).toEqual([]);
  expect(readdirSync(starts).length - before, line).toBe(1);
  expect(came.length, line).toBe(1);
  const [only] = came;
  if (only === undefined) throw new Error('Nothing came');
  return only;
}

const piece = fc.constantFrom(
  ...[
    "'",
    '"',
    '`touch a`',
    '$(touch b)',
    '$HOME',
    '$\x7bHOME}',
    ';touch c',
    '|touch d',
    '&',
    '\\',
  ],
  ...['<e', '>f', '(', ')', '*', '?', '!', '!!', '~', '{a,b}', '[x]', '%41', '=ls', '@', '#', '^'],
  ...[
    'a',
    'Z9',
    '-',
    '--',
    ' --data-binary ',
    ' -w 60 -x ',
    "'\\''",
    '"$TOUCHSTONE_KEY"',
    '::error::',
  ],
);
const lines = fc.constantFrom(
  '\n',
  '\r\n',
  '\t',
  '\x1b[2J',
  '\u0085',
  '\u2028',
  '\u202e',
  '##[error]',
);
const wide = fc.constantFrom('é', '語', '\u{1F600}', '\u00a0', '\u200d');
const written = (...of: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.array(fc.oneof(...of), { maxLength: 8 }).map((pieces) => pieces.join(''));

const token = fc
  .array(fc.constantFrom('A', '`', "'", '$', '*', '|', '&', '!', '~', '#', '-', '^', '%'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) => all.join(''));
const method = fc.oneof(fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE'), token);
const value = written(piece, wide, fc.constantFrom('\t', '\x1b[2J', ' '))
  .map((text) => Buffer.from(text).toString('latin1').trim())
  .filter((text) => !text.includes('***'));
const latin1 = fc.constantFrom('\xe9', 'x\xff\x80', '@/etc/passwd', '');
const headerName = token.map((name) => `X-${name}`);
const body = fc.option(
  fc.oneof(
    written(piece, lines, wide).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('@/etc/passwd', '@-', '{"a":\n 1}\n\n', '\n', '-')
      .map((text) => Buffer.from(text)),
  ),
);
const path = written(piece, wide).map((text) => text.replaceAll(/[ #]/g, ''));

const drawn = fc
  .record({
    method,
    path,
    headers: fc.array(fc.tuple(headerName, fc.oneof(value, latin1)), { maxLength: 4 }),
    body,
  })
  .filter(({ path: of }) => !of.includes('***'));
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function exchangeOf({ method: by, path: of, headers, body: sent }: Drawn): Exchange {
  return {
    id: idFrom('observed#one/0'),
    about: { operation: 'unknown', protocol: 'models', region: 'here', key: 'owner' },
    request: { method: by, url: `${origin}/${of}`, headers, body: sent },
    response: null,
    socket: null,
    failure: null,
    times: { started: 0, headers: null, ended: 1 },
    echoed: [],
  };
}

/** Headers that curl adds of its own accord: they identify the client and frame the body. */
const added = /^(host|user-agent|content-length|connection):/i;

/** curl writes bytes of a path that are no ASCII as a server has to be sent them, and those of a query as they are. */
function inAscii(target: string): string {
  return target.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

function expectRequest(seen: Came, { request }: Exchange): void {
  expect(seen.method).toBe(request.method);
  const target = request.url.slice(origin.length);
  expect(inAscii(seen.target)).toBe(inAscii(Buffer.from(target).toString('latin1')));
  expect(seen.lines.filter((line) => !added.test(line))).toEqual(
    request.headers.map(([name, said]) => (said === '' ? `${name}:` : `${name}: ${said}`)),
  );
  expect(seen.body).toBe(Buffer.from(request.body ?? []).toString('latin1'));
}

describe.each(shells)('in %s', (shell) => {
  test('a line makes the request of its exchange, and nothing else', { timeout: 300_000 }, async ({
    skip,
  }) => {
    needs(shell, skip);
    await fc.assert(
      fc.asyncProperty(drawn, async (one) => {
        const exchange = exchangeOf(one);
        const line = curlLine(exchange);
        // A terminal and the log of a pipeline show it as it is.
        expect(withoutLogCommands(printable(line))).toBe(line);
        expect(line).not.toContain('\n');
        expectRequest(await requestOf(shell, line), exchange);
        const bare = { ...exchange, request: { ...exchange.request, body: null } };
        const without = await requestOf(shell, withoutBody(line));
        expect({ ...without, lines: [] }).toEqual({
          ...{ target: without.target, method: without.method, lines: [] },
          body: Buffer.from(bare.request.body ?? []).toString(),
        });
      }),
      { ...bounded, numRuns: 40 * longer },
    );
  });

  test('lines of recordings and HAR files that somebody has edited do no more', {
    timeout: 300_000,
  }, async ({ skip }) => {
    needs(shell, skip);
    await fc.assert(
      fc.asyncProperty(drawn, async (one) => {
        const exchange = exchangeOf(one);
        const recorded = fromLine(toLine(exchange)).exchange;
        expectRequest(await requestOf(shell, curlLine(recorded)), exchange);
        const entry = {
          request: {
            method: one.method,
            url: exchange.request.url,
            headers: one.headers.map(([name, said]) => ({ name, value: said })),
            ...(one.body === null
              ? {}
              : {
                  postData: { text: Buffer.from(one.body).toString('base64'), encoding: 'base64' },
                }),
          },
          response: { status: 200, headers: [], content: { text: '{}' } },
        };
        const read = harEntry(JSON.stringify(entry), 0, 0);
        if (read.kind !== 'seen') throw new Error(JSON.stringify(read));
        const seen: Exchange = { ...exchange, ...read.seen };
        const upper = { ...exchange.request, method: one.method.toUpperCase() };
        expectRequest(await requestOf(shell, curlLine(seen)), { ...exchange, request: upper });
      }),
      { ...bounded, numRuns: 15 * longer },
    );
  });

  test('no argument runs a command, whatever stands in it', async ({ skip }) => {
    needs(shell, skip);
    const words = fc.sample(written(piece, lines, wide), { seed: 7, numRuns: 100 });
    const line = `${commandLine(['printf', '%s\\0', ...words])}`;
    const shown = spawnSync(shell, ['-c', line], { cwd: folder, encoding: 'utf8' });
    expect(shown.stderr).toBe('');
    expect(shown.stdout.split('\0').slice(0, -1)).toEqual(words);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.each([
  ['a method that runs a command', { request: { method: 'POST;touch made;#' } }, /request\.method/],
  ['a key that runs a command', { about: { key: '"$TOUCHSTONE_KEY_`touch made`"' } }, /about\.key/],
  ['a method that is no text', { request: { method: ['POST'] } }, /request\.method/],
  ['a number for a header', { request: { headers: [['a', 1]] } }, /request\.headers\[0\]\[1\]/],
  ['a time that is none', { times: { started: 'x' } }, /times\.started/],
])('a recording with %s is refused, and says where', (_what, changes, where) => {
  const one = { method: 'POST', path: 'v1', headers: [], body: null };
  const line = JSON.parse(toLine(exchangeOf(one)));
  for (const [name, change] of Object.entries(changes)) Object.assign(line.exchange[name], change);
  expect(() => fromLine(JSON.stringify(line))).toThrow(where);
});

test.each([
  ["POST;$'\\164\\157\\165\\143\\150'$IFS;#", 'http://g.example/v1/v1/responses'],
  ['POST', 'http://g.example/v1/\nresponses'],
])('an entry of a HAR with the method %s and the address %s is not read', (by, url) => {
  const entry = { request: { method: by, url, headers: [] }, response: { status: 200 } };
  expect(harEntry(JSON.stringify(entry), 0, 0)).toMatchObject({ kind: 'unreadable' });
});

test('what curl cannot send is left out: it would read a file, or send a second header', () => {
  const headers = [
    ['@/etc/passwd', ''],
    ['x-a', 'b\r\nx-c: d'],
  ] as const;
  const exchange = exchangeOf({ method: 'GET', path: '', headers: [], body: null });
  const line = curlLine({ ...exchange, request: { ...exchange.request, headers } });
  expect(line).not.toMatch(/passwd|x-c/);
});
