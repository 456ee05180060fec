import { outcome, requestInWords } from '../expect/wording.ts';
import type { Evidence } from '../spec/verdict.ts';
import { curlLine } from '../wire/curl.ts';
import type { Exchange } from '../wire/exchange.ts';

/** What a reader needs to see of an exchange to believe a verdict, and to repeat it. */
export function evidenceOf(exchange: Exchange): Evidence {
  return {
    exchange: exchange.key,
    request: requestInWords(exchange),
    outcome: status(exchange),
    received: outcome(exchange),
    curl: curlLine(exchange),
  };
}

function status({ response, failure }: Exchange): string {
  if (response === null) return `no answer (${failure?.kind ?? 'nothing came'})`;
  return failure === null ? String(response.status) : `${response.status}, then ${failure.kind}`;
}
