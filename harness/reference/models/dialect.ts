import type { Dialect } from '../dialect.ts';
import { openaiError } from '../openai-error.ts';
import { modelList } from './list.ts';

/** The OpenAI-style model list, which all protocols below `/v1` share. */
export const modelsDialect: Dialect = {
  name: 'models',
  declaredAs: null,
  owns: (path) => path.startsWith('/v1/models'),
  credential: () => ({ header: 'authorization', scheme: 'Bearer' }),
  requestIdHeader: 'x-request-id',
  statuses: {},
  error: openaiError,
  errorEvent: (refusal, status) => ({ name: null, data: openaiError(refusal, status) }),
  routes: [
    {
      method: 'GET',
      path: /^\/v1\/models$/,
      operation: () => 'models.list',
      body: 'ignored',
      handle: (call, key) => ({
        kind: 'models.list',
        body: modelList(call.gateway.seams.policy.listedModels(key, call)),
      }),
    },
  ],
};
