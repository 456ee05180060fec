import type { Answer, Call, Dialect } from '../call.ts';
import { holdFor } from '../execution.ts';
import type { Key } from '../keys.ts';
import { countTokens } from '../tokens.ts';
import { answer } from './answers.ts';
import { systemoneError } from './error.ts';
import { readDecisionRequest } from './request.ts';

/** System One: decides questions about a state. It has no text, no stream and no length parameter. */
export const systemoneDialect: Dialect = {
  name: 'systemone',
  declaredAs: 'systemone',
  owns: (path) => path.startsWith('/v1/systemone'),
  credential: () => ({ header: 'authorization', scheme: 'Bearer' }),
  requestIdHeader: 'x-request-id',
  statuses: {
    'empty-body': 422,
    'malformed-json': 422,
    'not-an-object': 422,
    'missing-parameter': 422,
    'wrong-type': 422,
    'invalid-value': 422,
    'too-deep': 422,
  },
  error: systemoneError,
  errorEvent: (refusal, status) => ({ name: null, data: systemoneError(refusal, status) }),
  routes: [
    {
      method: 'POST',
      path: /^\/v1\/systemone$/,
      operation: () => 'systemone.create',
      body: 'json',
      handle: decide,
    },
  ],
};

function decide(call: Call, key: Key): Answer {
  const { model, state, questions } = readDecisionRequest(call, key);
  const inputTokens = countTokens(state) + countTokens(JSON.stringify(questions));
  const financial = call.gateway.ledger.open(call, {
    operation: 'generation',
    model,
    inputTokens,
    status: 'completed',
  });
  financial.outputTokens = questions.length;
  holdFor(call, questions.length);
  const answers = questions.map(([name, question]) => [
    name,
    answer({ model, state }, name, question),
  ]);
  return {
    kind: 'systemone.result',
    body: {
      model,
      answers: Object.fromEntries(answers),
      usage: { input_tokens: inputTokens, output_tokens: questions.length },
    },
  };
}
