import type { Exchange } from '../core/index.ts';
import type { Call, Caller } from './call.ts';

/**
 * Probes that an operator may offer, for state that the interface does not expose. They take no credential and are
 * not part of the interface.
 */
export interface ProbesClient {
  /** The financial records of the requests, one exchange for each address of the ledger. */
  ledger(clientRequestIds: readonly string[]): Promise<Exchange[]>;
  /** Makes retention treat this stored response as created this many seconds ago. */
  age(responseId: string, seconds: number): Promise<Exchange[]>;
}

interface ProbeAddresses {
  readonly ledger: readonly string[];
  readonly clock: readonly string[];
}

export function probesClient(caller: Caller, { ledger, clock }: ProbeAddresses): ProbesClient {
  const ask = (call: Pick<Call, 'operation' | 'method' | 'url' | 'query' | 'body'>) =>
    caller.send({ ...call, protocol: 'probe', path: '', expects: 'json' }, { key: 'none' });
  return {
    ledger: (ids) =>
      Promise.all(
        ledger.map((url) =>
          ask({
            operation: 'probes.ledger',
            method: 'GET',
            url,
            query: { client_request_id: ids.join(',') },
          }),
        ),
      ),
    age: (id, seconds) =>
      Promise.all(
        clock.map((url) =>
          ask({
            operation: 'probes.clock',
            method: 'POST',
            url,
            body: { response_id: id, age_seconds: seconds },
          }),
        ),
      ),
  };
}
