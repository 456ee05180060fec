import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { json } from './body.ts';
import { Spool, spooledFrom } from './spool.ts';
import { wireRequest } from './testing-server.ts';

function answered(body: string): Exchange {
  const { id, about, method, url, headers } = wireRequest('http://here/');
  const bytes = Buffer.from(body);
  return {
    id,
    about,
    request: { method, url, headers, body: null },
    response: { status: 200, headers: [], body: bytes, chunks: [], complete: true },
    socket: null,
    failure: null,
    times: { started: 0, headers: 0, ended: 0 },
    echoed: [],
  };
}

const long = (what: string): string => JSON.stringify({ what, text: 'x'.repeat(spooledFrom) });

test('long bodies are read from a file that is gone from its folder, and read again as they were', () => {
  const spool = new Spool();
  const all = ['one', 'two', 'three'].map((what) => spool.keep(answered(long(what))));
  const named = (name: string): boolean => name.startsWith('touchstone-') && /spool$/.test(name);
  expect(readdirSync(tmpdir()).filter(named)).toEqual([]);
  for (const [index, exchange] of all.entries()) {
    const what = ['one', 'two', 'three'][index] ?? '';
    expect(Buffer.from(exchange.response?.body ?? []).toString()).toBe(long(what));
    expect(json(exchange)).toMatchObject({ ok: true, value: { what } });
    // A copy of it is like any other answer.
    expect({ ...exchange.response }.body).toHaveLength(long(what).length);
  }
});

test('what is short stays where it is, and so does what cannot be written', () => {
  const short = answered('{}');
  expect(new Spool().keep(short)).toBe(short);
  vi.stubEnv('TMPDIR', '/nowhere');
  const exchange = answered(long('kept'));
  expect(new Spool().keep(exchange)).toBe(exchange);
  vi.unstubAllEnvs();
});

test('of what is read from long answers the latest is kept, and no more than there is room for', () => {
  const { body } = answered(`"${'x'.repeat(6 * 1024 * 1024)}"`).response ?? {};
  if (body === undefined) throw new Error('answered');
  const large = Array.from({ length: 4 }, () => answered('')).map((one) => ({
    ...one,
    response: { status: 200, headers: [], body, chunks: [], complete: true },
  }));
  const first = large.map((one) => json(one));
  expect(large.map((one, at) => json(one) === first[at])).toEqual([false, false, false, false]);
  const [last] = large.slice(-1);
  if (last !== undefined) expect(json(last)).toBe(json(last));
  const small = answered('[]');
  const read = json(small);
  for (const one of large) json(one);
  expect(json(small)).toBe(read);
});
