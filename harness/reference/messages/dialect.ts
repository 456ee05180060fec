import type { Answer, Call, Dialect } from '../call.ts';
import { bearer } from '../client-forms.ts';
import { countPrompt } from '../engine.ts';
import { abandon, count, execute } from '../execution.ts';
import type { Key } from '../keys.ts';
import { messagesError } from './error.ts';
import { messageEvents } from './events.ts';
import { message } from './message.ts';
import { readCountRequest, readMessageRequest } from './request.ts';

/** Messages protocol: stateless, with a version header, and named events when streamed. */
export const messagesDialect: Dialect = {
  name: 'messages',
  declaredAs: 'vendorA-messages',
  owns: (path) => path.startsWith('/v1/messages'),
  credential: () => ({ header: 'x-api-key', scheme: null }),
  furtherCredentials: () => [bearer],
  versionHeader: ({ names }) => `${names.vendorA}-version`,
  requestIdHeader: 'request-id',
  statuses: {},
  error: messagesError,
  errorEvent: (refusal, status, call) => ({
    name: 'error',
    data: messagesError(refusal, status, call),
  }),
  routes: [
    {
      method: 'POST',
      path: /^\/v1\/messages$/,
      operation: () => 'messages.create',
      body: 'json',
      handle: create,
    },
    {
      method: 'POST',
      path: /^\/v1\/messages\/count_tokens$/,
      operation: () => 'messages.count-tokens',
      body: 'json',
      handle: countTokens,
    },
  ],
};

function create(call: Call, key: Key): Answer {
  const { prompt, stream } = readMessageRequest(call, key);
  const run = execute(prompt, call, stream);
  const { encode } = call.gateway.seams;
  const head = {
    id: encode.id('msg_', call),
    model: prompt.model,
    toolUseId: encode.id('toolu_', call),
  };
  if (!stream) return { kind: 'messages.message', body: message(head, run.generation) };
  return {
    kind: 'messages.stream',
    events: (gone) => messageEvents(head, run, gone),
    dropped: () => abandon(run, call),
  };
}

function countTokens(call: Call, key: Key): Answer {
  const prompt = readCountRequest(call, key);
  const inputTokens = count(countPrompt(prompt), prompt.model, call);
  return { kind: 'messages.count', body: { input_tokens: inputTokens } };
}
