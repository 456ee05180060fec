import type { Dialect } from '../call.ts';
import { everyCredential } from '../client-forms.ts';
import { openaiError } from '../openai-error.ts';
import { listModels, oneModel, onePath } from './one.ts';

/** OpenAI-style model list, which all protocols below `/v1` share. */
export const modelsDialect: Dialect = {
  name: 'models',
  declaredAs: null,
  owns: (path) => path.startsWith('/v1/models'),
  credential: () => ({ header: 'authorization', scheme: 'Bearer' }),
  furtherCredentials: ({ names }) => everyCredential(names),
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
      handle: listModels,
    },
    {
      method: 'GET',
      path: onePath('/v1'),
      operation: () => 'models.list',
      body: 'ignored',
      handle: oneModel,
    },
  ],
};
