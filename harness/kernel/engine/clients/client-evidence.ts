import {
  type ClientSubject,
  clientCommandLine,
  cut,
  type Evidence,
  type Exchange,
  formatId,
} from '../../core/index.ts';
import { requestInWords } from '../../judge/index.ts';
import { outcomeForClient } from './conversations.ts';

/** As much of a body as a reader needs to know it again. */
const longest = 600;

/**
 * Returns the evidence of an exchange with a client. `received` is what the client sent, and the command
 * starts the client again.
 */
export function clientEvidenceOf(exchange: Exchange, client: ClientSubject, id: string): Evidence {
  const { request, socket } = exchange;
  const sent = [
    ...(request.body === null ? [] : [request.body]),
    ...(socket?.frames.filter(({ from }) => from === 'us').map(({ data }) => data) ?? []),
  ].map((bytes) => Buffer.from(bytes).toString());
  const text = sent.join('\n');
  return {
    exchange: formatId(exchange.id),
    request: requestInWords(exchange),
    outcome: outcomeForClient(exchange),
    received: cut(text, longest),
    curl: clientCommandLine(client, [id]),
  };
}
