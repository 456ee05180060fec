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
    blocks.read('content_block_start', { index: 0, content_block: { type } }, 0);
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
