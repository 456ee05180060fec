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

/** The publishers' names, as they appear in header names. */
export interface Publishers {
  readonly vendorA: string;
  readonly vendorB: string;
}

/** Returns a capability in the form of a target file: `stream:messages` is `stream:vendorA-messages`. */
export function capabilityInFile(capability: Capability): string {
  const [family, over] = capability.split(':');
  const protocol = protocolOfCapability[capability];
  return over === undefined || protocol === null ? capability : `${family}:${declaredAs[protocol]}`;
}

/**
 * Returns capabilities in the form of a target file. One that all declared protocols have is written once: `stream`.
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

export const protocolIdentifiers: readonly string[] = protocols.map((name) => declaredAs[name]);

/** Identifiers of all capabilities in target files. `stream` stands for every `stream:…`. */
export const capabilityIdentifiers: readonly string[] = [
  ...capabilities.filter((name) => !name.includes(':')),
  ...capabilityFamilies,
  ...capabilityFamilies.flatMap(capabilitiesOf).map(capabilityInFile),
];

/**
 * The protocol of an identifier in a target file, which uses the stand-ins of the specification or the publishers'
 * own names. Undefined if there is none.
 */
export function readProtocol(identifier: string, names: Publishers): Protocol | undefined {
  return protocols.find((protocol) => spellings(declaredAs[protocol], names).includes(identifier));
}

/**
 * The capabilities of an identifier in a target file. Undefined if there are none.
 *
 * @param declared protocols of the model: `stream` means streaming over each of them
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

/** True if an identifier stands for a capability over every protocol. */
export function isFamily(identifier: string): boolean {
  return capabilityFamilies.some((name) => name === identifier);
}

function spellings(identifier: string, names: Publishers): string[] {
  return [
    identifier,
    identifier.replace('vendorA', names.vendorA).replace('vendorB', names.vendorB),
  ];
}
