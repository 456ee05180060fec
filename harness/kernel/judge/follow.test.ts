import { describe, expect, expectTypeOf, test } from 'vitest';
import type { StreamingProtocol } from '../core/protocol.ts';
import { streamingProtocols } from '../core/protocol.ts';
import { protocolModules } from '../protocols/modules.ts';
import { openAiError } from '../protocols/samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from '../protocols/samples/exchange.ts';
import { streamNames, streamText } from '../protocols/samples/streams.ts';
import { ExpectationFailed, Inconclusive } from './failure.ts';
import { findingsOf, follow, responsesFindings, type StreamRule } from './follow.ts';

const pairs = streamingProtocols.flatMap((own) =>
  streamingProtocols
    .filter((other) => other !== own)
    .flatMap((other) => streamNames(own).map((name) => [own, name, other] as const)),
);

test.each(pairs)('the %s stream %s is refused by the grammar of %s', (own, name, other) => {
  const findings = findingsOf(sampleStream(streamText(own, name), { protocol: other }));
  expect(findings?.violations.map(({ rule }) => rule)).toContain('no-foreign-events');
});

function textStream(protocol: StreamingProtocol): string {
  return streamText(protocol, 'text');
}

test('a broken rule says what it is and where', () => {
  const renamed = textStream('responses').replace(
    'event: response.output_text.delta',
    'event: delta',
  );
  const exchange = sampleStream(renamed);
  expect(() => follow(exchange, 'created-first')).not.toThrow();
  try {
    follow(exchange, 'event-name-is-type');
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ExpectationFailed);
    expect(error).toMatchObject({ expected: 'event: response.output_text.delta', exchange });
    expect(error).toHaveProperty(
      'actual',
      expect.stringMatching(/^event: delta \(3: event resp.*\| 4: /),
    );
  }
});

test('an answer that is no stream follows no rule', () => {
  for (const exchange of [
    sample({ body: {} }),
    // A check of its own judges if an error may come as 200. A body of JSON is no stream in any case.
    sample({ body: openAiError }),
    sampleStream(''),
    sampleStream(textStream('messages')),
  ]) {
    expect(() => follow(exchange, 'ids-constant')).toThrow(ExpectationFailed);
  }
});

test('a stream that is nothing but an error, or pings, shows nothing of how streams are', () => {
  const error =
    'data: {"type":"error","error":{"type":"invalid_request_error","message":"no"}}\n\n';
  for (const protocol of streamingProtocols) {
    const rule = protocolModules[protocol].stream.shapeRule;
    const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
    const refused = sampleStream(`${ping}event: error\n${error}`, { protocol });
    expect(() => follow(refused, rule), protocol).toThrow(Inconclusive);
    const idle = sampleStream(ping, { protocol });
    expect(() => follow(idle, rule), protocol).toThrow(ExpectationFailed);
  }
});

test('a rule that the protocol does not have is no rule to judge by', () => {
  const exchange = sampleStream(textStream('generative'), { protocol: 'generative' });
  expect(() => follow(exchange, 'one-id')).toThrow(
    new Error('Streams of generative have no rule "one-id"'),
  );
  const decided = sample({ protocol: 'systemone', body: {} });
  expect(() => follow(decided, 'no-foreign-events')).toThrow('Streams of systemone have no rule');
});

test('a rule with a typing mistake does not compile', () => {
  expectTypeOf<'message-stop-last'>().toExtend<StreamRule>();
  // @ts-expect-error No grammar has it.
  expectTypeOf<'message-stop-lsat'>().toExtend<StreamRule>();
});

test('what another defect hides is inconclusive', () => {
  const endless = textStream('responses').replace(/event: response\.completed[\s\S]*/, '');
  expect(() => follow(sampleStream(endless), 'one-terminal-last')).toThrow(ExpectationFailed);
  expect(() => follow(sampleStream(endless), 'terminal-matches-status')).toThrow(Inconclusive);
});

test('the request says whether the usage must be streamed', () => {
  const protocol = 'chat-completions';
  const send = { stream: true, stream_options: { include_usage: true } };
  const without = sampleStream(textStream(protocol), { protocol, send });
  expect(() => follow(without, 'usage-chunk')).toThrow(ExpectationFailed);
  expect(() =>
    follow(sampleStream(textStream(protocol), { protocol }), 'usage-chunk'),
  ).not.toThrow();
  const withUsage = sampleStream(streamText(protocol, 'usage'), { protocol, send });
  expect(() => follow(withUsage, 'usage-chunk')).not.toThrow();
});

test('the last event counts though no blank line closes it', () => {
  const open = textStream('generative').trimEnd();
  const exchange = sampleStream(open, { protocol: 'generative' });
  expect(() => follow(exchange, 'finish-last')).not.toThrow();
  expect(() => follow(exchange, 'ends-with-blank-line')).toThrow(ExpectationFailed);
});

describe('the last event is closed', () => {
  const protocol = 'messages';
  const whole = textStream(protocol);
  const closed = (text: string, more = {}) =>
    follow(sampleStream(text, { protocol, ...more }), 'last-event-closed');

  test('by a blank line, whatever ends the lines and whatever comment comes after', () => {
    for (const text of [whole, whole.replaceAll('\n', '\r\n'), whole.replaceAll('\n', '\r')]) {
      expect(() => closed(text)).not.toThrow();
      expect(() => closed(`${text}: bye`)).not.toThrow();
    }
    expect(() => closed(whole.trimEnd())).toThrow(ExpectationFailed);
    expect(() => closed(`${whole.trimEnd()}\n`)).toThrow(ExpectationFailed);
  });
});

const create = ['>', { type: 'response.create', model: 'm', input: 'hi' }] as const;

function frames(id: string): (readonly ['<', unknown])[] {
  const lines = textStream('responses').replaceAll('resp_1', id).split('\n');
  return lines.filter((line) => line.startsWith('data: ')).map((line) => ['<', line.slice(6)]);
}

test('each turn of a socket is judged by itself', () => {
  const good = sampleSocket([create, ...frames('resp_1'), create, ...frames('resp_2')]);
  for (const rule of [
    'event-grammar',
    'sequence-increases',
    'ids-constant',
    'no-interleaving',
  ] as const) {
    expect(() => follow(good, rule), rule).not.toThrow();
  }
  const second = frames('resp_2').slice(1);
  const bad = sampleSocket([create, ...frames('resp_1'), create, ...second]);
  expect(() => follow(bad, 'created-first')).toThrow(ExpectationFailed);
  expect(() => follow(bad, 'event-grammar')).toThrow(ExpectationFailed);
  const soft = sampleSocket([create, ...frames('resp_1').filter((_, n) => n !== 1)]);
  expect(() => follow(soft, 'event-grammar')).not.toThrow();
  expect(() => follow(soft, 'sequence-from-zero')).toThrow(ExpectationFailed);
});

test('events of two turns must not mix', () => {
  const [a, b] = [frames('resp_1'), frames('resp_2')];
  const mixed = sampleSocket([
    create,
    create,
    ...a.slice(0, 3),
    ...b.slice(0, 2),
    ...a.slice(3),
    ...b.slice(2),
  ]);
  expect(() => follow(mixed, 'no-interleaving')).toThrow(ExpectationFailed);
  const queued = sampleSocket([create, create, ...a, ...b]);
  expect(() => follow(queued, 'no-interleaving')).not.toThrow();
  expect(() => follow(queued, 'event-grammar')).not.toThrow();
});

test('a binary frame breaks the grammar of a socket', () => {
  const bytes = new TextEncoder().encode('{"type":"novelty"}');
  const exchange = sampleSocket([create, ...frames('resp_1').slice(0, 2), ['<', bytes]]);
  expect(() => follow(exchange, 'event-grammar')).toThrow(ExpectationFailed);
});

test('turns that request nothing are not judged, where any asks', () => {
  const bad = ['>', 'nonsense'] as const;
  const refusal = ['<', { type: 'error', error: { code: 'x', message: 'no' } }] as const;
  const talk = sampleSocket([bad, refusal, create, ...frames('resp_1')]);
  expect(() => follow(talk, 'created-first')).not.toThrow();
  // Frames that answer a frame without a request are judged if there are no others.
  const alone = sampleSocket([bad, ...frames('resp_1').slice(1)]);
  expect(() => follow(alone, 'created-first')).toThrow(ExpectationFailed);
  const strange = sampleSocket([bad, ['<', { type: 'novelty' }], create, ...frames('resp_1')]);
  expect(() => follow(strange, 'created-first')).not.toThrow();
});

test('one refused turn beside a good one leaves the good one to be judged', () => {
  const refusal = ['<', { type: 'error', error: { code: 'x', message: 'no' } }] as const;
  const first = sampleSocket([create, refusal, create, ...frames('resp_1')]);
  expect(() => follow(first, 'created-first')).not.toThrow();
  const last = sampleSocket([create, ...frames('resp_1'), create, refusal]);
  expect(() => follow(last, 'created-first')).not.toThrow();
  const both = sampleSocket([create, refusal, create, refusal]);
  expect(() => follow(both, 'created-first')).toThrow(Inconclusive);
});

test('a turn that time or the gateway left without an answer is not blamed on it', () => {
  const failure = { kind: 'timeout', message: 'it took too long' } as const;
  const beside = sampleSocket([create, ...frames('resp_1'), create], { failure });
  expect(() => follow(beside, 'event-grammar')).not.toThrow();
  expect(() => follow(sampleSocket([create], { failure }), 'event-grammar')).toThrow(Inconclusive);
  // If the connection was not lost, the last turn lacks its answer.
  const silent = sampleSocket([create, ...frames('resp_1'), create]);
  expect(() => follow(silent, 'event-grammar')).toThrow(ExpectationFailed);
});

test('an error that is numbered like an event of its protocol is no more than an error', () => {
  const error = { type: 'error', sequence_number: 0, code: 'x', message: 'no' };
  const refused = sampleStream(`data: ${JSON.stringify(error)}\n\n`);
  expect(() => follow(refused, 'created-first')).toThrow(Inconclusive);
});

test('only a stream has findings, and only of a protocol that streams', () => {
  expect(findingsOf(sample({ body: {} }))).toBeNull();
  expect(findingsOf(sampleStream(textStream('responses'), { protocol: 'systemone' }))).toBeNull();
  expect(responsesFindings(sample({ body: {} }))).toBeNull();
  expect(responsesFindings(sampleStream(textStream('responses')))?.ownEvents).toBeGreaterThan(0);
});

test('the usage is asked for by the body alone, and by nothing like it', () => {
  const protocol = 'chat-completions';
  for (const include of [false, 'true', undefined]) {
    const send = { stream: true, stream_options: { include_usage: include } };
    const stream = sampleStream(textStream(protocol), { protocol, send });
    expect(() => follow(stream, 'usage-chunk')).not.toThrow();
  }
});
