import { expect, test } from 'vitest';
import { protocolOfEvent } from './event-protocol.ts';
import { eventInWords, isDone, type StreamEvent } from './grammar.ts';
import { ViolationLog } from './violation-log.ts';

function event(json: unknown, name?: string): StreamEvent {
  return { name, hasId: false, data: JSON.stringify(json) ?? '', json, binary: false };
}

test.each([
  [{ type: 'response.created' }, undefined, 'responses'],
  [{}, 'response.created', 'responses'],
  [{ type: 'novelty', sequence_number: 3 }, undefined, 'responses'],
  [{ type: 'message_start' }, undefined, 'messages'],
  [{ type: 'content_block_delta' }, undefined, 'messages'],
  [{ type: 'my_message_start' }, undefined, null],
  [{ type: 'message_started' }, undefined, null],
  [{ object: 'chat.completion.chunk' }, undefined, 'chat-completions'],
  [{ choices: [] }, undefined, 'chat-completions'],
  [{ choices: 3 }, undefined, null],
  [{ object: 'list' }, undefined, null],
  [{ candidates: [] }, undefined, 'generative'],
  [{ usageMetadata: {} }, undefined, 'generative'],
  [{ promptFeedback: {} }, undefined, 'generative'],
  // An event with a type of its own is not a chunk.
  [{ type: 'error', choices: [] }, undefined, null],
  [{ type: 5, candidates: [] }, undefined, null],
  [{ sequence_number: 3 }, undefined, null],
  [null, undefined, null],
  [undefined, undefined, null],
  ['text', 'message_start', 'messages'],
] as const)('%j named %s belongs to %s', (json, name, protocol) => {
  expect(protocolOfEvent(event(json, name))).toBe(protocol);
});

test('of each rule the first violation is told, in the order of the stream', () => {
  const log = new ViolationLog<'late' | 'early' | 'end' | 'other'>([event(1), event(2), event(3)]);
  log.violate('late', 2, 'a', 'b');
  log.violate('early', 0, 'a', 'b');
  log.violate('late', 1, 'c', 'd');
  log.violate('end', 3, 'a', 'b');
  log.suppress(['early', 'other'], 'why');
  expect(log.violations()).toEqual([
    { rule: 'early', index: 0, expected: 'a', actual: 'b', neighbours: ['0: 1', '1: 2'] },
    { rule: 'late', index: 2, expected: 'a', actual: 'b', neighbours: ['1: 2', '2: 3'] },
    { rule: 'end', index: 3, expected: 'a', actual: 'b', neighbours: ['2: 3'] },
  ]);
  expect([...log.unjudged]).toEqual([['other', 'why']]);
  expect([log.isBroken('early'), log.isBroken('other')]).toEqual([true, false]);
});

test('an event in words is short', () => {
  expect(eventInWords(event('x', 'a'))).toBe('event a: "x"');
  expect(eventInWords(event('a'.repeat(158)))).toBe(`"${'a'.repeat(158)}"`);
  const long = eventInWords(event('a'.repeat(159)));
  expect([long.length, long.at(-1)]).toEqual([160, '…']);
  expect(eventInWords({ ...event('x'), binary: true })).toBe('a binary frame');
});

test('[DONE] may stand in white space, and nothing else beside it', () => {
  const done = (data: string) => isDone({ ...event(undefined), data });
  expect([done('[DONE]'), done(' [DONE]\n'), done('[DONE].'), done('done')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
