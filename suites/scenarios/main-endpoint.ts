import { each, protocolModules, protocols } from '../../harness/index.ts';

/** Endpoint that represents a protocol where one is enough: its generation in one JSON body. */
export const mainEndpoint = each(protocols, (protocol) => protocolModules[protocol].mainEndpoint);
