import type { Exchange } from '../core/index.ts';
import type { Call, Caller, CallOptions } from './call.ts';
import type { EndpointModule } from './module.ts';
import { openaiClient } from './usual-client.ts';

export interface ModelsClient {
  /** `GET /v1/models`, the list of the `/v1` family. */
  list(options?: CallOptions): Promise<Exchange>;
  /** `GET /v1beta/models`, the catalog of generative-content. */
  catalog(page?: CatalogPage, options?: CallOptions): Promise<Exchange>;
}

interface CatalogPage {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

export function modelsClient(caller: Caller): ModelsClient {
  return {
    list: (options) => caller.send(listCall(), options),
    catalog: (page, options) => caller.send(catalogCall(page), options),
  };
}

/** The list belongs to no protocol, so the target file names its credential header. */
export function listCall(): Call {
  return {
    operation: 'models.list',
    protocol: 'models',
    method: 'GET',
    path: '/v1/models',
    expects: 'json',
  };
}

export function catalogCall({ pageSize, pageToken }: CatalogPage = {}): Call {
  return {
    operation: 'models.catalog',
    protocol: 'generative',
    method: 'GET',
    path: '/v1beta/models',
    query: {
      ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }),
      ...(pageToken === undefined ? {} : { pageToken }),
    },
    expects: 'json',
  };
}

/** The list of the `/v1` family, which belongs to no protocol. */
export const modelList: EndpointModule<'models'> = {
  credential: { configured: 'models' },
  endpoints: { models: { supports: null, call: () => listCall() } },
  usualClient: openaiClient,
  operations: { 'models.list': { answer: { has: (body) => Array.isArray(body.data) } } },
  errorSchema: 'models/error',
};
