import { expect, test } from 'vitest';
import { ViolationLog } from '../violation-log.ts';
import { MessageBlocks, type rules } from './grammar.ts';

type Rule = (typeof rules)[number];

const deltas = [
  'text_delta',
  'citations_delta',
  'thinking_delta',
  'signature_delta',
  'input_json_delta',
  'novelty_delta',
];

/** The deltas that break a rule in a block of this type. */
function strangersIn(type: string): readonly string[] {
  return deltas.filter((delta) => {
    const log = new ViolationLog<Rule>([]);
    const blocks = new MessageBlocks(log);
    const signature = 'c2ln';
    blocks.read('content_block_start', { index: 0, content_block: { type, signature } }, 0);
    blocks.read('content_block_delta', { index: 0, delta: { type: delta } }, 1);
    blocks.read('content_block_stop', { index: 0 }, 2);
    blocks.finish(3, { whole: true, complete: true });
    return log.violations().length > 0;
  });
}

test.each([
  ['text', ['text_delta', 'citations_delta']],
  ['thinking', ['thinking_delta', 'signature_delta']],
  ['tool_use', ['input_json_delta']],
])('a %s block takes its own deltas, and those that nobody knows', (type, own) => {
  const others = deltas.filter((delta) => !own.includes(delta) && delta !== 'novelty_delta');
  expect(strangersIn(type)).toEqual(others);
});

test('a block that nobody knows takes all', () => {
  expect(strangersIn('novelty')).toEqual([]);
});

test.each([
  ['in its start', { signature: 'c2ln' }, null, 0],
  ['in a delta', {}, 'signature_delta', 0],
  ['nowhere', { signature: '' }, 'thinking_delta', 1],
])('a block of thinking has its signature: %s', (_where, start, delta, violations) => {
  const log = new ViolationLog<Rule>([]);
  const blocks = new MessageBlocks(log);
  const block = { type: 'thinking', ...start };
  blocks.read('content_block_start', { index: 0, content_block: block }, 0);
  if (delta !== null) blocks.read('content_block_delta', { index: 0, delta: { type: delta } }, 1);
  blocks.read('content_block_stop', { index: 0 }, 2);
  blocks.finish(3, { whole: true, complete: true });
  expect(log.violations()).toHaveLength(violations);
});
