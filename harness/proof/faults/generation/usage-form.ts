import type { BodyKind } from '../../../reference/index.ts';
import { dropping, memberAt, renaming, set } from '../../editing.ts';
import { bodies } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each } from '../planted.ts';

// Usage in an undocumented place or form.

/** Bodies, each with the path of its usage, a wrong name of it, and the path of its input. */
const places = (
  [
    ['responses.response', 'usage', 'token_usage', 'usage.input_tokens'],
    ['chat-completions.completion', 'usage', 'usageMetadata', 'usage.prompt_tokens'],
    ['messages.message', 'usage', 'token_usage', 'usage.input_tokens'],
    ['generative.response', 'usageMetadata', 'usage_metadata', 'usageMetadata.promptTokenCount'],
  ] as const satisfies readonly (readonly [BodyKind, ...string[]])[]
).map(([body, usage, other, input]) => ({
  ...{ protocol: body.slice(0, body.indexOf('.')), body, usage, other, input },
}));

/** Partial counts that the protocol includes in the whole. */
const parts = [
  { at: 0, part: 'usage.input_tokens_details.cached_tokens' },
  { at: 1, part: 'usage.prompt_tokens_details.cached_tokens' },
  { at: 3, part: 'usageMetadata.cachedContentTokenCount' },
].flatMap(({ at, part }) => places.slice(at, at + 1).map((place) => ({ ...place, part })));

export const usageFormFaults: readonly Fault[] = [
  ...each(places, ({ body, usage, other, input }) => ({
    'usage-form.renamed-{protocol}': bodies(body, renaming(usage, other)),
    'usage-form.other-case-{protocol}': bodies(body, renaming(input, otherCase(input))),
  })),
  // The schemas of the other protocols ask for it.
  ...each(places.slice(3), ({ body, input }) => ({
    'usage-form.without-input-{protocol}': bodies(body, dropping(input)),
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
