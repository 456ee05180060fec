import {
  type Defect,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  Refusal,
} from '../../reference/index.ts';
import { changed, memberAt } from '../editing.ts';
import { bodies, handling, together } from '../planting.ts';
import type { Variant } from './variant.ts';

// Variants in what a request may contain, and in how the usage counts what was read.

/** Refuses a request to one endpoint that has something in it. */
function refusing(
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

/** Members that limit the output of a request. */
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

export const inputVariants: readonly Variant[] = [
  {
    id: 'input.limit-required',
    what: 'A request for a generation that sets no output limit is refused, over every protocol.',
    override: together(
      refusing('responses.create', 'max_output_tokens', isUnlimited),
      refusing('chat-completions.create', 'max_completion_tokens', isUnlimited),
      refusing('generative.generate', 'generationConfig.maxOutputTokens', isUnlimited),
      refusing('generative.stream', 'generationConfig.maxOutputTokens', isUnlimited),
    ),
  },
  {
    id: 'input.no-metadata',
    what: 'A request with `metadata` is refused.',
    override: refusing('responses.create', 'metadata', ({ metadata }) => metadata !== undefined),
  },
  {
    id: 'input.no-system-prompts',
    what: 'A model takes no system prompt: a request with one is refused.',
    override: together(
      refusing(
        'responses.create',
        'instructions',
        ({ instructions }) => instructions !== undefined,
      ),
      refusing('chat-completions.create', 'messages', ({ messages }) =>
        hasTurnOf('system', messages),
      ),
      refusing('messages.create', 'system', ({ system }) => system !== undefined),
      refusing(
        'generative.generate',
        'systemInstruction',
        ({ systemInstruction }) => systemInstruction !== undefined,
      ),
    ),
  },
  {
    id: 'input.no-developers',
    what: 'A request with a message of the role `developer` is refused.',
    warns: [
      'input/requests.equivalent-forms:responses',
      'input/requests.equivalent-forms:chat-completions',
    ],
    override: together(
      refusing('responses.create', 'input', ({ input }) => hasTurnOf('developer', input)),
      refusing('chat-completions.create', 'messages', ({ messages }) =>
        hasTurnOf('developer', messages),
      ),
    ),
  },
  {
    id: 'input.parts-joined',
    what: 'The input items of a response have one part each, with all of its text.',
    override: bodies('responses.input-items', (body) =>
      changed(body, 'data', (data) =>
        (isArray(data) ? data : []).map((item) =>
          isObject(item) ? changed(item, 'content', joined) : item,
        ),
      ),
    ),
  },
  {
    id: 'input.no-earlier-answers',
    what: 'On Responses, earlier answers are refused as input: a continuation names the response before.',
    warns: ['generation/responses.item-input'],
    override: refusing('responses.create', 'input', ({ input }) => hasTurnOf('assistant', input)),
  },
  {
    id: 'input.cached-prompts-apart',
    what: 'Of a long prompt on Messages, all but three tokens are counted as kept from before, or for later.',
    override: bodies('messages.message', (body) =>
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
  },
  {
    id: 'input.cached-prompts-within',
    what: 'Of a long prompt, most tokens are counted as kept from before, within the count of the input.',
    override: together(
      bodies('chat-completions.completion', (body) =>
        changed(body, 'usage.prompt_tokens_details', () => ({ cached_tokens: 1 })),
      ),
      bodies('generative.response', (body) =>
        changed(body, 'usageMetadata.cachedContentTokenCount', () => 1),
      ),
    ),
  },
];
