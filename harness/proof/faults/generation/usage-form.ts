import type { BodyKind } from '../../../reference/index.ts';
import { memberAt, renaming, set } from '../../editing.ts';
import { bodies } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each } from '../planted.ts';

// Usage in an undocumented place or form.

interface Place {
  readonly protocol: 'responses' | 'chat-completions' | 'messages' | 'generative';
  readonly body: BodyKind;
  /** Path of the usage, and its wrong name. */
  readonly usage: readonly [path: string, other: string];
  readonly input: string;
}

const places: readonly Place[] = [
  {
    protocol: 'responses',
    body: 'responses.response',
    usage: ['usage', 'token_usage'],
    input: 'usage.input_tokens',
  },
  {
    protocol: 'chat-completions',
    body: 'chat-completions.completion',
    usage: ['usage', 'usageMetadata'],
    input: 'usage.prompt_tokens',
  },
  {
    protocol: 'messages',
    body: 'messages.message',
    usage: ['usage', 'token_usage'],
    input: 'usage.input_tokens',
  },
  {
    protocol: 'generative',
    body: 'generative.response',
    usage: ['usageMetadata', 'usage_metadata'],
    input: 'usageMetadata.promptTokenCount',
  },
];

/** Partial counts that the protocol includes in the whole. */
const parts = [
  { at: 0, part: 'usage.input_tokens_details.cached_tokens' },
  { at: 1, part: 'usage.prompt_tokens_details.cached_tokens' },
  { at: 3, part: 'usageMetadata.cachedContentTokenCount' },
].flatMap(({ at, part }) => places.slice(at, at + 1).map((place) => ({ ...place, part })));

export const usageFormFaults: readonly Fault[] = [
  ...each(places, ({ body, usage: [usage, other], input }) => ({
    'usage-form.renamed-{protocol}': bodies(body, renaming(usage, other)),
    'usage-form.other-case-{protocol}': bodies(body, renaming(input, otherCase(input))),
  })),
  ...each(parts, ({ body, input, part }) => ({
    'usage-form.more-kept-than-read-{protocol}': bodies(body, (native) => {
      const count = memberAt(native, input);
      return typeof count === 'number' ? set(native, part, count + 7) : native;
    }),
  })),
];

/** Returns the last name of a path in the other case: `prompt_tokens` for `promptTokens`, and the reverse. */
function otherCase(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return name.includes('_')
    ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
