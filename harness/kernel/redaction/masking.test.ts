import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { idFrom } from '../core/testing.ts';
import { mayBeWord } from './finder.ts';
import { redactBytes, redactExchange } from './redact.ts';

/** Factor on the number of cases: `TOUCHSTONE_FUZZ=100 npx vitest run --project harness harness/kernel/redaction`. */
const longer = Number(process.env.TOUCHSTONE_FUZZ ?? '1');
/** A fixed seed for ordinary test runs; longer runs draw other cases. */
const bounded = longer === 1 ? { seed: 18 } : {};

const printableKey = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    minLength: 12,
    maxLength: 40,
  })
  // With several characters, and none that is encoded in two ways at once.
  .filter((key) => !/\\[%&]/.test(key) && /[a-z0-9]{2}/i.test(key) && new Set(key).size > 6)
  // A key that may be a word is masked where it stands whole, but not where pieces of other texts form it.
  .filter((key) => !mayBeWord(key));

const code = (one: string): number => one.charCodeAt(0);
const hex = (one: string): string => code(one).toString(16).padStart(2, '0');

/** Encodings of a character. */
const characters: Readonly<Record<string, (one: string) => string>> = {
  'as it is': (one) => (one === '\\' || one === '"' ? `\\${one}` : one),
  'a JSON escape': (one) => `\\u00${hex(one)}`,
  'a JSON escape in upper case': (one) => `\\u00${hex(one).toUpperCase()}`,
  'a byte escape': (one) => `\\x${hex(one)}`,
  'an octal escape': (one) => `\\${code(one).toString(8).padStart(3, '0')}`,
  'a braced escape': (one) => `\\u{${hex(one)}}`,
  'a long escape': (one) => `\\U000000${hex(one)}`,
  'percent-encoded, wide': (one) => `%u00${hex(one)}`,
  'percent-encoded': (one) => `%${hex(one)}`,
  'a decimal entity': (one) => `&#${code(one)};`,
  'a hexadecimal entity': (one) => `&#x${hex(one)};`,
};

const entityNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  "'": 'apos',
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
};

const each = (write: (one: string) => string) => (text: string) => [...text].map(write).join('');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Encodings of a text. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  ...Object.fromEntries(Object.entries(characters).map(([name, write]) => [name, each(write)])),
  'only what is no letter, as a JSON escape': (text) =>
    text.replace(/[^a-z0-9]/gi, (one) => `\\u00${hex(one)}`),
  'JSON in JSON': (text) => json(json(text)),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'entities in JSON': (text) => json(each((one) => `&#${code(one)};`)(text)),
  'entities with names': (text) =>
    json(text).replace(/[&<>'+/=]/g, (one) => `&${entityNames[one]};`),
  'upper case': (text) => json(text.toUpperCase()),
  'lower case': (text) => json(text.toLowerCase()),
  base64: (text) => Buffer.from(`key:${text}`).toString('base64'),
  'base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  'base64 in JSON escapes': (text) =>
    each((one) => `\\u00${hex(one)}`)(Buffer.from(text).toString('base64')),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex with colons': (text) => [...text].map(hex).join(':'),
  'a list of bytes': (text) => Buffer.from(text).join(','),
};

/** Places of an answer, given the key as it is written there; JSON where it can be. */
const places: Readonly<Record<string, (pieces: readonly string[]) => Partial<Exchange>>> = {
  'a JSON body': (pieces) => body(`{"error":{"message":"no such key ${pieces.join('')}"}}`),
  'a body that is cut': (pieces) => body(`{"error":{"message":"no such key ${pieces.join('')}`),
  'a page': (pieces) => body(`<p>${pieces.join('')}</p>`),
  'a header': (pieces) => ({
    response: { ...answer, headers: [['x-echo', `you sent ${pieces.join('')}`]] },
  }),
  'deltas of chat completions': (pieces) =>
    body(
      events(
        pieces.map(
          (piece) => `{"id":"c-1","choices":[{"delta":{"content":"${piece}"},"index":0}]}`,
        ),
      ),
    ),
  'deltas of two outputs in turn': (pieces) =>
    body(
      events(
        pieces.flatMap((piece, index) => [
          `{"type":"response.output_text.delta","delta":"${piece}","sequence_number":${2 * index},"output_index":0}`,
          `{"type":"response.output_text.delta","delta":" other","sequence_number":${2 * index + 1},"output_index":1}`,
        ]),
      ),
    ),
  'data lines that are no JSON': (pieces) => body(events(pieces)),
  'lines of JSON': (pieces) => body(pieces.map((piece) => `{"text":"${piece}"}\n`).join('')),
  'parts of a list': (pieces) =>
    body(
      `{"content":[${pieces.map((piece) => `{"type":"text",\n  "text": "${piece}"}`).join(',')}]}`,
    ),
  frames: (pieces) => frames(pieces),
  'frames of JSON': (pieces) =>
    frames(pieces.map((piece) => `{"type":"delta","delta":"${piece}"}`)),
  'a closing reason': (pieces) => ({
    socket: { frames: [], close: { code: 1008, reason: pieces.join(''), by: 'gateway' } },
  }),
};

const answer = { status: 200, headers: [], body: new Uint8Array(), chunks: [], complete: true };
const body = (text: string): Partial<Exchange> => ({
  response: { ...answer, body: Buffer.from(text) },
});
const events = (data: readonly string[]): string =>
  data.map((one) => `event: delta\ndata: ${one}\n\n`).join('');
const frames = (texts: readonly string[]): Partial<Exchange> => ({
  socket: {
    frames: texts.map((text) => ({
      from: 'gateway',
      at: 1,
      kind: 'text',
      data: Buffer.from(text),
    })),
    close: null,
  },
});

const empty: Exchange = {
  id: idFrom('test#main/0'),
  about: { operation: 'test', protocol: 'responses', region: 'here', key: 'owner' },
  request: { method: 'GET', url: 'http://127.0.0.1/', headers: [], body: null },
  response: null,
  socket: null,
  failure: null,
  times: { started: 0, headers: null, ended: 3 },
  echoed: [],
};

/** A text in pieces, none of which splits what stands for one character. */
function split(written: string, sizes: readonly number[]): string[] {
  const units =
    written.match(
      /\\+u\{\w+\}|\\+U[0-9a-f]{8}|%u[0-9a-f]{4}|\\[0-3][0-7]{2}|\\+u[0-9a-f]{4}|\\+x[0-9a-f]{2}|(?:%25|%)[0-9a-f]{2}|&[#\w]+;|\\+.|./gis,
    ) ?? [];
  const pieces: string[] = [];
  for (let at = 0; at < units.length; ) {
    const size = sizes[pieces.length % sizes.length] ?? 1;
    pieces.push(units.slice(at, at + size).join(''));
    at += size;
  }
  return pieces;
}

const encoding = fc.constantFrom(...Object.keys(encodings));
const place = fc.constantFrom(...Object.keys(places));

test('a key is found and masked, however it is written, wherever it stands, in whatever pieces', () => {
  fc.assert(
    fc.property(
      printableKey,
      encoding,
      place,
      fc.array(
        fc.nat(9).map((n) => n + 1),
        { minLength: 1, maxLength: 5 },
      ),
      (key, how, where, sizes) => {
        const written = encodings[how]?.(key) ?? '';
        const pieces = split(written, sizes);
        const parts = places[where]?.(pieces);
        const clean = redactExchange({ ...empty, ...parts }, { owner: key });
        expect(clean.echoed).toEqual(['owner']);
        const before = Buffer.from(shown({ ...empty, ...parts }));
        const after = Buffer.from(shown(clean));
        expect(after.length).toBe(before.length);
        const masked = after.filter((byte, at) => byte !== before[at]).length;
        // Base64 shares its first and last digits with what stands around, and a key may have asterisks of its own.
        const units = split(written, [1]);
        const shared = how.startsWith('base64') ? 12 : 0;
        const own = [...key].filter((one) => one === '*').length * 2;
        // Its end may be left where it looks like the beginning of something encoded.
        const end = /(?:\\+|%[0-9a-f]?)$/i.exec(key)?.[0].length ?? 0;
        const least =
          (units.length - shared - own - end * 2) * Math.min(...units.map((one) => one.length));
        expect(masked).toBeGreaterThanOrEqual(least);
      },
    ),
    { ...bounded, numRuns: 400 * longer },
  );
});

const breaks = [
  '\n',
  '\r\n',
  '\\n',
  '\\r\\n',
  ' ',
  '\n  ',
  '\t',
  '\u00a0',
  '\u200b',
  '\\\n',
  '<br>',
  '"\n+ "',
  ' - ',
];

test('a key that is broken over lines, by whatever, is found and masked', () => {
  const letters = [...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'];
  // Marks between its letters tell nothing from the marks that break it.
  const key = fc
    .array(fc.constantFrom(...letters), { minLength: 20, maxLength: 48 })
    .map((all) => `sk-${all.join('')}`)
    .filter((all) => !mayBeWord(all));
  const width = fc.integer({ min: 1, max: 20 });
  const how = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => Buffer.from(text).toString('base64'),
    (text) => Buffer.from(text).toString('hex'),
    each((one) => `%${hex(one)}`),
  );
  fc.assert(
    fc.property(key, width, fc.constantFrom(...breaks), how, (secret, size, between, write) => {
      const units = split(write(secret), [1]);
      const wrapped = units
        .map((unit, at) => (at > 0 && at % size === 0 ? between : '') + unit)
        .join('');
      const found = new Set<string>();
      const bytes = Buffer.from(`{"error":{"message":"no such key: ${wrapped}"}}`);
      const clean = Buffer.from(redactBytes(bytes, { owner: secret }, found));
      expect([...found]).toEqual(['owner']);
      expect(clean.length).toBe(bytes.length);
      const left = clean.toString('latin1').replace(/\\+[nr]|<br>|[^A-Za-z0-9]/g, '');
      for (let at = 0; at + 8 <= secret.length; at++) {
        expect(left).not.toContain(secret.slice(at, at + 8));
      }
      // Line ends within a secret stay, because readers need the lines.
      expect(clean.filter((byte) => byte === 10).length).toBe(
        bytes.filter((byte) => byte === 10).length,
      );
    }),
    { ...bounded, numRuns: 300 * longer },
  );
});

function shown({ response, socket }: Exchange): string {
  return [
    response?.headers.flat().join(' '),
    Buffer.from(response?.body ?? []).toString(),
    ...(socket?.frames ?? []).map(({ data }) => Buffer.from(data).toString()),
    socket?.close?.reason,
  ].join('\n');
}

test('what holds no key is the same bytes, whatever it looks like', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '\\u002',
    '\\u0041',
    '%4',
    '%41',
    '&amp;',
    '&#',
    '\n',
    '\n\n',
    '\r',
    'data: ',
    ':',
    ',',
    '1',
    '"index":',
    '\0',
    'text',
    '***',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (text) => {
      const bytes = Buffer.from(text.join(''));
      expect(redactBytes(bytes, { owner: 'sk-Canary/4+7=Zq' })).toBe(bytes);
    }),
    { ...bounded, numRuns: 200 * longer },
  );
});

test('UTF-16 hides no key', () => {
  for (const text of [
    Buffer.from('{"key":"sk-Canary/4+7=Zq"}', 'utf16le'),
    Buffer.from('{"key":"sk-Canary/4+7=Zq"}', 'utf16le').swap16(),
  ]) {
    const found = new Set<string>();
    const clean = Buffer.from(redactBytes(text, { owner: 'sk-Canary/4+7=Zq' }, found));
    expect([...found]).toEqual(['owner']);
    expect(clean.toString('latin1').replaceAll('\0', '')).toMatch(/^\{"key":"\*+"?\}?$/);
    expect(clean.length).toBe(text.length);
  }
});

test('what is built to hold us up takes four times as long when it is four times as much', () => {
  for (const piece of [
    '\\"',
    '"\\',
    '[',
    '{"index":1,"text":"a",',
    '"a",',
    '\n\n',
    '%25',
    '&amp;',
    'sk-Canary/4+7=Z',
    'sk-Canary\\u002f4+7=Zq',
    'data: {"delta":"x"}\n\n',
  ]) {
    const taken = (length: number): number => {
      const bytes = Buffer.alloc(length, piece);
      const started = process.cpuUsage();
      redactBytes(bytes, { owner: 'sk-Canary/4+7=Zq', sameUser: 'sk-Canary/4+7=Zq8' });
      return process.cpuUsage(started).user;
    };
    taken(20_000);
    const least = Math.max(taken(50_000), 5_000);
    expect(taken(200_000), piece).toBeLessThan(least * 40);
  }
});
