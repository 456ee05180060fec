import { type Evidence, type Exchange, formatId } from '../core/index.ts';
import { isServed, outcome, requestInWords } from '../judge/index.ts';
import { answerOf, errorBody, hasGeneratedContent, isEnveloped } from '../protocols/index.ts';
import { curlLine } from '../wire/index.ts';

/** Returns the part of an exchange that a reader needs to verify a verdict. */
export function evidenceOf(exchange: Exchange): Evidence {
  return {
    exchange: formatId(exchange.id),
    request: requestInWords(exchange),
    operation: exchange.about.operation,
    key: exchange.about.key,
    served: isServed(exchange),
    answer: { status: exchange.response?.status ?? null, kind: answerKind(exchange) },
    outcome: status(exchange),
    received: outcome(exchange),
    curl: curlLine(exchange),
  };
}

function status({ response, failure }: Exchange): string {
  if (response === null) return `no answer (${failure?.kind ?? 'nothing came'})`;
  return failure === null ? String(response.status) : `${response.status}, then ${failure.kind}`;
}

/** Returns the kind of an answer, by which failures are grouped: `error`, `generated`, or `json, reset`. */
function answerKind(exchange: Exchange): string {
  const { failure } = exchange;
  return failure === null ? contentKind(exchange) : `${contentKind(exchange)}, ${failure.kind}`;
}

function contentKind(exchange: Exchange): string {
  if (exchange.response === null) return 'none';
  const { form } = answerOf(exchange);
  if (form !== 'json' && form !== 'events') return form;
  if (isEnveloped(exchange)) return 'envelope';
  if (errorBody(exchange) !== null) return 'error';
  return hasGeneratedContent(exchange) ? 'generated' : form;
}
