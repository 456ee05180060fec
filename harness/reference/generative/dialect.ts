import type { Answer, Call, Dialect } from '../call.ts';
import { countPrompt } from '../engine.ts';
import { abandon, count, execute } from '../execution.ts';
import type { Key } from '../keys.ts';
import { listCatalog } from '../models/catalog.ts';
import { oneModel, onePath } from '../models/one.ts';
import { generativeError } from './error.ts';
import { readCountRequest, readGenerateRequest } from './request.ts';
import { chunks, response } from './response.ts';

/** Generative-content protocol: the path contains the model and the action, below either prefix. */
export const generativeDialect: Dialect = {
  name: 'generative',
  declaredAs: 'vendorB',
  owns: (path) => path.startsWith('/v1beta') || /^\/v1\/models\/[^/]*:/.test(path),
  credential: ({ names }) => ({ header: `x-${names.vendorB}-api-key`.toLowerCase(), scheme: null }),
  requestIdHeader: 'x-request-id',
  statuses: { 'no-key': 403, 'unknown-key': 400, 'undeclared-protocol': 404 },
  error: generativeError,
  errorEvent: (refusal, status) => ({ name: null, data: generativeError(refusal, status) }),
  routes: [
    {
      method: 'POST',
      path: action('generateContent'),
      operation: () => 'generative.generate',
      body: 'json',
      handle: generateContent,
    },
    {
      method: 'POST',
      path: action('streamGenerateContent'),
      operation: () => 'generative.stream',
      body: 'json',
      handle: generateContent,
    },
    {
      method: 'POST',
      path: action('countTokens'),
      operation: () => 'generative.count-tokens',
      body: 'json',
      handle: countTokens,
    },
    {
      method: 'GET',
      path: /^\/v1beta\/models$/,
      operation: () => 'models.catalog',
      body: 'ignored',
      handle: listCatalog,
    },
    {
      method: 'GET',
      path: onePath('/v1beta'),
      operation: () => 'models.catalog',
      body: 'ignored',
      handle: oneModel,
    },
  ],
};

/** Matches an action. The model id is one path segment, which ends at the last colon. */
function action(name: string): RegExp {
  return new RegExp(`^/v1(?:beta)?/models/(?<model>[^/]+):${name}$`);
}

function generateContent(call: Call, key: Key): Answer {
  const { prompt, stream } = readGenerateRequest(call, key);
  const run = execute(prompt, call, stream);
  const { encode } = call.gateway.seams;
  const head = {
    id: encode.id('', call),
    model: prompt.model,
    callId: encode.id('', call),
    logprobs: prompt.asked.logprobs,
  };
  if (!stream) return { kind: 'generative.response', body: response(head, run.generation) };
  return {
    kind: 'generative.stream',
    events: (gone) => chunks(head, run, gone),
    dropped: () => abandon(run, call),
  };
}

function countTokens(call: Call, key: Key): Answer {
  const prompt = readCountRequest(call, key);
  const totalTokens = count(countPrompt(prompt), prompt.model, call);
  return {
    kind: 'generative.count',
    body: { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] },
  };
}
