import { set } from '../reference/editing.ts';
import { type EndpointName, endpoints } from '../reference/endpoint-names.ts';
import { responseAt } from '../reference/faults/response-bodies.ts';
import type { JsonObject } from '../reference/json.ts';
import { bodies, endpointOf, together } from '../reference/planting.ts';
import type { Context, Defect } from '../reference/seams.ts';

/**
 * Gateways that are no worse than others, and have trouble just then. A check that cannot tell has to
 * say so, and not to blame anybody.
 */
export const troubles: readonly Defect[] = [
  ...endpoints.map((endpoint) => busyAt(endpoint, 0)),
  // What a check builds on is served, and then no more.
  ...endpoints.map((endpoint) => busyAt(endpoint, 1)),
  everyRun('fails', { status: 'failed', error: { code: 'server_error', message: 'later' } }),
  everyRun('fails-silently', { status: 'failed', error: null }),
  ...['completed', 'incomplete', 'failed', 'cancelled'].flatMap((status) => [
    endedBefore(status, false),
    endedBefore(status, true),
  ]),
  {
    id: 'deletes-like-a-lookup',
    what: 'A deletion is answered as a lookup is.',
    override: bodies('responses.deleted', ({ id = '' }) => ({
      id,
      object: 'response',
      output: [],
    })),
  },
  {
    id: 'ledger-silent',
    what: 'The ledger knows of nothing.',
    override: () => ({ policy: { financialRecords: () => [] } }),
  },
  {
    id: 'ledger-free',
    what: 'The ledger charges nothing.',
    override: () => ({ policy: { charge: () => 0 } }),
  },
  {
    id: 'ledger-blank',
    what: 'The ledger has neither usage nor charges.',
    override: ({ policy }) => ({
      policy: {
        charge: () => 0,
        financialRecords: (record, gateway) =>
          policy
            .financialRecords(record, gateway)
            .map((one) => ({ ...one, inputTokens: 0, outputTokens: 0 })),
      },
    }),
  },
];

function everyRun(comes: string, to: JsonObject): Defect {
  return {
    id: `every-run-${comes}`,
    what: 'Every response says that its run has failed.',
    override: bodies('responses.response', (body) => ({ ...body, ...to })),
  };
}

/** @param refuses what has ended is not cancelled any more */
function endedBefore(status: string, refuses: boolean): Defect {
  const seen = responseAt(['responses.cancel', 'responses.lookup'], 'background', (body) =>
    set(body, 'status', status),
  );
  const refused = answeringAt(({ call }) => endpointOf(call) === 'cancel', 400);
  return {
    id: `ended-before:${status}${refuses ? ':refused' : ''}`,
    what: 'A background run has ended before anything can be done about it.',
    override: refuses ? together(seen, refused) : seen,
  };
}

/** @param served so many requests to the endpoint are served before it is busy */
function busyAt(endpoint: EndpointName, served: number): Defect {
  return {
    id: `busy:${endpoint}${served === 0 ? '' : `:after-${served}`}`,
    what: 'One endpoint has no time for anybody.',
    override: (seams) => {
      let asked = 0;
      return answeringAt(
        ({ call }) => endpointOf(call) === endpoint && ++asked > served,
        429,
      )(seams);
    },
  };
}

function answeringAt(fits: (context: Context) => boolean, status: number): Defect['override'] {
  const body = JSON.stringify({ error: { type: 'rate_limit_error', message: 'later' } });
  const head = { status, headers: { 'content-type': 'application/json' } };
  return ({ transport }) => ({
    transport: {
      send: (out, given, text, context) =>
        fits(context)
          ? transport.send(out, head, body, context)
          : transport.send(out, given, text, context),
      stream: (out, given, pieces, context) =>
        fits(context)
          ? transport.send(out, head, body, context)
          : transport.stream(out, given, pieces, context),
    },
  });
}
