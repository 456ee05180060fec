import { asks, type Capability, capabilities, protocolOfCapability } from '../core/capability.ts';
import type { Model, Target } from '../target/target.ts';
import { capabilitiesInFile } from '../target/vocabulary.ts';
import type { Finding } from './finding.ts';

/** What a target file leaves open. Nothing is wrong with that, but a run cannot test it. */
export function undeclared({ keys, models }: Target): Finding[] {
  const missing = (['sameUser', 'otherUser', 'restricted'] as const).filter(
    (name) => keys[name] === undefined,
  );
  const open = needed.filter((capability) => isOpen(models, capability));
  return [
    ...missing.map((name): Finding => {
      const next = `Checks that need \`keys.${name}\` are untestable: see touchstone plan.`;
      return { mark: 'unknown', what: `keys.${name} is not given`, next };
    }),
    ...(open.length === 0 ? [] : [findingOf(open)]),
  ];
}

/** What is asked for beside a text is tried whatever the file says. */
const needed = capabilities.filter((one) => !asks.some((ask) => one.startsWith(`${ask}:`)));

/** No model is said to support it, and of one that might nothing is said. */
function isOpen(models: readonly Model[], capability: Capability): boolean {
  const protocol = protocolOfCapability[capability];
  const able = models.filter(({ protocols }) => protocol === null || protocols.includes(protocol));
  return (
    !able.some(({ supports }) => supports.includes(capability)) &&
    able.some(({ lacks }) => !lacks.includes(capability))
  );
}

function findingOf(open: readonly Capability[]): Finding {
  const named = capabilitiesInFile(open)
    .map((name) => `\`${name}\``)
    .join(', ');
  return {
    mark: 'unknown',
    what: `whether a model supports or lacks ${named}`,
    next: 'Declare it under `supports` or `lacks` of the models: until then, its checks are untestable.',
  };
}
