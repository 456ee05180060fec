import { setTimeout as sleep } from 'node:timers/promises';
import {
  bodies,
  eachData,
  eachEvent,
  endpointOf,
  handling,
  lookedUp,
  responseAt,
  set,
  together,
} from '../../proof/index.ts';
import {
  type Context,
  type Defect,
  type EndpointName,
  endpoints,
  type JsonObject,
} from '../../reference/index.ts';
import { answerTroubles } from './answer-troubles.ts';
import { answeringAt } from './answering-at.ts';
import { listingTroubles } from './listing-troubles.ts';

/**
 * Gateways that are no worse than others, and have trouble just then. A check that cannot tell has to
 * say so, and not to blame anybody.
 */
export const troubles: readonly Defect[] = [
  ...endpoints.map((endpoint) => busyAt(endpoint, 0)),
  // The prerequisite of a check is served once, and refused from then on.
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
    id: 'stops-too-late',
    what: 'What is to be stopped has ended before it is, and everybody has seen that.',
    override: together(waitingForTheEnd('responses.cancel'), waitingForTheEnd('responses.delete')),
  },
  {
    id: 'status-flickers',
    what: 'Each other lookup says that a background response is in progress when it has ended.',
    override: (seams) => {
      const lookups = new Map<string, number>();
      return responseAt(lookedUp, 'background', (body, { parts, finished }) => {
        if (!finished) return body;
        const before = lookups.get(parts.id) ?? 0;
        lookups.set(parts.id, before + 1);
        return before % 2 === 0 ? body : set(body, 'status', 'in_progress');
      })(seams);
    },
  },
  {
    id: 'text-comes-late',
    what: 'Twice a lookup says that a background response is complete, and does not show its text yet.',
    override: (seams) => {
      const lookups = new Map<string, number>();
      return responseAt(lookedUp, 'background', (body, { parts, finished }) => {
        if (!finished) return body;
        const before = lookups.get(parts.id) ?? 0;
        lookups.set(parts.id, before + 1);
        return before < 2 ? set(body, 'output', []) : body;
      })(seams);
    },
  },
  ...answerTroubles,
  {
    id: 'lacks-for-now',
    what: 'What a channel lacks is answered with 503, and with when to try again.',
    override: ({ encode }) => ({
      encode: {
        status: (kind, status, context) =>
          isUnsupported(context) ? 503 : encode.status(kind, status, context),
        headers: (kind, headers, context) => ({
          ...encode.headers(kind, headers, context),
          ...(isUnsupported(context) ? { 'retry-after': '5' } : {}),
        }),
      },
    }),
  },
  {
    id: 'counts-as-text',
    what: 'A count comes as a text.',
    override: together(
      bodies('responses.input-tokens', (body) => set(body, 'input_tokens', `${body.input_tokens}`)),
      bodies('messages.count', (body) => set(body, 'input_tokens', `${body.input_tokens}`)),
      bodies('generative.count', (body) => set(body, 'totalTokens', `${body.totalTokens}`)),
    ),
  },
  {
    id: 'deltas-astray',
    what: 'Streams contradict themselves: deltas are in capitals, and nothing else is.',
    override: eachData('responses', (data) =>
      typeof data.delta === 'string' ? { ...data, delta: data.delta.toUpperCase() } : data,
    ),
  },
  {
    id: 'ends-twice',
    what: 'The last event of a stream comes twice.',
    override: eachEvent('responses', ({ over }) => (event) => {
      const ends = /^response\.(completed|incomplete)$/.test(event.name ?? '');
      return ends && over === 'sse' ? [event, event] : event;
    }),
  },
  {
    id: 'turns-refused',
    what: 'Every turn on a connection gets an error frame.',
    override: ({ policy }) => ({
      policy: {
        supports: (model, capability, call) =>
          call.operation !== 'responses.websocket' && policy.supports(model, capability, call),
      },
    }),
  },
  turnFails(2),
  turnFails(4),
  {
    id: 'turn-too-soon',
    what: 'The first turn behind a frame that is no JSON gets an error frame, too.',
    override: ({ policy }) => {
      const hurt = new Set<string>();
      return {
        policy: {
          insists: (refusal, call) => {
            if (refusal.reason === 'malformed-json') hurt.add(call.requestId);
            return policy.insists(refusal, call);
          },
          supports: (model, capability, call) =>
            !(call.operation === 'responses.websocket' && hurt.delete(call.requestId)) &&
            policy.supports(model, capability, call),
        },
      };
    },
  },
  ...listingTroubles,
  {
    id: 'prompt-blocked',
    what: 'Every prompt of generative-content is blocked.',
    override: bodies('generative.response', () => ({
      promptFeedback: { blockReason: 'SAFETY' },
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
  const seen = responseAt(['responses.cancel', 'responses.lookup'], 'background', (body) => ({
    ...body,
    status,
    // A failed response may have no output.
    ...(status === 'failed' ? { output: [] } : {}),
  }));
  const refused = answeringAt(({ call }) => endpointOf(call) === 'cancel', 400);
  return {
    id: `ended-before:${status}${refuses ? ':refused' : ''}`,
    what: 'A background run has ended before anything can be done about it.',
    override: refuses ? together(seen, refused) : seen,
  };
}

/** @param n counted on its connection, from one */
function turnFails(n: number): Defect {
  return {
    id: `turn-fails:${n}`,
    what: `Turn ${n} of each connection fails.`,
    override: (seams) => {
      const ended = new Map<string, number>();
      return eachEvent('responses', ({ over, call: { requestId } }) => (event) => {
        const { name, data } = event;
        if (over === 'sse' || typeof data === 'string') return event;
        if (!/^(error|response\.(completed|incomplete))$/.test(name ?? '')) return event;
        const turns = (ended.get(requestId) ?? 0) + 1;
        ended.set(requestId, turns);
        if (turns !== n) return event;
        const error = { code: 'server_error', message: 'later' };
        const response = { object: 'response', ...Object(data.response), status: 'failed', error };
        const type = 'response.failed';
        return { name: type, data: { type, sequence_number: data.sequence_number ?? 0, response } };
      })(seams);
    },
  };
}

/** A response is only stopped when its run has ended, and its stream has told so. */
function waitingForTheEnd(operation: 'responses.cancel' | 'responses.delete'): Defect['override'] {
  return handling(operation, (handle) => async (call, key) => {
    await call.gateway.store.peek(call.params.id ?? '')?.turn?.run.settled;
    await sleep(50);
    return handle(call, key);
  });
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

function isUnsupported({ refusal }: Context): boolean {
  return refusal?.reason === 'unsupported-capability';
}
