import { each } from './each.ts';
import { type Protocol, type StreamingProtocol, streamingProtocols } from './protocol.ts';

/** Features that a request can use in addition to text, each with the protocols that document it. */
export const protocolsOfAsk = {
  stop: ['chat-completions', 'messages', 'generative'],
  structured_output: streamingProtocols,
  logprobs: ['responses', 'chat-completions', 'generative'],
  candidates: ['chat-completions', 'generative'],
  images: streamingProtocols,
} as const satisfies Readonly<Record<string, readonly StreamingProtocol[]>>;

export type Ask = keyof typeof protocolsOfAsk;

export const asks: readonly Ask[] = [
  'stop',
  'structured_output',
  'logprobs',
  'candidates',
  'images',
];

/** Features that a channel may serve over one protocol only. Each has a capability per protocol. */
const protocolsOfFamily = { stream: streamingProtocols, ...protocolsOfAsk };

type CapabilityFamily = keyof typeof protocolsOfFamily;

export const capabilityFamilies: readonly CapabilityFamily[] = ['stream', ...asks];

/** `stream:messages` */
type OverProtocol = `${CapabilityFamily}:${StreamingProtocol}`;

const others = [
  'background',
  'compact',
  'input_tokens',
  'websocket',
  'count_tokens',
  'vendorB-count',
  'tools',
] as const;

/**
 * A feature that depends on the channel that serves a model (specification, "What the service does", rule 5), or
 * that note 3 of "Endpoints" leaves to the channel, such as `tools`. The target file lists, for each model, the
 * capabilities that it supports and those that it lacks. Any other capability is unknown.
 */
export type Capability = (typeof others)[number] | OverProtocol;

/** Returns the capabilities of a family: one for each protocol that documents it. */
export function capabilitiesOf(family: CapabilityFamily): readonly Capability[] {
  return protocolsOfFamily[family].map((protocol) => over(family, protocol));
}

export const capabilities: readonly Capability[] = [
  ...others,
  ...capabilityFamilies.flatMap(capabilitiesOf),
];

/** Returns the capability of a family over one protocol: a route may stream one and not the other. */
export function over(family: CapabilityFamily, protocol: StreamingProtocol): OverProtocol {
  return `${family}:${protocol}`;
}

const ownProtocols: Readonly<Record<(typeof others)[number], Protocol | null>> = {
  background: 'responses',
  compact: 'responses',
  input_tokens: 'responses',
  websocket: 'responses',
  count_tokens: 'messages',
  'vendorB-count': 'generative',
  tools: null,
};

/** The protocol that a capability belongs to; null: any protocol may have it. */
export const protocolOfCapability: Readonly<Record<Capability, Protocol | null>> = {
  ...each(
    capabilityFamilies.flatMap((family) => streamingProtocols.map((one) => over(family, one))),
    (capability) => streamingProtocols.find((one) => capability.endsWith(`:${one}`)) ?? null,
  ),
  ...ownProtocols,
};
