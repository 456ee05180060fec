import type { Answer, Call, Dialect } from '../call.ts';
import { abandon, execute } from '../execution.ts';
import type { Key } from '../keys.ts';
import { openaiError } from '../openai-error.ts';
import { chunks } from './chunks.ts';
import { completion } from './completion.ts';
import { readCompletionRequest } from './request.ts';

/** Chat Completions: stateless, with delta chunks when streamed. */
export const chatCompletionsDialect: Dialect = {
  name: 'chat-completions',
  declaredAs: 'chat',
  owns: (path) => path.startsWith('/v1/chat/'),
  credential: () => ({ header: 'authorization', scheme: 'Bearer' }),
  requestIdHeader: 'x-request-id',
  statuses: {},
  error: openaiError,
  errorEvent: (refusal, status) => ({ name: null, data: openaiError(refusal, status) }),
  routes: [
    {
      method: 'POST',
      path: /^\/v1\/chat\/completions$/,
      operation: () => 'chat-completions.create',
      body: 'json',
      handle: create,
    },
  ],
};

function create(call: Call, key: Key): Answer {
  const { prompt, stream, includeUsage } = readCompletionRequest(call, key);
  const run = execute(prompt, call, stream);
  const { encode } = call.gateway.seams;
  const head = {
    id: encode.id('chatcmpl-', call),
    created: Math.floor(call.gateway.now() / 1000),
    model: prompt.model,
    callId: encode.id('call_', call),
    logprobs: prompt.asked.logprobs,
  };
  if (!stream) {
    return { kind: 'chat-completions.completion', body: completion(head, run.generation) };
  }
  return {
    kind: 'chat-completions.stream',
    events: (gone) => chunks(head, run, includeUsage, gone),
    dropped: () => abandon(run, call),
  };
}
