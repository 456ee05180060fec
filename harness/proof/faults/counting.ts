import { type Call, isArray, isObject, Refusal } from '../../reference/index.ts';
import { counting } from '../decisions.ts';
import { changed, dropping, memberAt, renaming, set, setting } from '../editing.ts';
import { bodies, handling } from '../planting.ts';
import type { Fault } from './fault.ts';
import { planted } from './planted.ts';

// Compact calls, and counts of input tokens on Responses.

const ofResponses = ({ operation }: Call): boolean => operation === 'responses.input-tokens';

const compaction = 'responses.compaction';
const count = 'responses.input-tokens';

/** Members of a request by the part of the conversation that they hold, for each endpoint that counts. */
const said = {
  'input-tokens': {
    operation: 'responses.input-tokens',
    path: '/v1/responses',
    parts: { system: 'instructions', tools: 'tools', 'earlier-turns': 'input' },
  },
  'messages-count-tokens': {
    operation: 'messages.count-tokens',
    path: '/v1/messages',
    parts: { system: 'system', tools: 'tools', 'earlier-turns': 'messages' },
  },
  'count-tokens': {
    operation: 'generative.count-tokens',
    path: '/v1beta/',
    parts: {
      system: 'generateContentRequest.systemInstruction',
      tools: 'generateContentRequest.tools',
      'earlier-turns': 'generateContentRequest.contents',
    },
  },
  'alternate-path': {
    operation: 'generative.count-tokens',
    path: '/v1/models/',
    parts: {
      system: 'generateContentRequest.systemInstruction',
      tools: 'generateContentRequest.tools',
      'earlier-turns': 'generateContentRequest.contents',
    },
  },
} as const;

/** Counts that leave out a part of the request. */
const uncounted: readonly Fault[] = Object.entries(said).flatMap(
  ([endpoint, { operation, path, parts }]) =>
    Object.entries(parts).map(
      ([part, member]): Fault => ({
        id: `counting.without-${part}-${endpoint}`,
        what: `A count leaves out the ${part.replace('-', ' ')}, at ${endpoint}.`,
        breaks: [`counting/input.counted:${endpoint}.${part}`],
        override: handling(operation, (handle) => (call, key) => {
          if (!call.path.startsWith(path)) return handle(call, key);
          const body = changed(call.body, member, (value) =>
            part === 'earlier-turns' && isArray(value) ? value.slice(-1) : undefined,
          );
          // A text alone is no list of turns.
          const isText = part === 'earlier-turns' && !isArray(memberAt(call.body, member));
          return handle(isText ? call : { ...call, body }, key);
        }),
      }),
    ),
);

export const countingFaults: readonly Fault[] = [
  ...uncounted,
  ...planted({
    'counting.compact-without-item': bodies(compaction, (body) =>
      changed(body, 'output', (output) =>
        (isArray(output) ? output : []).filter(
          (item) => !isObject(item) || item.type !== 'compaction',
        ),
      ),
    ),
    'counting.compact-as-response': bodies(compaction, setting('object', 'response')),
    'counting.compact-without-usage': bodies(compaction, dropping('usage')),
    'counting.compact-not-read': handling('responses.create', (handle) => (call, key) => {
      const { input } = call.body;
      const compacted =
        isArray(input) && input.some((item) => isObject(item) && item.type === 'compaction');
      if (!compacted) return handle(call, key);
      throw new Refusal('invalid-value', "'compaction' is no type of input item.", 'input');
    }),
    'counting.count-as-text': bodies(count, (body) =>
      set(body, 'input_tokens', `${body.input_tokens}`),
    ),
    'counting.count-without-object': bodies(count, dropping('object')),
    'counting.count-under-other-name': bodies(count, renaming('input_tokens', 'total_tokens')),
    'counting.counts-nothing': counting(ofResponses, () => 0),
    'counting.counts-messages': counting(ofResponses, () => 8),
    'counting.one-more': counting(ofResponses, (inputTokens) => inputTokens + 1),
    'counting.estimates': counting(
      ofResponses,
      (inputTokens) => (Math.floor(inputTokens / 10) + 1) * 10,
    ),
  }),
];
