import {
  type Capability,
  capabilities,
  capabilitiesOf,
  capabilityFamilies,
  declaredAs,
  type Protocol,
  protocolOfCapability,
  protocols,
} from '../core/index.ts';

/** The publishers' names, as they stand in header names. */
export interface Publishers {
  readonly vendorA: string;
  readonly vendorB: string;
}

/** Returns a capability as a target file writes it: `stream:messages` is `stream:vendorA-messages`. */
export function capabilityInFile(capability: Capability): string {
  const [family, over] = capability.split(':');
  const protocol = protocolOfCapability[capability];
  return over === undefined || protocol === null ? capability : `${family}:${declaredAs[protocol]}`;
}

/**
 * Returns capabilities as a target file writes them. One that holds over every declared protocol is written
 * once: `stream`.
 */
export function capabilitiesInFile(
  given: readonly Capability[],
  declared: readonly Protocol[] = protocols,
): string[] {
  const whole = capabilityFamilies.filter((family) => {
    const all = within(capabilitiesOf(family), declared);
    return all.length > 1 && all.every((one) => given.includes(one));
  });
  const told = new Set<Capability>(whole.flatMap(capabilitiesOf));
  return [...given.filter((one) => !told.has(one)).map(capabilityInFile), ...whole];
}

function within(given: readonly Capability[], declared: readonly Protocol[]): Capability[] {
  return given.filter((one) => {
    const protocol = protocolOfCapability[one];
    return protocol === null || declared.includes(protocol);
  });
}

/** All protocols by the identifiers of target files. */
export const protocolIdentifiers: readonly string[] = protocols.map((name) => declaredAs[name]);

/** All capabilities by the identifiers of target files; `stream` stands for every `stream:…`. */
export const capabilityIdentifiers: readonly string[] = [
  ...capabilities.filter((name) => !name.includes(':')),
  ...capabilityFamilies,
  ...capabilityFamilies.flatMap(capabilitiesOf).map(capabilityInFile),
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
  const family = capabilityFamilies.find((name) => name === identifier);
  if (family !== undefined) return within(capabilitiesOf(family), declared);
  const found = capabilities.find((name) =>
    spellings(capabilityInFile(name), names).includes(identifier),
  );
  return found === undefined ? undefined : [found];
}

/** True if an identifier of a target file stands for a capability over every protocol. */
export function isFamily(identifier: string): boolean {
  return capabilityFamilies.some((name) => name === identifier);
}

function spellings(identifier: string, names: Publishers): string[] {
  return [
    identifier,
    identifier.replace('vendorA', names.vendorA).replace('vendorB', names.vendorB),
  ];
}
