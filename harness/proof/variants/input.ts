import {
  type Defect,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  Refusal,
} from '../../reference/index.ts';
import { changed, memberAt, setting } from '../editing.ts';
import { bodies, handling, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

// Variants in the accepted content of a request, and in the counts of the input.

/** Refuses a request with certain content to one endpoint. */
function refusingMember(
  operation: Parameters<typeof handling>[0],
  param: string,
  fits: (body: JsonObject) => boolean,
): Defect['override'] {
  return handling(operation, (handle) => (call, key) => {
    if (!fits(call.body)) return handle(call, key);
    throw new Refusal('invalid-value', `The model takes no '${param}' like this.`, param);
  });
}

function hasTurnOf(role: string, turns: Json | undefined): boolean {
  return isArray(turns) && turns.some((turn) => isObject(turn) && turn.role === role);
}

function joined(content: Json | undefined): Json | undefined {
  if (!isArray(content)) return content;
  const text = content.map((part) => (isObject(part) ? part.text : '')).join('\n\n');
  return [{ ...Object(content[0]), text }];
}

const limitNames = [
  'max_output_tokens',
  'max_completion_tokens',
  'max_tokens',
  'generationConfig.maxOutputTokens',
  'generation_config.max_output_tokens',
];

function isUnlimited(body: JsonObject): boolean {
  return limitNames.every((name) => (memberAt(body, name) ?? null) === null);
}

export const inputVariants: readonly Variant[] = planted({
  'input.limit-required': together(
    refusingMember('responses.create', 'max_output_tokens', isUnlimited),
    refusingMember('chat-completions.create', 'max_completion_tokens', isUnlimited),
    refusingMember('generative.generate', 'generationConfig.maxOutputTokens', isUnlimited),
    refusingMember('generative.stream', 'generationConfig.maxOutputTokens', isUnlimited),
  ),
  'input.no-metadata': refusingMember(
    'responses.create',
    'metadata',
    ({ metadata }) => metadata !== undefined,
  ),
  'input.no-system-prompts': together(
    refusingMember(
      'responses.create',
      'instructions',
      ({ instructions }) => instructions !== undefined,
    ),
    refusingMember('chat-completions.create', 'messages', ({ messages }) =>
      hasTurnOf('system', messages),
    ),
    refusingMember('messages.create', 'system', ({ system }) => system !== undefined),
    refusingMember(
      'generative.generate',
      'systemInstruction',
      ({ systemInstruction }) => systemInstruction !== undefined,
    ),
  ),
  'input.no-developers': together(
    refusingMember('responses.create', 'input', ({ input }) => hasTurnOf('developer', input)),
    refusingMember('chat-completions.create', 'messages', ({ messages }) =>
      hasTurnOf('developer', messages),
    ),
  ),
  'input.parts-joined': bodies('responses.input-items', (body) =>
    changed(body, 'data', (data) =>
      (isArray(data) ? data : []).map((item) =>
        isObject(item) ? changed(item, 'content', joined) : item,
      ),
    ),
  ),
  'input.no-earlier-answers': refusingMember('responses.create', 'input', ({ input }) =>
    hasTurnOf('assistant', input),
  ),
  'input.background-of-texts': refusingMember(
    'responses.create',
    'input',
    ({ background, input, tools }) => background === true && (isArray(input) || isArray(tools)),
  ),
  'input.cached-prompts-apart': bodies('messages.message', (body) =>
    changed(body, 'usage', (usage) => {
      const { input_tokens: count } = isObject(usage) ? usage : {};
      if (typeof count !== 'number' || count < 50) return usage;
      return {
        ...Object(usage),
        input_tokens: 3,
        cache_read_input_tokens: count - 23,
        cache_creation_input_tokens: 20,
      };
    }),
  ),
  'input.cached-prompts-within': together(
    bodies('chat-completions.completion', (body) =>
      changed(body, 'usage.prompt_tokens_details', () => ({ cached_tokens: 1 })),
    ),
    bodies('generative.response', setting('usageMetadata.cachedContentTokenCount', 1)),
  ),
});
