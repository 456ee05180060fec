import { type Call, isArray, isObject, Refusal } from '../../reference/index.ts';
import { counting } from '../decisions.ts';
import { changed, memberAt, renamed, set, without } from '../editing.ts';
import { bodies, handling } from '../planting.ts';
import type { Fault } from './fault.ts';

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
  {
    id: 'counting.compact-without-item',
    what: 'The output of a compact call has no compaction item.',
    breaks: ['generation/compact.shape'],
    override: bodies(compaction, (body) =>
      changed(body, 'output', (output) =>
        (isArray(output) ? output : []).filter(
          (item) => !isObject(item) || item.type !== 'compaction',
        ),
      ),
    ),
  },
  {
    id: 'counting.compact-as-response',
    what: 'The answer to a compact call calls itself a `response`.',
    breaks: ['generation/compact.shape'],
    override: bodies(compaction, (body) => set(body, 'object', 'response')),
  },
  {
    id: 'counting.compact-without-usage',
    what: 'The answer to a compact call has no usage.',
    breaks: ['generation/compact.shape'],
    override: bodies(compaction, (body) => without(body, 'usage')),
  },
  {
    id: 'counting.compact-not-read',
    what: 'A compaction item is refused as an input.',
    breaks: ['generation/compact.output-is-an-input'],
    override: handling('responses.create', (handle) => (call, key) => {
      const { input } = call.body;
      const compacted =
        isArray(input) && input.some((item) => isObject(item) && item.type === 'compaction');
      if (!compacted) return handle(call, key);
      throw new Refusal('invalid-value', "'compaction' is no type of input item.", 'input');
    }),
  },
  {
    id: 'counting.count-as-text',
    what: 'The count is a text.',
    breaks: ['counting/responses.shape'],
    override: bodies(count, (body) => set(body, 'input_tokens', `${body.input_tokens}`)),
  },
  {
    id: 'counting.count-without-object',
    what: 'The answer to a count has no `object`, as that of Messages has none.',
    breaks: ['counting/responses.shape'],
    override: bodies(count, (body) => without(body, 'object')),
  },
  {
    id: 'counting.count-under-other-name',
    what: 'The count is called `total_tokens`.',
    breaks: ['counting/responses.shape'],
    override: bodies(count, (body) => renamed(body, 'input_tokens', 'total_tokens')),
  },
  {
    id: 'counting.counts-nothing',
    what: 'Every count is 0.',
    breaks: ['counting/responses.shape'],
    override: counting(ofResponses, () => 0),
  },
  {
    id: 'counting.counts-messages',
    what: 'Messages are counted, and not their tokens: every short request has the same count.',
    breaks: ['counting/responses.grows-with-input'],
    override: counting(ofResponses, () => 8),
  },
  {
    id: 'counting.one-more',
    what: 'A count is one more than what the same request uses.',
    breaks: ['counting/responses.equals-usage'],
    override: counting(ofResponses, (inputTokens) => inputTokens + 1),
  },
  {
    id: 'counting.estimates',
    what: 'A count is rounded up to the next ten.',
    breaks: ['counting/responses.equals-usage'],
    override: counting(ofResponses, (inputTokens) => (Math.floor(inputTokens / 10) + 1) * 10),
  },
];
