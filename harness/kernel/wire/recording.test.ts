import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { protocols } from '../core/protocol.ts';
import { idFrom } from '../core/testing.ts';
import { fromLine, toLine } from './recording.ts';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 30 }).map((array) => Buffer.from(array)),
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  fc.constant(Buffer.from('\u{FEFF}data: \u{1F600}\r\n\u2028\n')),
);
const time = fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true }).map(Math.abs);
const headers = fc.array(fc.tuple(fc.constantFrom('A', 'b'), fc.string({ unit: 'binary-ascii' })));

const exchange: fc.Arbitrary<Exchange> = fc.record({
  id: fc.constantFrom(idFrom('responses/stored#main/0'), idFrom('x#a.b/12+lag')),
  about: fc.record({
    operation: fc.string(),
    protocol: fc.constantFrom(...protocols, 'models', 'probe'),
    region: fc.string({ unit: 'grapheme' }),
    key: fc.constantFrom('owner', 'none'),
  }),
  request: fc.record({
    method: fc.constantFrom('GET', 'POST'),
    url: fc.webUrl(),
    headers,
    body: fc.option(bytes),
  }),
  response: fc.option(
    fc.record({
      status: fc.nat(),
      headers,
      body: bytes,
      chunks: fc.array(fc.record({ at: time, end: fc.nat() })),
      complete: fc.boolean(),
    }),
  ),
  socket: fc.option(
    fc.record(
      {
        frames: fc.array(
          fc.record({
            from: fc.constantFrom('us' as const, 'gateway' as const),
            at: time,
            kind: fc.constantFrom('text' as const, 'binary' as const),
            data: bytes,
          }),
        ),
        close: fc.option(
          fc.record({
            code: fc.nat(),
            reason: fc.string(),
            by: fc.constantFrom('us' as const, 'gateway' as const),
          }),
        ),
        ponged: fc.boolean(),
      },
      { requiredKeys: ['frames', 'close'] },
    ),
  ),
  failure: fc.option(
    fc.record({ kind: fc.constantFrom('reset' as const, 'cut' as const), message: fc.string() }),
  ),
  times: fc.record({ started: time, headers: fc.option(time), ended: time }),
  echoed: fc.array(fc.string()),
});

test('an exchange comes back from its line as it was', () => {
  fc.assert(
    fc.property(exchange, (original) => {
      const line = toLine(original, { target: 'staging' });
      expect(line).not.toContain('\n');
      const back = fromLine(line);
      expect(back.labels).toEqual({ target: 'staging' });
      expect(back.exchange).toEqual(original);
    }),
  );
});

test('text can be read in the line, and what is none cannot be mistaken for it', () => {
  const [sample] = fc.sample(exchange, 1);
  if (sample === undefined) throw new Error('no sample');
  const body = Buffer.from('{"input":"Hello."}');
  expect(toLine({ ...sample, request: { ...sample.request, body } })).toContain(
    '"body":"{\\"input\\":\\"Hello.\\"}"',
  );
  const binary = Buffer.from([0xff, 0x00]);
  expect(toLine({ ...sample, request: { ...sample.request, body: binary } })).toContain(
    '"body":{"base64":"/wA="}',
  );
});

test.each([
  ['half a line', '{"labels":{},"excha', /not JSON: .* Is the file cut short\?/],
  ['another JSON', '{"a":1}', /holds no exchange: \{"a":1\}\. Was it written by Touchstone\?/],
  ['an id of an earlier version', '{"labels":{},"exchange":{"id":"a#b/0~2"}}', /id of an exchange/],
  ['an exchange without its parts', '{"labels":{},"exchange":{"id":"a#b/0"}}', /holds no exchange/],
])('%s is refused', (_what, line, message) => {
  expect(() => fromLine(line)).toThrow(message);
});
