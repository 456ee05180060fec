import { Refusal } from '../../reference/refusal.ts';
import type { ResponseTurn } from '../../reference/responses/turn.ts';
import type { Defect } from '../../reference/seams.ts';
import { relax, tighten } from '../decisions.ts';
import { set, without } from '../editing.ts';
import { handling, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { created, lookedUp, originOf, responseAt } from './response-bodies.ts';

// Runs in the background: how they start, what a lookup shows of them, how they end.

/** Background responses that are polled, and not followed as a stream. */
function isUnstreamed(turn: ResponseTurn): boolean {
  return originOf(turn) === 'background' && !turn.parts.request.stream;
}

/** The answer to a background request comes when the run has ended. */
const waits: Defect['override'] = ({ transport }) => ({
  transport: {
    async send(out, head, body, context) {
      const turn = context.record?.turn;
      const isCreation =
        turn && originOf(turn) === 'background' && context.call.operation === created[0];
      if (!isCreation) return transport.send(out, head, body, context);
      await turn.run.settled;
      return transport.send(out, head, JSON.stringify(turn.response()), context);
    },
  },
});

export const backgroundFaults: readonly Fault[] = [
  {
    id: 'background.undocumented-status',
    what: 'A background run is accepted with the status `pending`.',
    breaks: ['background/runs.accepted'],
    override: responseAt(created, 'background', (body) => set(body, 'status', 'pending')),
  },
  {
    id: 'background.no-status',
    what: 'A background run is accepted without a status.',
    breaks: ['background/runs.accepted'],
    override: responseAt(created, 'background', (body) => without(body, 'status')),
  },
  {
    id: 'background.waits',
    what: 'The answer to a background request comes when the run has ended.',
    breaks: ['background/runs.pending-first'],
    override: waits,
  },
  {
    id: 'background.waits-and-cancels-in-time-only',
    what: 'A background request is answered when its run has ended, and a cancel after that is refused.',
    breaks: ['background/runs.pending-first'],
    override: together(
      waits,
      handling('responses.cancel', (handle) => async (call, key) => {
        const status = call.gateway.store.peek(call.params.id ?? '')?.turn?.status;
        const answer = await handle(call, key);
        if (status !== 'completed' && status !== 'incomplete') return answer;
        throw new Refusal('not-cancellable', `Cannot cancel a ${status} response.`);
      }),
    ),
  },
  {
    id: 'background.first-lookup-misses',
    what: 'The first lookup of a background response does not find it yet.',
    breaks: ['background/runs.polling-ends'],
    override: ({ policy }) => {
      const found = new Set<string>();
      return {
        policy: {
          isStored: (access) => {
            const { id, turn } = access.record;
            if (access.operation === 'lookup' && turn && isUnstreamed(turn) && !found.has(id)) {
              found.add(id);
              return false;
            }
            return policy.isStored(access);
          },
        },
      };
    },
  },
  {
    id: 'background.undocumented-between',
    what: 'A lookup of a background response that still runs shows the status `working`.',
    breaks: ['background/runs.polling-ends'],
    override: responseAt(lookedUp, 'background', (body, turn) =>
      isUnstreamed(turn) && body.status === 'in_progress' ? set(body, 'status', 'working') : body,
    ),
  },
  {
    id: 'background.succeeded',
    what: 'A background run that has completed has the status `succeeded`.',
    breaks: ['background/runs.polling-ends'],
    override: responseAt(lookedUp, 'background', (body, turn) =>
      isUnstreamed(turn) && body.status === 'completed' ? set(body, 'status', 'succeeded') : body,
    ),
  },
  {
    id: 'background.stale-replica',
    what: 'Every second lookup of a finished background response shows it in progress again.',
    breaks: ['background/runs.terminal-status-kept'],
    override: (seams) => {
      const seen = new Map<string, number>();
      return responseAt(lookedUp, 'background', (body, turn) => {
        if (body.status !== 'completed' || !isUnstreamed(turn)) return body;
        const { id } = turn.parts;
        const lookups = seen.get(id) ?? 0;
        seen.set(id, lookups + 1);
        return lookups % 2 === 1 ? set(body, 'status', 'in_progress') : body;
      })(seams);
    },
  },
  {
    id: 'background.streamed-never-ends',
    what: 'Lookups of a background response that is streamed show it in progress for ever.',
    breaks: ['background/runs.ends-with-its-stream'],
    override: responseAt(lookedUp, 'background', (body, turn) =>
      isUnstreamed(turn) ? body : set(body, 'status', 'in_progress'),
    ),
  },
  {
    id: 'background.output-lost',
    what: 'A completed background response has no output.',
    breaks: ['background/runs.result-complete'],
    override: responseAt(lookedUp, 'background', (body, turn) =>
      isUnstreamed(turn) ? set(body, 'output', []) : body,
    ),
  },
  {
    id: 'background.result-without-model',
    what: 'A finished background response does not name its model.',
    breaks: ['background/runs.result-complete'],
    override: responseAt(lookedUp, 'background', (body, { finished }) =>
      finished ? without(body, 'model') : body,
    ),
  },
  {
    id: 'background.unstored',
    what: '`background: true` with `store: false` is served.',
    breaks: ['background/runs.needs-store'],
    override: relax('backgroundAllowed', (execution) => !execution.store),
  },
  {
    id: 'background.stream-ignored',
    what: 'A background request with `stream: true` is answered with one JSON body.',
    breaks: ['background/runs.streams'],
    override: tighten('wantsStream', (body) => body.background === true),
  },
];
