import { faults } from '../../proof/faults/index.ts';
import { honestGateways } from '../../proof/honest/index.ts';
import { nullTargetKinds } from '../../proof/null-servers.ts';
import { variants } from '../../proof/variants/index.ts';

/** Reasons to trust a verdict: what `touchstone prove` judges, and the result that it requires. */
export function proofList(): string {
  return [
    `- **Every check can fail.** ${faults.length} faults are planted into the reference gateway, one at a time. Each has to be noticed by the checks that are about it, and every MUST has to fail under one of them.`,
    `- **No right gateway is blamed.** ${variants.length} legal variants of the reference gateway, and ${honestGateways.length} gateways that lag, limit, buffer or stand behind a proxy, have to be conformant.`,
    `- **Nothing is passed by accident.** ${nullTargetKinds.length} servers that are no gateway must not pass a single MUST.`,
    '- **Anybody can repeat it**, with `touchstone prove`: [how it is proven](harness/proof/README.md).',
  ].join('\n');
}
