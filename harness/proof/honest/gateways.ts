import { generateMersenne53Randomizer } from '@faker-js/faker';
import { balanced } from './balancer.ts';
import type { Front } from './front.ts';
import type { HonestGateway } from './honest-gateway.ts';
import { lagging } from './lag.ts';
import { honestModels } from './models.ts';
import { paced } from './pace.ts';
import { slowOperations } from './slow.ts';
import { restricted } from './small.ts';
import { walled } from './walls.ts';

/**
 * Resets this fraction of all connections in place of an answer. Half of these requests never reach the gateway.
 * The gateway executes the others, but their answers are lost.
 */
function resets(share: number): () => Front {
  return () => {
    const randomizer = generateMersenne53Randomizer(8);
    return {
      resets: () => {
        const drawn = randomizer.next();
        if (drawn >= share) return null;
        return drawn < share / 2 ? 'before' : 'after';
      },
    };
  };
}

const unreliable: readonly HonestGateway[] = [
  {
    id: 'resets.eight-in-a-hundred',
    what: 'A proxy resets 8 % of all connections in the place of an answer: half of them when the gateway has answered.',
    front: resets(0.08),
  },
];

/** Conformant gateways in realistic circumstances. */
export const honestGateways: readonly HonestGateway[] = [
  ...lagging,
  ...walled,
  ...paced,
  ...honestModels,
  ...balanced,
  ...unreliable,
  ...restricted,
  ...slowOperations,
];

export const judgedByAll: readonly HonestGateway[] = honestGateways.filter(
  ({ rows }) => rows === undefined,
);
