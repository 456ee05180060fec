import { expect, test } from 'vitest';
import { namesModel } from '../suites/scenarios/exchanges.ts';
import type { Exchange } from './kernel/core/exchange.ts';
import { answered } from './kernel/engine/testing.ts';

function sent(url: string, body: string | null, socket: Exchange['socket'] = null): Exchange {
  const exchange = answered('{}');
  const bytes = body === null ? null : Buffer.from(body);
  return { ...exchange, request: { ...exchange.request, url, body: bytes }, socket };
}

function frames(...all: (readonly ['us' | 'gateway', string])[]): Exchange['socket'] {
  return {
    frames: all.map(([from, data], at) => ({ from, at, kind: 'text', data: Buffer.from(data) })),
    close: null,
  };
}

const named = '{"model":"one/a b"}';
const other = '{"model":"one"}';

test.each([
  ['in the body', sent('http://here/v1/responses', named), true],
  ['as another in the body', sent('http://here/v1/responses', other), false],
  ['in the path', sent('http://here/v1beta/models/one%2Fa%20b:countTokens', '{}'), true],
  ['in the path, without a body', sent('http://here/v1/models/one%2Fa%20b:generate', null), true],
  ['as the beginning of another', sent('http://here/v1/models/one%2Fa%20bc:generate', null), false],
  ['nowhere', sent('http://here/v1/models', null), false],
  ['in the first frame of ours', sent('', null, frames(['gateway', other], ['us', named])), true],
  ['in a later frame', sent('', null, frames(['us', other], ['us', named])), false],
  ['in a frame of the gateway', sent('', null, frames(['gateway', named])), false],
])('a model is named %s', (_, exchange, names) => {
  expect(namesModel(exchange, 'one/a b')).toBe(names);
});
