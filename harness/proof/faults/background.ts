import { type Defect, Refusal, type ResponseTurn } from '../../reference/index.ts';
import { decide, relax, remembering, tighten } from '../decisions.ts';
import { changed, set, without } from '../editing.ts';
import {
  bodies,
  buffered,
  created,
  createdAndLookedUp,
  creationModeOf,
  handledAtTheEnd,
  handling,
  lookedUp,
  responseAt,
  together,
} from '../planting.ts';
import { failsLater } from '../variants/refusals.ts';
import type { Fault } from './fault.ts';

// Runs in the background: how they start, what a lookup shows of them, how they end.

/** Background responses that are polled, and not followed as a stream. */
function isUnstreamed(turn: ResponseTurn): boolean {
  return creationModeOf(turn) === 'background' && !turn.parts.request.stream;
}

/** The answer to a background request comes when the run has ended. */
const waits: Defect['override'] = ({ transport }) => ({
  transport: {
    async send(out, head, body, context) {
      const turn = context.record?.turn;
      const isCreation =
        turn && creationModeOf(turn) === 'background' && context.call.operation === created[0];
      if (!isCreation) return transport.send(out, head, body, context);
      await turn.run.settled;
      return transport.send(out, head, JSON.stringify(turn.response()), context);
    },
  },
});

const backgroundOwnFaults: readonly Fault[] = [
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
    id: 'background.undocumented-between',
    what: 'A lookup of a background response that still runs shows the status `working`.',
    breaks: ['background/runs.polling-ends'],
    override: responseAt(lookedUp, 'background', (body, turn) =>
      isUnstreamed(turn) && body.status === 'in_progress' ? set(body, 'status', 'working') : body,
    ),
  },
  {
    id: 'background.fails-without-reason',
    what: 'A lookup of a background response that has completed shows it as failed, without an error.',
    breaks: ['everywhere/answers.failure-has-error'],
    shownBy: ['background/runs.polling-ends'],
    override: responseAt(lookedUp, 'background', (body, turn) =>
      isUnstreamed(turn) && body.status === 'completed' ? set(body, 'status', 'failed') : body,
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

const cancelled = ['responses.cancel'] as const;

/** A cancel after the end changes the status that is shown. */
const finishedTurnsCancelled: Defect['override'] = (seams) => {
  const late = new Set<string>();
  const changing = responseAt([...cancelled, ...lookedUp], 'background', (body, { parts }) =>
    late.has(parts.id) ? set(body, 'status', 'cancelled') : body,
  );
  return {
    ...changing(seams),
    policy: {
      cancelStops: (record, call) => {
        if (record.turn?.status === 'completed') late.add(record.id);
        return seams.policy.cancelStops(record, call);
      },
    },
  };
};

/** A cancel that sets the status, and leaves the run alone. */
const shownAsCancelled: Defect['override'] = (seams) => {
  const asked = new Set<string>();
  const changing = responseAt([...cancelled, ...lookedUp], 'background', (body, { parts }) =>
    asked.has(parts.id) ? set(body, 'status', 'cancelled') : body,
  );
  return {
    ...changing(seams),
    policy: {
      cancelStops: ({ id, turn }) => {
        if (turn?.finished !== true) asked.add(id);
        return false;
      },
    },
  };
};

const cancelFaults: readonly Fault[] = [
  {
    id: 'cancel.needs-body',
    what: 'A cancel without a request body is refused.',
    breaks: ['background/cancel.no-body-served'],
    override: handling('responses.cancel', (handle) => (call, key) => {
      const { 'content-length': length = '0' } = call.headers;
      if (length !== '0') return handle(call, key);
      throw new Refusal('empty-body', 'The request body is empty; send a JSON object.');
    }),
  },
  {
    id: 'cancel.changes-nothing',
    what: 'A cancel is served, and the run goes on.',
    breaks: ['background/cancel.stops-run', 'background/cancel.run-ends'],
    override: () => ({ policy: { cancelStops: () => false } }),
  },
  {
    id: 'cancel.changes-nothing-unseen',
    what: 'A cancel is served, and the run goes on; every stream comes in one piece, at its end.',
    breaks: ['background/cancel.stops-run', 'background/cancel.run-ends'],
    override: together(buffered, () => ({ policy: { cancelStops: () => false } })),
  },
  {
    id: 'cancel.answered-at-the-end',
    what: 'A cancel is answered when the run has ended by itself, and stops nothing.',
    breaks: ['background/cancel.run-ends'],
    override: handledAtTheEnd('responses.cancel'),
  },
  {
    id: 'cancel.hides-the-run',
    what: 'A cancelled response is shown as cancelled, and the run goes on.',
    breaks: ['background/cancel.run-ends'],
    override: shownAsCancelled,
  },
  {
    id: 'cancel.removes-it',
    what: 'A cancelled response cannot be looked up any more.',
    breaks: ['background/cancel.still-stored'],
    override: (seams) => {
      const removed = new Set<string>();
      return together(
        decide('cancelStops', (native) => (record, call) => {
          if (record.turn?.finished !== true) removed.add(record.id);
          return native(record, call);
        }),
        tighten('isNotDeleted', (access) => removed.has(access.record.id)),
      )(seams);
    },
  },
  {
    id: 'cancel.only-answers-cancelled',
    what: 'A cancel is answered with the status `cancelled`, and the run goes on.',
    breaks: ['background/cancel.stops-run', 'background/cancel.run-ends'],
    override: (seams) => ({
      ...responseAt(cancelled, 'background', (body) => set(body, 'status', 'cancelled'))(seams),
      policy: { cancelStops: () => false },
    }),
  },
  {
    id: 'cancel.says-completed',
    what: 'A cancel is answered with the status `completed`, and the run goes on.',
    breaks: ['background/cancel.stops-run'],
    override: (seams) => ({
      ...responseAt(cancelled, 'background', (body) => set(body, 'status', 'completed'))(seams),
      policy: { cancelStops: () => false },
    }),
  },
  {
    id: 'cancel.shows-completed',
    what: 'Lookups show a cancelled response as completed.',
    breaks: ['background/cancel.stops-run'],
    override: responseAt(lookedUp, 'background', (body) =>
      body.status === 'cancelled' ? set(body, 'status', 'completed') : body,
    ),
  },
  {
    id: 'cancel.shows-failed',
    what: 'Lookups show a cancelled response as failed.',
    breaks: ['background/cancel.stops-run'],
    override: responseAt(lookedUp, 'background', (body) =>
      body.status === 'cancelled' ? set(body, 'status', 'failed') : body,
    ),
  },
  {
    id: 'cancel.short-answer',
    what: 'A cancel is answered with the id and the status alone.',
    breaks: ['background/cancel.shape'],
    override: responseAt(cancelled, 'background', ({ id, object, status }) => ({
      id,
      object,
      status,
    })),
  },
  {
    id: 'cancel.other-id',
    what: 'A cancel is answered with another id.',
    breaks: ['background/cancel.shape'],
    override: responseAt(cancelled, 'background', (body) => set(body, 'id', `${body.id}_cancel`)),
  },
  {
    id: 'cancel.once-only',
    what: 'A second cancel is refused.',
    breaks: ['background/cancel.repeat-served'],
    override: tighten('cancellable', (record) => record.turn?.status === 'cancelled'),
  },
  {
    id: 'cancel.completed-too',
    what: 'Cancelling a completed response makes it a cancelled one.',
    breaks: ['background/cancel.finished-unchanged'],
    override: finishedTurnsCancelled,
  },
  {
    id: 'cancel.foreground-too',
    what: 'A response that did not run in the background can be cancelled.',
    breaks: ['background/cancel.foreground-refused'],
    override: () => ({ policy: { cancellable: () => true } }),
  },
];

// A cancel that stops other responses, too.

/** Without the streamed ones, so that other checks are still judged. */
const allCancelled = remembering(
  ({ body }) => body.background === true && body.stream !== true,
  (made) =>
    decide('cancelStops', (native) => (record, call) => {
      for (const id of made.keys()) {
        const other = call.gateway.store.peek(id);
        if (other?.owner === record.owner) other.turn?.cancel();
      }
      return native(record, call);
    }),
);

const cancelsAllFaults: readonly Fault[] = [
  {
    id: 'cancel.cancels-all',
    what: 'Cancelling one response cancels all that the user has running, but for their streams.',
    breaks: ['background/cancel.leaves-others'],
    override: allCancelled,
  },
];

/** The last lookups of a background response that has ended show another text each. */
const restless: Defect['override'] = (seams) => {
  const seen = new Map<unknown, number>();
  return bodies('responses.response', (body, { call, record }) => {
    if (call.operation !== 'responses.lookup' || record?.background !== true) return body;
    if (body.status !== 'completed' && body.status !== 'incomplete') return body;
    const times = (seen.get(body.id) ?? 0) + 1;
    seen.set(body.id, times);
    const said = 'output.0.content.0.text';
    return changed(body, said, (text) => `${text}${' And so on.'.repeat(times - 1)}`);
  })(seams);
};

/** However soon the run ends: the lookup that comes first still says that it runs. */
const endedAtFirst: Defect['override'] = (seams) => {
  const seen = new Set<unknown>();
  return responseAt(createdAndLookedUp, 'background', (body, _turn, { call }) => {
    if (call.operation === 'responses.create') return set(body, 'status', 'completed');
    if (seen.has(body.id)) return body;
    seen.add(body.id);
    return set(body, 'status', 'in_progress');
  })(seams);
};

const shownFaults: readonly Fault[] = [
  {
    id: 'background.offers-foreground',
    what: 'A creation in the background is answered with `background: false`.',
    breaks: ['background/runs.accepted'],
    override: responseAt(['responses.create'], 'background', (body) =>
      set(body, 'background', false),
    ),
  },
  {
    id: 'background.restless-text',
    what: 'Each lookup of a background response that has ended shows a longer text.',
    breaks: ['background/runs.same-response'],
    override: restless,
  },
  {
    id: 'background.id-of-its-own',
    what: 'A lookup of a background response shows it under another id.',
    breaks: ['background/runs.same-response'],
    override: responseAt(['responses.lookup'], 'background', (body) =>
      set(body, 'id', `${body.id}_run`),
    ),
  },
  {
    id: 'background.ended-at-first',
    what: 'The first answer says that a background response is completed; the next that it runs.',
    breaks: ['background/runs.terminal-status-kept'],
    override: endedAtFirst,
  },
  {
    id: 'background.fails-silently',
    what: 'A background response that fails later has no error.',
    breaks: ['generation/responses.status-explained'],
    shownBy: ['access/protocols.unknown-model-refused:responses'],
    override: together(
      failsLater,
      bodies('responses.response', (body) =>
        body.status === 'failed' ? set(body, 'error', null) : body,
      ),
    ),
  },
];

export const backgroundFaults: readonly Fault[] = [
  ...shownFaults,
  ...backgroundOwnFaults,
  ...cancelFaults,
  ...cancelsAllFaults,
];
