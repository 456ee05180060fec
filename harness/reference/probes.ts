import type { IncomingMessage } from 'node:http';
import type { Gateway } from './call.ts';
import { type Json, type JsonObject, objectOrEmpty } from './json.ts';
import type { Choosing } from './mock/choosing.ts';
import { metrics } from './mock/metrics.ts';
import {
  filterNames,
  type RequestFilter,
  type RequestJournal,
  wrongFilter,
} from './mock/requests.ts';
import type { ScriptDoor } from './mock/script-door.ts';
import type { ServedGateway } from './served-gateway.ts';

/** Paths of the probes, below the base address of a region. */
export const ledgerPath = '/_touchstone/ledger';
const clockPath = '/_touchstone/clock';
const faultsPath = '/_touchstone/faults';
const requestsPath = '/_touchstone/requests';
const metricsPath = '/_touchstone/metrics';
const scriptPath = '/_touchstone/script';

/** Returns the probe addresses of a reference gateway. @param regions base addresses */
export function probesAt(regions: readonly string[]): {
  readonly ledger: { readonly url: readonly string[] };
  readonly clock: { readonly url: readonly string[] };
} {
  const at = (path: string) => ({ url: regions.map((base) => `${base}${path}`) });
  return { ledger: at(ledgerPath), clock: at(clockPath) };
}

interface ProbeAnswer {
  readonly status: number;
  /** A string is written verbatim. */
  readonly body: JsonObject | string;
}

/**
 * Answers a probe: a control endpoint for tests, in addition to the interface. Probes need no key.
 *
 * - `GET /_touchstone/ledger?client_request_id=…`: the financial records of one request, or of several with
 *   comma-separated ids.
 * - `POST /_touchstone/clock` `{"response_id", "age_seconds"}`: from now on the retention treats this stored
 *   response, and no other, as created `age_seconds` ago.
 * - `GET /_touchstone/faults`: the faults and variants that a request may ask for.
 * - `GET /_touchstone/requests?protocol=…&status=4xx`: the requests so far, over all regions; `DELETE` removes
 *   them.
 * - `GET /_touchstone/metrics`: metrics of the requests, in Prometheus format.
 * - `PUT /_touchstone/script`: plays this script from now on; `DELETE`: restores the original one.
 */
export async function answerProbe(
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
  gateway: ServedGateway,
): Promise<ProbeAnswer> {
  if (!gateway.withoutProbes) {
    if (path === ledgerPath && request.method === 'GET') return ledger(query, gateway);
    if (path === clockPath && request.method === 'POST')
      return clock(await boundedText(request), gateway);
  }
  if (path === faultsPath && request.method === 'GET' && gateway.choosing !== null) {
    return faults(query, gateway.choosing);
  }
  if (path === scriptPath && gateway.scriptDoor !== null) {
    if (request.method === 'PUT') {
      return putScript(await boundedText(request), gateway.scriptDoor);
    }
    if (request.method === 'DELETE') {
      gateway.scriptDoor.remove();
      return { status: 200, body: {} };
    }
  }
  const { journal } = gateway;
  if (journal !== null) {
    if (path === requestsPath && !journal.keepsAny) {
      return problem(404, 'The requests are not kept here: start with --journal N.');
    }
    if (path === requestsPath && request.method === 'GET') return requests(query, journal, gateway);
    if (path === requestsPath && request.method === 'DELETE') {
      if (query.size > 0) return problem(400, 'DELETE forgets all requests: it takes no filter.');
      return { status: 200, body: { deleted: journal.clear() } };
    }
    if (path === metricsPath && request.method === 'GET') {
      return { status: 200, body: metrics(gateway.everywhere, journal) };
    }
  }
  const probes = [
    ...(gateway.withoutProbes ? [] : [`GET ${ledgerPath}`, `POST ${clockPath}`]),
    ...(gateway.choosing === null ? [] : [`GET ${faultsPath}`]),
    ...(gateway.scriptDoor === null ? [] : [`PUT and DELETE ${scriptPath}`]),
    ...(journal?.keepsAny === true ? [`GET and DELETE ${requestsPath}`] : []),
    ...(journal === null ? [] : [`GET ${metricsPath}`]),
  ];
  const there = probes.length === 0 ? 'There is none here.' : `There are ${probes.join(', ')}.`;
  return problem(404, `No such probe. ${there}`);
}

function ledger(query: URLSearchParams, gateway: Gateway): ProbeAnswer {
  const ids = query.get('client_request_id') ?? '';
  if (ids === '') return problem(400, 'The query parameter client_request_id is missing.');
  const { policy } = gateway.seams;
  const records = gateway.ledger
    .find(policy.inLedgerQuery(ids.split(',')))
    .flatMap((record) => policy.financialRecords(record, gateway))
    .map((record) => ({
      id: record.id,
      client_request_id: record.clientRequestId,
      operation: record.operation,
      protocol: record.protocol,
      model: record.model,
      response_id: record.responseId,
      status: record.status,
      usage: { input_tokens: record.inputTokens, output_tokens: record.outputTokens },
      charge: policy.charge(record, gateway),
      created_at: record.createdAt,
    }));
  return { status: 200, body: { records } };
}

function clock(body: string | null, gateway: Gateway): ProbeAnswer {
  if (body === null) return tooLong;
  let value: Json = null;
  try {
    value = JSON.parse(body);
  } catch {
    // The check below reports this together with every other body that is not the expected object.
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

async function faults(query: URLSearchParams, choosing: Choosing): Promise<ProbeAnswer> {
  const kind = query.get('kind');
  const known = kind === null || kind === 'fault' || kind === 'variant';
  if (!known || [...query.keys()].some((name) => name !== 'kind')) {
    return problem(400, 'There is one filter: kind=fault or kind=variant.');
  }
  const all = await choosing.list();
  const found = all.filter((one) => kind === null || one.kind === kind);
  return { status: 200, body: { faults: found.map((one) => ({ ...one })) } };
}

function requests(query: URLSearchParams, journal: RequestJournal, gateway: Gateway): ProbeAnswer {
  const filter: { -readonly [Name in keyof RequestFilter]: string } = {};
  for (const [given, value] of query) {
    const name = filterNames.find((known) => known === given);
    if (name === undefined) {
      const known = filterNames.join(', ');
      return problem(400, `There is no filter '${given.slice(0, 80)}'. There are ${known}.`);
    }
    filter[name] = value;
  }
  const wrong = wrongFilter(filter, gateway);
  if (wrong !== null) return problem(400, wrong);
  const found = journal.find(filter);
  return { status: 200, body: { requests: found.map((entry) => ({ ...entry })) } };
}

function putScript(written: string | null, door: ScriptDoor): ProbeAnswer {
  if (written === null) return tooLong;
  try {
    const { rules, warnings } = door.put(written);
    return { status: 200, body: { rules, warnings } };
  } catch (error) {
    return problem(400, error instanceof Error ? error.message : String(error));
  }
}

function problem(status: number, message: string): ProbeAnswer {
  return { status, body: { error: { message } } };
}

/** Maximum size in bytes of a request to a probe. A script of a thousand rules is shorter. */
const longestBody = 256 * 1024;

const tooLong = problem(413, `This takes ${longestBody} bytes at most.`);

/** Returns the body of a request to a probe; null if it exceeds the maximum size. */
async function boundedText(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    // The rest is read so that the sender sees the answer, but it is discarded.
    if (length <= longestBody) pieces.push(piece);
    if (length > 4 * longestBody) return null;
  }
  return length > longestBody ? null : Buffer.concat(pieces).toString();
}
