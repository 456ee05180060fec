import { at, type Exchange, isObject, listAt, numberAt, textAt } from '../core/index.ts';
import { Inconclusive } from '../judge/index.ts';
import { json } from '../wire/index.ts';

export interface LedgerRecord {
  readonly id: string;
  /** `X-Client-Request-Id`, or null if the probe was queried for one request alone. */
  readonly clientRequestId: string | null;
  readonly status: string;
  readonly operation: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly charge: number;
}

/** Returns the `X-Client-Request-Id` for a ledger. @throws if the request has none */
export function clientRequestIdOf(exchange: Exchange): string {
  const id = sentRequestId(exchange);
  if (id === undefined) throw new Error('The request was sent without an X-Client-Request-Id');
  return id;
}

/** Like `clientRequestIdOf`, or undefined if the request has none. */
export function sentRequestId({ request }: Exchange): string | undefined {
  return request.headers.find(([name]) => /^x-client-request-id$/i.test(name))?.[1];
}

/**
 * Returns the records in the answers of a ledger probe, of all its addresses together.
 *
 * @throws {Inconclusive} if a probe does not follow its contract
 */
export function ledgerRecords(answers: readonly Exchange[]): LedgerRecord[] {
  return answers.flatMap((answer) => {
    const body = json(answer);
    const served = answer.response !== null && answer.response.status < 300;
    if (!served || !body.ok || !Array.isArray(at(body.value, 'records'))) {
      throw new Inconclusive('the ledger probe did not answer with {"records": […]}', answer);
    }
    return listAt(body.value, 'records')
      .filter(isObject)
      .map((record) => ({
        id: textAt(record, 'id') ?? '',
        clientRequestId: textAt(record, 'client_request_id'),
        status: textAt(record, 'status') ?? '',
        operation: textAt(record, 'operation') ?? '',
        inputTokens: numberAt(record, 'usage.input_tokens') ?? 0,
        outputTokens: numberAt(record, 'usage.output_tokens') ?? 0,
        charge: numberAt(record, 'charge') ?? 0,
      }));
  });
}
