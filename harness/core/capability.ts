import { each } from './each.ts';
import { type Protocol, type StreamingProtocol, streamingProtocols } from './protocol.ts';

/**
 * What depends on the channel that serves a model (specification, "What the service does", rule 5),
 * and `tools` (note 3 of "Endpoints"). The target file says of each model what it supports and what
 * it lacks; what it says nothing about is unknown.
 */
export const capabilities = [
  'background',
  'compact',
  'input_tokens',
  'websocket',
  'count_tokens',
  'vendorB-count',
  'tools',
  ...streamingProtocols.map(streamOver),
] as const;

export type Capability = (typeof capabilities)[number];

/** The capability of streaming over one protocol: a route may stream one and not the other. */
export function streamOver(protocol: StreamingProtocol): `stream:${StreamingProtocol}` {
  return `stream:${protocol}`;
}

/** The protocol that a capability is part of; null: it may come with any. */
export const protocolOfCapability: Readonly<Record<Capability, Protocol | null>> = {
  background: 'responses',
  compact: 'responses',
  input_tokens: 'responses',
  websocket: 'responses',
  count_tokens: 'messages',
  'vendorB-count': 'generative',
  tools: null,
  ...each(
    streamingProtocols.map(streamOver),
    (capability) => streamingProtocols.find((one) => streamOver(one) === capability) ?? null,
  ),
};
