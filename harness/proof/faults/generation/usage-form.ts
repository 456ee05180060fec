import type { BodyKind } from '../../../reference/index.ts';
import { memberAt, renaming, set } from '../../editing.ts';
import { bodies } from '../../planting.ts';
import type { Fault } from '../fault.ts';

// Usage that stands elsewhere, or otherwise, than a protocol documents.

interface Place {
  readonly protocol: 'responses' | 'chat-completions' | 'messages' | 'generative';
  readonly body: BodyKind;
  /** The usage, and what it may be called by mistake. */
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

/** A part of a count, which the protocol counts among the whole. */
const parts = [
  ['responses', 'responses.response', 'usage.input_tokens', 'input_tokens_details.cached_tokens'],
  [
    'chat-completions',
    'chat-completions.completion',
    'usage.prompt_tokens',
    'prompt_tokens_details.cached_tokens',
  ],
  [
    'generative',
    'generative.response',
    'usageMetadata.promptTokenCount',
    'cachedContentTokenCount',
  ],
] as const;

const partFaults = parts.map(([protocol, body, whole, part]): Fault => {
  const place = `${whole.slice(0, whole.indexOf('.'))}.${part}`;
  return {
    id: `usage-form.more-kept-than-read-${protocol}`,
    what: `The usage counts more kept tokens than the input has, on ${protocol}.`,
    breaks: [`generation/usage.parts-within:${protocol}`],
    override: bodies(body, (native) => {
      const count = memberAt(native, whole);
      return typeof count === 'number' ? set(native, place, count + 7) : native;
    }),
  };
});

const formFaults: readonly Fault[] = places.flatMap(
  ({ protocol, body, usage: [usage, other], input }): Fault[] => {
    const breaks = [`generation/usage.native-form:${protocol}`];
    return [
      {
        id: `usage-form.renamed-${protocol}`,
        what: `The usage stands in a member that ${protocol} does not document.`,
        breaks,
        override: bodies(body, renaming(usage, other)),
      },
      {
        id: `usage-form.other-case-${protocol}`,
        what: `The count of the input is written in the other case, on ${protocol}.`,
        breaks,
        override: bodies(body, renaming(input, otherCase(input))),
      },
    ];
  },
);

export const usageFormFaults: readonly Fault[] = [...formFaults, ...partFaults];

/** The last name of a path: `prompt_tokens` for `promptTokens`, and the reverse. */
function otherCase(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return name.includes('_')
    ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
