import { type Evidence, type Exchange, formatId } from '../core/index.ts';
import { isServed, outcome, requestInWords } from '../judge/index.ts';
import { curlLine } from '../wire/index.ts';

/** Returns the part of an exchange that a reader needs to verify a verdict. */
export function evidenceOf(exchange: Exchange): Evidence {
  return {
    exchange: formatId(exchange.id),
    request: requestInWords(exchange),
    operation: exchange.about.operation,
    key: exchange.about.key,
    served: isServed(exchange),
    outcome: status(exchange),
    received: outcome(exchange),
    curl: curlLine(exchange),
  };
}

function status({ response, failure }: Exchange): string {
  if (response === null) return `no answer (${failure?.kind ?? 'nothing came'})`;
  return failure === null ? String(response.status) : `${response.status}, then ${failure.kind}`;
}
