import { describe, expect, test } from 'vitest';
import { textAt } from '../../core/json-value.ts';
import {
  all,
  brokenRules,
  type Edit,
  type Editable,
  mutated,
  set,
  streamNames,
} from '../samples/streams.ts';
import { responsesContent } from './content.ts';
import { judgeResponses } from './grammar.ts';

// No document asks for fragments: a text, a refusal, arguments or a thought may come whole.

const typeOf = ({ body, name }: Editable): string => textAt(body, 'type') ?? name ?? '';

const without =
  (type: RegExp): Edit =>
  (events) => {
    const kept = events.filter((event) => !type.test(typeOf(event)));
    events.splice(0, events.length, ...kept);
  };

/** Events that carry the text when others are left out. */
const carriers = {
  'the done event': without(/\.delta$/),
  'the finished part': without(/(\.delta|text\.done|refusal\.done|arguments\.done)$/),
  'the whole item': without(/(\.delta|text\.done|refusal\.done|arguments\.done|part\.\w+)$/),
  'the last snapshot': without(/\.(delta|done|added)$/),
} as const;

const names = streamNames('responses').filter((name) => !/error|failed|cancelled/.test(name));

describe.each(Object.entries(carriers))('what %s carries alone is whole', (_, edit) => {
  test.each(names)('%s', (name) => {
    const whole = mutated('responses', name, () => {});
    const stream = mutated('responses', name, edit);
    expect(stream.events.length).toBeLessThan(whole.events.length);
    expect(brokenRules(judgeResponses(stream))).toEqual([]);
    const { text, toolCalls } = responsesContent.fromEvents(whole);
    const read = responsesContent.fromEvents(stream);
    expect({ text: read.text, toolCalls: read.toolCalls }).toEqual({ text, toolCalls });
  });
});

test.each([
  ['text', 'the done event', set('response.output_text.done', 'text', 'x')],
  ['text', 'the finished part', set('response.content_part.done', 'part.text', 'x')],
  ['refusal', 'the done event', set('response.refusal.done', 'refusal', 'x')],
] as const)('of a %s that comes whole, all that say it say the same: %s', (name, carrier, edit) => {
  const stream = mutated('responses', name, all(carriers[carrier], edit));
  expect(brokenRules(judgeResponses(stream))).toEqual(['deltas-join-to-text']);
});

test('of arguments, too', () => {
  const edit = set('response.function_call_arguments.done', 'arguments', '{"x":1}');
  const stream = mutated('responses', 'function-call', all(carriers['the done event'], edit));
  expect(brokenRules(judgeResponses(stream))).toEqual(['arguments-join']);
});
