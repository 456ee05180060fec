export { brokenTwins } from './broken-twins.ts';
export { honestGateways, judgedByAll } from './gateways.ts';
export type { HonestGateway } from './honest-gateway.ts';
