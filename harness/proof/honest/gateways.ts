import { balanced } from './balancer.ts';
import type { HonestGateway } from './honest-gateway.ts';
import { lagging } from './lag.ts';
import { honestModels } from './models.ts';
import { paced } from './pace.ts';
import { unreliable } from './resets.ts';
import { slowOperations } from './slow.ts';
import { restricted } from './small.ts';
import { walled } from './walls.ts';

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

/** Gateways that every check judges. */
export const judgedByAll: readonly HonestGateway[] = honestGateways.filter(
  ({ rows }) => rows === undefined,
);
