import type { Capability, Exchange, Io, Protocol } from '../../harness/index.ts';

/** The axis "capability": how the catalogue names what depends on the channel of a model. */
export type CapabilityName = keyof typeof asked;

export interface Asked {
  readonly capability: Capability;
  readonly protocol: Protocol;
  /** Asks the model of the scenario for it. */
  ask(io: Io): Promise<Exchange>;
  /** Asks in another way for the same. */
  inCreationMode?(io: Io): Promise<Exchange>;
}

/** A request for each capability. */
export const asked = {
  background: {
    capability: 'background',
    protocol: 'responses',
    ask: ({ responses }) => responses.create({ background: true, store: true }),
    inCreationMode: ({ responses }) => responses.stream({ background: true, store: true }),
  },
  compact: { capability: 'compact', protocol: 'responses', ask: ({ ask }) => ask('compact') },
  input_tokens: {
    capability: 'input_tokens',
    protocol: 'responses',
    ask: ({ ask }) => ask('input-tokens'),
  },
  websocket: { capability: 'websocket', protocol: 'responses', ask: ({ ask }) => ask('websocket') },
  count_tokens: {
    capability: 'count_tokens',
    protocol: 'messages',
    ask: ({ ask }) => ask('messages-count-tokens'),
  },
  'vendorb-count': {
    capability: 'vendorB-count',
    protocol: 'generative',
    ask: ({ ask }) => ask('count-tokens'),
    inCreationMode: ({ generative }) => generative.countTokens({}, { alternatePath: true }),
  },
  'stream-responses': {
    capability: 'stream:responses',
    protocol: 'responses',
    ask: ({ responses }) => responses.stream(),
  },
  'stream-chat-completions': {
    capability: 'stream:chat-completions',
    protocol: 'chat-completions',
    ask: ({ chatCompletions }) => chatCompletions.stream(),
  },
  'stream-messages': {
    capability: 'stream:messages',
    protocol: 'messages',
    ask: ({ messages }) => messages.stream(),
  },
  'stream-generative': {
    capability: 'stream:generative',
    protocol: 'generative',
    ask: ({ generative }) => generative.stream(),
    inCreationMode: ({ generative }) => generative.stream({}, { alternatePath: true }),
  },
} as const satisfies Readonly<Record<string, Asked>>;

/** Their names. */
export const names = Object.keys(asked) as CapabilityName[];
