import { set, without } from '../editing.ts';
import type { Fault } from './fault.ts';
import { created, lookedUp, originOf, responseAt } from './response-bodies.ts';

// Runs in the background: how they start, what a lookup shows of them, how they end.

/** What needs a background response whose events can be followed. */
const needsBackgroundStream = [
  'responses/recover.only-later-events',
  'responses/recover.completes-the-text',
  'responses/recover.past-the-end',
  'responses/recover.from-the-start',
  'responses/recover.bad-value-refused',
  'responses/delete.cancels-running',
  'rules/interruption.cut-stream-is-stored:background',
  'rules/interruption.cut-stream-recovers',
  'rules/owners.same-user-served:recover',
];

export const backgroundFaults: readonly Fault[] = [
  {
    id: 'background.undocumented-status',
    what: 'A background run is accepted with the status `pending`.',
    breaks: ['responses/background.accepted'],
    // It is neither of the two that are expected first.
    mayAlso: ['responses/background.pending-first'],
    override: responseAt(created, 'background', (body) => set(body, 'status', 'pending')),
  },
  {
    id: 'background.no-status',
    what: 'A background run is accepted without a status.',
    breaks: ['responses/background.accepted'],
    mayAlso: ['responses/background.pending-first'],
    override: responseAt(created, 'background', (body) => without(body, 'status')),
  },
  {
    id: 'background.waits',
    what: 'The answer to a background request comes when the run has ended.',
    breaks: ['responses/background.pending-first'],
    override: ({ transport }) => ({
      transport: {
        async send(out, head, body, context) {
          const turn = context.record?.turn;
          const waits =
            turn && originOf(turn) === 'background' && context.call.operation === created[0];
          if (!waits) return transport.send(out, head, body, context);
          await turn.run.settled;
          return transport.send(out, head, JSON.stringify(turn.response()), context);
        },
      },
    }),
  },
  {
    id: 'background.hidden-while-running',
    what: 'A background response is not found until it has ended.',
    breaks: ['responses/background.polled-to-the-end'],
    // What looks in the meantime finds nothing.
    mayAlso: [
      'responses/cancel.no-body-served',
      'responses/background.settles',
      'rules/interruption.cut-stream-is-stored:background',
    ],
    override: ({ policy }) => ({
      policy: {
        isStored: ({ operation, ...access }) => {
          const { turn } = access.record;
          const hidden =
            operation === 'lookup' && turn && originOf(turn) === 'background' && !turn.finished;
          return !hidden && policy.isStored({ operation, ...access });
        },
      },
    }),
  },
  {
    id: 'background.stale-replica',
    what: 'Every second lookup of a finished background response shows it in progress again.',
    breaks: ['responses/background.settles'],
    override: (seams) => {
      const seen = new Map<string, number>();
      return responseAt(lookedUp, 'background', (body, { parts }) => {
        if (body.status !== 'completed') return body;
        const lookups = seen.get(parts.id) ?? 0;
        seen.set(parts.id, lookups + 1);
        return lookups % 2 === 1 ? set(body, 'status', 'in_progress') : body;
      })(seams);
    },
  },
  {
    id: 'background.output-lost',
    what: 'A completed background response has no output.',
    breaks: ['responses/background.result-whole'],
    // The text of a recovered stream cannot be compared with what is gone.
    mayAlso: ['responses/recover.completes-the-text'],
    override: responseAt(lookedUp, 'background', (body) => set(body, 'output', [])),
  },
  {
    id: 'background.result-without-model',
    what: 'A finished background response does not name its model.',
    breaks: ['responses/background.result-whole'],
    override: responseAt(lookedUp, 'background', (body, { finished }) =>
      finished ? without(body, 'model') : body,
    ),
  },
  {
    id: 'background.unstored',
    what: '`background: true` with `store: false` is served.',
    breaks: ['responses/background.needs-store'],
    override: ({ policy }) => ({
      policy: {
        backgroundAllowed: (execution, call) =>
          !execution.store || policy.backgroundAllowed(execution, call),
      },
    }),
  },
  {
    id: 'background.stream-ignored',
    what: 'A background request with `stream: true` is answered with one JSON body.',
    breaks: ['responses/background.streams'],
    mayAlso: needsBackgroundStream,
    override: ({ policy }) => ({
      policy: {
        wantsStream: (body, call) => body.background !== true && policy.wantsStream(body, call),
      },
    }),
  },
];
