export { brokenTwins } from './broken-twins.ts';
export { honestGateways } from './gateways.ts';
export type { BrokenTwin, HonestGateway } from './honest-gateway.ts';
