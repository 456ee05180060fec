import { describe, expect, test } from 'vitest';
import { judgeChatCompletions } from './chat-completions/grammar.ts';
import { judgeGenerative } from './generative/grammar.ts';
import type { Findings } from './grammar.ts';
import { judgeMessages } from './messages/grammar.ts';
import { all, brokenRules, dropped, type Edit, mutated, set, setAll } from './samples/streams.ts';

/** A stream without a word, whose usage counts so many tokens; `more` is put into it. */
const silent: Readonly<Record<string, (tokens: number, more?: Edit) => Findings>> = {
  'chat-completions': (tokens, more = () => {}) =>
    judgeChatCompletions(
      mutated(
        'chat-completions',
        'usage',
        all(
          setAll('choices[0].delta.content', '', () => true),
          set(5, 'usage.completion_tokens', tokens),
          set(5, 'choices', []),
          more,
        ),
      ),
    ),
  messages: (tokens, more = () => {}) =>
    judgeMessages(
      mutated(
        'messages',
        'text',
        all(
          setAll('delta.text', '', () => true),
          set('message_delta', 'usage.output_tokens', tokens),
          more,
        ),
      ),
    ),
  generative: (tokens, more = () => {}) =>
    judgeGenerative(
      mutated(
        'generative',
        'text',
        all(
          setAll('candidates[0].content.parts', [], () => true),
          set(2, 'usageMetadata.candidatesTokenCount', tokens),
          more,
        ),
      ),
    ),
};

describe.each(Object.entries(silent))('without a word on %s', (_, judge) => {
  test('the text of many tokens is missed', () => {
    expect(brokenRules(judge(5))).toEqual(['deltas-join-to-text']);
  });

  test('few tokens may be those of nothing', () => {
    const { violations, unjudged } = judge(4);
    expect(violations).toEqual([]);
    expect([...unjudged.keys()]).toEqual(['deltas-join-to-text']);
  });
});

test.each([
  ['chat-completions', set(1, 'choices[0].delta.reasoning_content', 'Hm.')],
  ['chat-completions', set(5, 'usage.completion_tokens_details', { reasoning_tokens: 7 })],
  ['chat-completions', set(5, 'usage.completion_tokens', null)],
  ['messages', set('content_block_start', 'content_block.type', 'novel')],
  ['messages', all(dropped('message_delta'), () => {})],
] satisfies [string, Edit][])('of thoughts no text is expected: %s', (protocol, more) => {
  expect(brokenRules(silent[protocol]?.(8, more) as Findings)).not.toContain('deltas-join-to-text');
});

test.each([
  ['an empty refusal', set(1, 'choices[0].delta.refusal', '')],
  ['thoughts that are null', set(1, 'choices[0].delta.reasoning_content', null)],
] satisfies [string, Edit][])('%s takes no tokens', (_, more) => {
  expect(brokenRules(silent['chat-completions']?.(8, more) as Findings)).toContain(
    'deltas-join-to-text',
  );
});
