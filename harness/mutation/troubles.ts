import { set } from '../reference/editing.ts';
import { type EndpointName, endpoints } from '../reference/endpoint-names.ts';
import { responseAt } from '../reference/faults/response-bodies.ts';
import { bodies, endpointOf } from '../reference/planting.ts';
import type { Context, Defect } from '../reference/seams.ts';

/**
 * Gateways that are no worse than others, and have trouble just then. A check that cannot tell has to
 * say so, and not to blame anybody.
 */
export const troubles: readonly Defect[] = [
  ...endpoints.map((endpoint) => busyAt(endpoint, 0)),
  // What a check builds on is served, and then no more.
  ...endpoints.map((endpoint) => busyAt(endpoint, 1)),
  {
    id: 'every-run-fails',
    what: 'Every response says that its run has failed.',
    override: bodies('responses.response', (body) => ({
      ...body,
      status: 'failed',
      error: { code: 'server_error', message: 'later' },
    })),
  },
  ...['completed', 'incomplete', 'failed'].map((status) => ({
    id: `ended-before:${status}`,
    what: 'A background run has ended before anything can be done about it.',
    override: responseAt(['responses.cancel', 'responses.lookup'], 'background', (body) =>
      set(body, 'status', status),
    ),
  })),
];

/** @param served so many requests to the endpoint are served before it is busy */
function busyAt(endpoint: EndpointName, served: number): Defect {
  const body = JSON.stringify({ error: { type: 'rate_limit_error', message: 'later' } });
  const head = { status: 429, headers: { 'content-type': 'application/json' } };
  return {
    id: `busy:${endpoint}${served === 0 ? '' : `:after-${served}`}`,
    what: 'One endpoint has no time for anybody.',
    override: ({ transport }) => {
      let asked = 0;
      const isBusy = ({ call }: Context): boolean =>
        endpointOf(call) === endpoint && ++asked > served;
      return {
        transport: {
          send: (out, given, text, context) =>
            isBusy(context)
              ? transport.send(out, head, body, context)
              : transport.send(out, given, text, context),
          stream: (out, given, pieces, context) =>
            isBusy(context)
              ? transport.send(out, head, body, context)
              : transport.stream(out, given, pieces, context),
        },
      };
    },
  };
}
