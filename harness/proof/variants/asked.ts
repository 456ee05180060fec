import { parsed } from '../../kernel/core/index.ts';
import {
  type AskedCapability,
  isArray,
  isShallow,
  type Operation,
  Refusal,
  type StreamEvent,
} from '../../reference/index.ts';
import { tighten } from '../decisions.ts';
import { changed, memberAt, replacing, set } from '../editing.ts';
import { bodies, handling, statusOf, streams, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

const all: readonly AskedCapability[] = [
  'stop',
  'structured_output',
  'logprobs',
  'candidates',
  'images',
];

function lacking(names: readonly AskedCapability[]) {
  return tighten('supports', (_, wanted) => names.some((name) => name === wanted));
}

const refused: readonly Variant[] = all.map((name) => ({
  id: `asked.${name.replace('_', '-')}-refused`,
  what: `No model is said to serve \`${name}\`, and what asks for it is refused.`,
  silentAbout: [name],
  override: lacking([name]),
}));

const generations: readonly Operation[] = [
  'responses.create',
  'chat-completions.create',
  'messages.create',
  'generative.generate',
  'generative.stream',
];

/** Texts that occur only in requests for optional features. */
const marks = [
  '"response_format"',
  '"format"',
  '"responseMimeType"',
  '"include"',
  '"logprobs":true',
  '"responseLogprobs"',
  '"n":2',
  '"candidateCount"',
  'image/png',
] as const;

/** Interleaves the chunks of several choices, each in its order, before the chunks without a choice. */
function byTurns(events: readonly StreamEvent[]): StreamEvent[] {
  const choiceOf = (event: StreamEvent): unknown =>
    typeof event.data === 'string' ? undefined : memberAt(event.data, 'choices.0.index');
  const own = [0, 1].map((choice) => events.filter((event) => choiceOf(event) === choice));
  const longest = Math.max(...own.map(({ length }) => length));
  const mixed = Array.from({ length: longest }, (_, n) => own.flatMap((list) => list[n] ?? []));
  return [...mixed.flat(), ...events.filter((event) => choiceOf(event) === undefined)];
}

export const askedVariants: readonly Variant[] = [
  ...refused,
  ...planted({
    'asked.nothing-but-text': {
      silentAbout: all,
      override: together(
        lacking(all),
        // On generative-content, the body repeats the status.
        statusOf(422, ({ reason, message }, { dialect }) => {
          const isAsked = all.some((name) => message.includes(`'${name}'`));
          return reason === 'unsupported-capability' && isAsked && dialect.name !== 'generative';
        }),
      ),
    },
    'asked.one-at-a-time': together(
      ...generations.map((operation) =>
        handling(operation, (handle) => (call, key) => {
          const body = isShallow(call.body) ? JSON.stringify(call.body) : '';
          if (marks.filter((mark) => body.includes(mark)).length < 2) return handle(call, key);
          throw new Refusal('invalid-value', 'Ask for one thing at a time.');
        }),
      ),
    ),
    'asked.choices-by-turns': streams('chat-completions', async function* (events, context) {
      if (context.call.body.n !== 2) {
        yield* events;
        return;
      }
      const whole: StreamEvent[] = [];
      for await (const event of events) whole.push(event);
      yield* byTurns(whole);
    }),
    'asked.fewer-likely-tokens': bodies('chat-completions.completion', (body) =>
      changed(body, 'choices.0.logprobs.content.0.top_logprobs', (top) =>
        isArray(top) ? top.slice(1) : top,
      ),
    ),
    'asked.indented-json': bodies('messages.message', (body) => {
      const text = memberAt(body, 'content.0.text');
      if (typeof text !== 'string' || !text.startsWith('{')) return body;
      const value = parsed(text);
      // A text that came to its limit is no JSON.
      return value === undefined
        ? body
        : set(body, 'content.0.text', JSON.stringify(value, null, 2));
    }),
    'asked.counts-in-figures': bodies(
      'chat-completions.completion',
      replacing(
        'choices.0.message.content',
        'one\ntwo\nthree\nfour\nfive\nsix\n',
        '1\n2\n3\n4\n5\n6',
      ),
    ),
    'asked.ends-before-it-counts': {
      silentAbout: ['stop'],
      override: bodies('messages.message', (body) =>
        body.stop_reason === 'stop_sequence'
          ? {
              ...set(body, 'content.0.text', 'I would rather not count.'),
              stop_reason: 'end_turn',
              stop_sequence: null,
            }
          : body,
      ),
    },
  }),
];
