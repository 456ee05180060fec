import { type Call, isArray, isObject, type JsonObject, Refusal } from '../../reference/index.ts';
import { counting } from '../decisions.ts';
import { changed, dropping, renaming, set, setting } from '../editing.ts';
import { bodies, handling, type Override } from '../planting.ts';
import type { Fault } from './fault.ts';
import { each, planted } from './planted.ts';

// Compact calls, and counts of input tokens on Responses.

const ofResponses = ({ operation }: Call): boolean => operation === 'responses.input-tokens';

const compaction = 'responses.compaction';
const count = 'responses.input-tokens';

/** Members of a request with its system prompt, its tools and its turns. */
const ofGenerative = {
  operation: 'generative.count-tokens',
  system: 'generateContentRequest.systemInstruction',
  tools: 'generateContentRequest.tools',
  turns: 'generateContentRequest.contents',
} as const;
const said = [
  {
    endpoint: 'input-tokens',
    operation: 'responses.input-tokens',
    path: '/v1/responses',
    system: 'instructions',
    tools: 'tools',
    turns: 'input',
  },
  {
    endpoint: 'messages-count-tokens',
    operation: 'messages.count-tokens',
    path: '/v1/messages',
    system: 'system',
    tools: 'tools',
    turns: 'messages',
  },
  { ...ofGenerative, endpoint: 'count-tokens', path: '/v1beta/' },
  { ...ofGenerative, endpoint: 'alternate-path', path: '/v1/models/' },
] as const;

/** Counts that omit a part of the request. */
const uncounted: readonly Fault[] = each(said, ({ operation, path, system, tools, turns }) => {
  const reading = (read: (body: JsonObject) => JsonObject): Override =>
    handling(
      operation,
      (handle) => (call, key) =>
        handle(call.path.startsWith(path) ? { ...call, body: read(call.body) } : call, key),
    );
  return {
    'counting.without-system-{endpoint}': reading(dropping(system)),
    'counting.without-tools-{endpoint}': reading(dropping(tools)),
    // A single text is not a list of turns.
    'counting.without-earlier-turns-{endpoint}': reading((body) =>
      changed(body, turns, (list) => (isArray(list) ? list.slice(-1) : list)),
    ),
  };
});

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
