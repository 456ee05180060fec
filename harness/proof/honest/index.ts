export { brokenTwins } from './broken-twins.ts';
export { honestGateways } from './gateways.ts';
export type { HonestGateway } from './honest-gateway.ts';
