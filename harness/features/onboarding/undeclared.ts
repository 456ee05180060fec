import {
  asks,
  type Capability,
  capabilities,
  protocolOfCapability,
  restrictionsSaid,
} from '../../kernel/core/index.ts';
import {
  capabilitiesInFile,
  type Model,
  restrictionsOfKey,
  type Target,
} from '../../kernel/targets/index.ts';
import type { Finding } from './finding.ts';

/** Findings on facts that a target file leaves open. That is legal, but a run cannot test them. */
export function undeclared(target: Target, init: string): Finding[] {
  const { keys, probes, withoutProbes, models } = target;
  const said = restrictionsSaid(target);
  const others = (['sameUser', 'otherUser', 'restricted'] as const).filter(
    // Without any keys, there are no others.
    (name) =>
      keys.owner !== undefined &&
      keys[name] === undefined &&
      !restrictionsOfKey[name].some((restriction) => said.includes(restriction)),
  );
  const missing = [
    ...others.map((name) => `keys.${name}`),
    ...(['ledger', 'clock'] as const)
      .filter((name) => probes[name].length === 0 && withoutProbes !== true)
      .map((name) => `probes.${name}`),
  ];
  const open = tellingCapabilities.filter((capability) => isOpen(models, capability));
  return [
    ...(missing.length === 0 ? [] : [notGiven(missing)]),
    ...(open.length === 0 ? [] : [findingOf(open, init)]),
  ];
}

function notGiven(names: readonly string[]): Finding {
  return {
    mark: 'unknown',
    what: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not given`,
    next: 'Checks that need one of them are untestable: the plan says how many.',
  };
}

/** Capabilities that a target file must declare. Options of a request other than text are tried in any case. */
export const tellingCapabilities: readonly Capability[] = capabilities.filter(
  (one) => !asks.some((ask) => one.startsWith(`${ask}:`)),
);

/** True if no model is declared to support it, and the declaration of some possible model is open. */
function isOpen(models: readonly Model[], capability: Capability): boolean {
  const protocol = protocolOfCapability[capability];
  const able = models.filter(({ protocols }) => protocol === null || protocols.includes(protocol));
  return (
    !able.some(({ supports }) => supports.includes(capability)) &&
    able.some(({ lacks }) => !lacks.includes(capability))
  );
}

function findingOf(open: readonly Capability[], init: string): Finding {
  const named = capabilitiesInFile(open)
    .map((name) => `\`${name}\``)
    .join(', ');
  return {
    mark: 'unknown',
    what: `whether a model supports or lacks ${named}`,
    next:
      'Declare it under `supports` or `lacks` of the models: until then, its checks are untestable. ' +
      `To have it tried: ${init}`,
  };
}
