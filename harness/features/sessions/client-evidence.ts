import {
  type ClientSubject,
  clientCommandLine,
  cut,
  type Evidence,
  type Exchange,
  formatId,
} from '../../kernel/core/index.ts';
import { requestInWords } from '../../kernel/judge/index.ts';
import { outcomeForClient } from './conversations.ts';

/** Maximum characters of a body: enough to recognise it. */
const longest = 600;

/** Returns the evidence of an exchange with a client: `received` is the body that it sent. */
export function clientEvidenceOf(
  exchange: Exchange,
  client: ClientSubject | undefined,
  id: string,
): Evidence {
  const { request, socket } = exchange;
  const sent = [
    ...(request.body === null ? [] : [request.body]),
    ...(socket?.frames.filter(({ from }) => from === 'us').map(({ data }) => data) ?? []),
  ];
  const text = sent.map((bytes) => Buffer.from(bytes).toString()).join('\n');
  return {
    exchange: formatId(exchange.id),
    request: requestInWords(exchange),
    outcome: outcomeForClient(exchange),
    received: cut(text, longest),
    curl: client === undefined ? '' : clientCommandLine(client, [id]),
  };
}
