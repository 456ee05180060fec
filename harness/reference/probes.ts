import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Gateway } from './call.ts';
import { type Json, type JsonObject, objectOrEmpty } from './json.ts';

/** Where the probes of a region are, below its base address. */
export const ledgerPath = '/_touchstone/ledger';
export const clockPath = '/_touchstone/clock';
export const faultsPath = '/_touchstone/faults';

export interface ProbeAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/**
 * The windows that a test has into the gateway, beside its interface. They need no key.
 *
 * - `GET /_touchstone/ledger?client_request_id=…`: the financial records of one request, or of several
 *   whose ids stand there with commas between.
 * - `POST /_touchstone/clock` `{"response_id", "age_seconds"}`: from now on the retention treats this
 *   stored response, and no other, as created that many seconds ago.
 * - `GET /_touchstone/faults`: the faults and variants that a request may ask for.
 */
export async function answerProbe(
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
  gateway: Gateway,
): Promise<ProbeAnswer> {
  if (path === ledgerPath && request.method === 'GET') return ledger(query, gateway);
  if (path === clockPath && request.method === 'POST') return clock(await text(request), gateway);
  if (path === faultsPath && request.method === 'GET' && gateway.choosing !== null) {
    const faults = await gateway.choosing.list();
    return { status: 200, body: { faults: faults.map((one) => ({ ...one })) } };
  }
  return problem(404, `No such probe. There are GET ${ledgerPath} and POST ${clockPath}.`);
}

function ledger(query: URLSearchParams, gateway: Gateway): ProbeAnswer {
  const ids = query.get('client_request_id') ?? '';
  if (ids === '') return problem(400, 'The query parameter client_request_id is missing.');
  const asked = gateway.seams.policy.inLedgerQuery(ids.split(','));
  return { status: 200, body: { records: gateway.ledger.find(asked, gateway) } };
}

function clock(body: string, gateway: Gateway): ProbeAnswer {
  let value: Json = null;
  try {
    value = JSON.parse(body);
  } catch {
    // Reported below, with everything else that is not the expected object.
  }
  const { response_id: id, age_seconds: age } = objectOrEmpty(value);
  if (typeof id !== 'string' || typeof age !== 'number' || !Number.isFinite(age) || age < 0) {
    return problem(400, 'Expected {"response_id": string, "age_seconds": number, not negative}.');
  }
  const record = gateway.store.peek(id);
  if (record === undefined || record.region !== gateway.region) {
    return problem(404, 'This region has no stored response with this id.');
  }
  record.retainedFrom = gateway.now() - age * 1000;
  return { status: 200, body: { response_id: id, age_seconds: age } };
}

function problem(status: number, message: string): ProbeAnswer {
  return { status, body: { error: { message } } };
}
