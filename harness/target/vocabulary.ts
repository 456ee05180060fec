import {
  type Capability,
  capabilities,
  protocolOfCapability,
  streamOver,
} from '../core/capability.ts';
import { each } from '../core/each.ts';
import { declaredAs, type Protocol, protocols, streamingProtocols } from '../core/protocol.ts';

/** The publishers' names, as they stand in header names. */
export interface Publishers {
  readonly vendorA: string;
  readonly vendorB: string;
}

/** How a capability is written in a target file: `stream:messages` is `stream:vendorA-messages`. */
export const capabilityInFile: Readonly<Record<Capability, string>> = {
  background: 'background',
  compact: 'compact',
  input_tokens: 'input_tokens',
  websocket: 'websocket',
  count_tokens: 'count_tokens',
  'vendorB-count': 'vendorB-count',
  tools: 'tools',
  ...each(streamingProtocols.map(streamOver), (capability) => {
    const protocol = protocolOfCapability[capability];
    return protocol === null ? capability : `stream:${declaredAs[protocol]}`;
  }),
};

/** All protocols by the identifiers of target files. */
export const protocolIdentifiers: readonly string[] = protocols.map((name) => declaredAs[name]);

/** All capabilities by the identifiers of target files; `stream` stands for every `stream:…`. */
export const capabilityIdentifiers: readonly string[] = [
  'stream',
  ...capabilities.map((name) => capabilityInFile[name]),
];

/**
 * The protocol that an identifier of a target file stands for, written with the stand-ins of the
 * specification or with the publishers' own names; undefined when it is none.
 */
export function readProtocol(identifier: string, names: Publishers): Protocol | undefined {
  return protocols.find((protocol) => spellings(declaredAs[protocol], names).includes(identifier));
}

/**
 * The capabilities that an identifier of a target file stands for; undefined when it is none.
 *
 * @param declared the protocols of the model: `stream` means streaming over each of them
 */
export function readCapability(
  identifier: string,
  names: Publishers,
  declared: readonly Protocol[],
): Capability[] | undefined {
  if (identifier === 'stream') {
    return streamingProtocols.filter((name) => declared.includes(name)).map(streamOver);
  }
  const found = capabilities.find((name) =>
    spellings(capabilityInFile[name], names).includes(identifier),
  );
  return found === undefined ? undefined : [found];
}

function spellings(identifier: string, names: Publishers): string[] {
  return [
    identifier,
    identifier.replace('vendorA', names.vendorA).replace('vendorB', names.vendorB),
  ];
}
