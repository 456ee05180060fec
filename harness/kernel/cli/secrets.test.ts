import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
} from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { temporaryFolder } from '../../testing.ts';
import { packageRoot } from '../core/package-root.ts';
import { declaredAs, protocols } from '../core/protocol.ts';
import { startEchoGateway } from './testing-echo-gateway.ts';

/**
 * Canary keys against a gateway that says back whatever it hears, in every way of writing: none of
 * the outputs of a run may hold one, however it is written there.
 */

const script = join(packageRoot, 'dist', 'harness', 'main.js');
/** Keys with characters that encodings change: `/`, `+`, `=`, `&` and `%`. */
const keys = {
  owner: 'canary/Owner+7=Zq&9v%T0xW',
  sameUser: 'canary/Same+user&5k2=Lm%8e',
  otherUser: 'canary/Other=user+1p&7Yw%3c',
  restricted: 'canary/Restricted&4h+9Bn=2%g',
};
const reports = ['json', 'junit', 'markdown', 'ctrf', 'badge', 'html', 'record'] as const;
const folder = temporaryFolder();

if (!existsSync(script)) throw new Error(`There is no ${script}: run \`npm run build\` first`);
const gateway = await startEchoGateway();
afterAll(async () => {
  await gateway.close();
});

test('no output of a run holds a key, however the gateway wrote it', {
  timeout: 240_000,
}, async () => {
  const target = join(folder, 'target.yaml');
  writeFileSync(target, stringify(targetFile(gateway.url)));
  const files = reports.map((name) => ({
    name: `--${name}`,
    file: join(folder, `report.${name}`),
  }));
  const { out, err } = await call([
    ...['run', '--target', target, '--github', 'access/', 'websocket/', 'generation/asked'],
    ...files.flatMap(({ name, file }) => [name, file]),
  ]);
  const outputs = new Map([
    ['standard output', out],
    ['standard error', err],
    ...files.map(({ name, file }) => [name, readFileSync(file, 'utf8')] as const),
  ]);

  // The gateway did say them: every way of writing and of answering, over HTTP and WebSocket.
  const recording = outputs.get('--record') ?? '';
  const lines = recording.trimEnd().split('\n');
  const echoed = new Set(lines.flatMap((line) => JSON.parse(line).exchange?.echoed ?? []));
  expect([...echoed]).toEqual(
    expect.arrayContaining([...Object.keys(keys), 'changed', 'longer', 'shorter', 'otherCase']),
  );
  expect(gateway.used.size).toBe(28);
  expect(lines.length).toBeGreaterThan(100);

  for (const [name, text] of outputs) {
    expect(text, name).not.toBe(name === 'standard error' ? undefined : '');
    expect(found(text), name).toEqual([]);
  }
  // Secrets were masked in the exchanges already, so that the last gate finds none.
  expect(err).not.toContain('WARNING');
  expect(outputs.get('--json')).not.toContain('keysMasked');
  expect(outputs.get('--html')).toContain('The response repeats a credential: owner.');
});

test('the search of this test finds a key in every way of writing', () => {
  const key = keys.owner;
  const bytes = Buffer.from(key);
  for (const text of [
    key,
    `<b>${key.replaceAll('&', '&amp;')}</b>`,
    `"${key.replaceAll('&', '\\u0026')}"`,
    encodeURIComponent(key),
    encodeURIComponent(key).toLowerCase().replaceAll('canary%2fowner', 'canary%2fOwner'),
    new URLSearchParams({ key }).toString(),
    Buffer.from(`Bearer ${key}`).toString('base64'),
    Buffer.from(`Bearer  ${key}`).toString('base64url'),
    Buffer.from(`:${key}:`).toString('base64'),
    bytes.toString('hex'),
    bytes.toString('hex').replace(/(..)/g, '$1 '),
    [...key].map((one) => `data: ${JSON.stringify({ delta: one })}\n\n`).join(''),
    JSON.stringify({ base64: Buffer.concat([Buffer.from([255]), bytes]).toString('base64') }),
    JSON.stringify({ base64: gzipSync(bytes).toString('base64') }),
    JSON.stringify({ base64: brotliCompressSync(bytes).toString('base64') }),
    deflateSync(bytes).toString('hex').replace(/(..)/g, '$1 '),
  ]) {
    expect(found(`before ${text} after`), text).not.toEqual([]);
  }
});

/** The parts of keys that a text holds, once what it is written in is taken off. */
function found(text: string): string[] {
  // Any 14 consecutive characters of a key include one of these parts.
  const parts = [...Object.values(keys), inOtherCase(keys.owner)].flatMap((key) =>
    [0, 4, 8, 12].map((start) => key.slice(start, start + 11)),
  );
  return [...readings(text)].flatMap(([how, read]) =>
    parts.filter((part) => read.includes(part)).map((part) => `${part} (${how})`),
  );
}

/** Almost a key, and sent as such. */
function inOtherCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

function readings(text: string): Map<string, string> {
  const entities = text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  const json = entities
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\(["\\/])/g, '$1');
  const percent = json.replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString('latin1'),
  );
  const packed = json.replace(/(?<=\b[0-9a-f]{2}) (?=[0-9a-f]{2}\b)/gi, '');
  const hex = [...packed.matchAll(/(?:[0-9a-f]{2}){11,}/gi)].map(([digits]) =>
    Buffer.from(digits, 'hex'),
  );
  const base64 = [...json.matchAll(/[A-Za-z0-9+/_-]{15,}/g)].flatMap(([digits]) =>
    // Wherever a group of four begins.
    [0, 1, 2, 3].map((start) => Buffer.from(digits.slice(start), 'base64')),
  );
  // Recordings and reports write binary data in base64.
  const recorded = [...json.matchAll(/"base64":"([^"]+)"/g)].map(([, digits = '']) =>
    Buffer.from(digits, 'base64'),
  );
  const inside = [...recorded, ...hex].flatMap(unpacked);
  return new Map([
    ['as it is', text],
    ['over the end of a line', text.replace(/\n\s*/g, '')],
    ['in entities', entities],
    ['in JSON', json],
    ['in percents', percent],
    ['in hex', Buffer.concat(hex).toString('latin1')],
    ['in base64', Buffer.concat(base64).toString('latin1')],
    ['packed', Buffer.concat(inside).toString('latin1')],
    // Text of a stream, joined from its deltas.
    [
      'in deltas',
      [...json.matchAll(/"(?:delta|content)":"([^"]{1,9})"/g)].map(([, one]) => one).join(''),
    ],
  ]);
}

/** Unpacks bytes, or as much of them as is there. */
function unpacked(bytes: Buffer): Buffer[] {
  return [gunzipSync, inflateSync, brotliDecompressSync].flatMap((unpack) => {
    try {
      // The flush of zlib and of Brotli that gives out what is there.
      return unpack(bytes, {
        finishFlush: unpack === brotliDecompressSync ? 1 : 2,
        maxOutputLength: 1_000_000,
      });
    } catch {
      return [];
    }
  });
}

/** Target file with one model that declares everything, so that every kind of request is sent, with every key. */
function targetFile(url: string) {
  return {
    name: 'an echo',
    regions: [
      { name: 'eu', baseUrl: url },
      { name: 'us', baseUrl: `${url}/us` },
    ],
    keys: Object.fromEntries(Object.keys(keys).map((name) => [name, `\${CANARY_${name}}`])),
    models: [
      {
        id: 'm',
        protocols: protocols.map((protocol) => declaredAs[protocol]),
        supports: [
          'background',
          'compact',
          'input_tokens',
          'websocket',
          'count_tokens',
          'tools',
          'stream',
        ],
        permitted: ['owner', 'sameUser', 'otherUser'],
      },
    ],
    limits: { timeoutMs: 1_000, patienceMs: 300, concurrency: 1 },
  };
}

function call(line: readonly string[]): Promise<{ out: string; err: string }> {
  const variables = Object.entries(keys).map(([name, key]) => [`CANARY_${name}`, key]);
  const env = { ...process.env, ...Object.fromEntries(variables) };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...line], { env, maxBuffer: 100_000_000 }, (_, out, err) =>
      resolve({ out, err }),
    );
  });
}
