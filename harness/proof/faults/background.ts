import { type Defect, Refusal, type ResponseTurn } from '../../reference/index.ts';
import { decide, forgiving, inUs, relax, remembering, tighten } from '../decisions.ts';
import { changed, dropping, replacing, set, setting, without } from '../editing.ts';
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
  responseIn,
  seam,
  together,
} from '../planting.ts';
import { failsLater } from '../variants/refusals.ts';
import type { Fault } from './fault.ts';
import { planted } from './planted.ts';

const inCreated = responseIn(created, 'background');
const inLookups = responseIn(lookedUp, 'background');

// Background runs: their start, lookups and end.

/** True for background responses that are polled rather than streamed. */
function isUnstreamed(turn: ResponseTurn): boolean {
  return creationModeOf(turn) === 'background' && !turn.parts.request.stream;
}

/** Answers a background request only after the end of the run. */
const waits: Defect['override'] = seam(
  'transport',
  'send',
  (native) => async (out, head, body, context) => {
    const turn = context.record?.turn;
    const isCreation =
      turn && creationModeOf(turn) === 'background' && context.call.operation === created[0];
    if (!isCreation) return native(out, head, body, context);
    await turn.run.settled;
    return native(out, head, JSON.stringify(turn.response()), context);
  },
);

const cancelled = ['responses.cancel'] as const;

/** Changes the shown status by a cancel after the end. */
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

/** Sets the status on a cancel, without stopping the run. */
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

// A cancel that also stops other responses.

/** Excludes the streamed ones, so that other checks are still judged. */
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

/** Shows a different text in each of the last lookups of an ended background response. */
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

/** Shows a running status in the first lookup, regardless of the run's end. */
const endedAtFirst: Defect['override'] = (seams) => {
  const seen = new Set<unknown>();
  return responseAt(createdAndLookedUp, 'background', (body, _turn, { call }) => {
    if (call.operation === 'responses.create') return set(body, 'status', 'completed');
    if (seen.has(body.id)) return body;
    seen.add(body.id);
    return set(body, 'status', 'in_progress');
  })(seams);
};

export const backgroundFaults: readonly Fault[] = [
  ...planted({
    'background.offers-foreground': inCreated(setting('background', false)),
    'background.restless-text': restless,
    'background.id-of-its-own': inLookups((body) => set(body, 'id', `${body.id}_run`)),
    'background.ended-at-first': endedAtFirst,
    'background.fails-silently': together(
      failsLater,
      bodies('responses.response', (body) =>
        body.status === 'failed' ? set(body, 'error', null) : body,
      ),
    ),
  }),
  ...planted({
    'background.undocumented-status': inCreated(setting('status', 'pending')),
    'background.no-status': inCreated(dropping('status')),
    'background.waits': waits,
    'background.waits-and-cancels-in-time-only': together(
      waits,
      handling('responses.cancel', (handle) => async (call, key) => {
        const status = call.gateway.store.peek(call.params.id ?? '')?.turn?.status;
        const answer = await handle(call, key);
        if (status !== 'completed' && status !== 'incomplete') return answer;
        throw new Refusal('not-cancellable', `Cannot cancel a ${status} response.`);
      }),
    ),
    'background.undocumented-between': inLookups((body, turn) =>
      isUnstreamed(turn) && body.status === 'in_progress' ? set(body, 'status', 'working') : body,
    ),
    'background.fails-without-reason': inLookups((body, turn) =>
      isUnstreamed(turn) && body.status === 'completed' ? set(body, 'status', 'failed') : body,
    ),
    'background.succeeded': inLookups((body, turn) =>
      isUnstreamed(turn) && body.status === 'completed' ? set(body, 'status', 'succeeded') : body,
    ),
    'background.stale-replica': (seams) => {
      const seen = new Map<string, number>();
      return inLookups((body, turn) => {
        if (body.status !== 'completed' || !isUnstreamed(turn)) return body;
        const { id } = turn.parts;
        const lookups = seen.get(id) ?? 0;
        seen.set(id, lookups + 1);
        return lookups % 2 === 1 ? set(body, 'status', 'in_progress') : body;
      })(seams);
    },
    'background.streamed-never-ends': inLookups((body, turn) =>
      isUnstreamed(turn) ? body : set(body, 'status', 'in_progress'),
    ),
    'background.output-lost': inLookups((body, turn) =>
      isUnstreamed(turn) ? set(body, 'output', []) : body,
    ),
    'background.result-without-model': inLookups((body, { finished }) =>
      finished ? without(body, 'model') : body,
    ),
    'background.unstored-over-websocket': forgiving(
      ({ param }, { operation }) => operation === 'responses.websocket' && param === 'background',
    ),
    'background.unstored': relax('backgroundAllowed', (execution) => !execution.store),
    'background.stream-ignored': tighten('wantsStream', (body) => body.background === true),
  }),
  ...planted({
    'cancel.needs-body': handling('responses.cancel', (handle) => (call, key) => {
      const { 'content-length': length = '0' } = call.headers;
      if (length !== '0') return handle(call, key);
      throw new Refusal('empty-body', 'The request body is empty; send a JSON object.');
    }),
    'cancel.changes-nothing': () => ({ policy: { cancelStops: () => false } }),
    'cancel.changes-nothing-in-us': inUs(tighten('cancelStops', () => true)),
    'cancel.changes-nothing-unseen': together(buffered, () => ({
      policy: { cancelStops: () => false },
    })),
    'cancel.answered-at-the-end': handledAtTheEnd('responses.cancel'),
    'cancel.hides-the-run': shownAsCancelled,
    'cancel.removes-it': (seams) => {
      const removed = new Set<string>();
      return together(
        decide('cancelStops', (native) => (record, call) => {
          if (record.turn?.finished !== true) removed.add(record.id);
          return native(record, call);
        }),
        tighten('isNotDeleted', (access) => removed.has(access.record.id)),
      )(seams);
    },
    'cancel.only-answers-cancelled': (seams) => ({
      ...responseAt(cancelled, 'background', setting('status', 'cancelled'))(seams),
      policy: { cancelStops: () => false },
    }),
    'cancel.says-completed': (seams) => ({
      ...responseAt(cancelled, 'background', setting('status', 'completed'))(seams),
      policy: { cancelStops: () => false },
    }),
    'cancel.shows-completed': inLookups(replacing('status', 'cancelled', 'completed')),
    'cancel.shows-failed': inLookups(replacing('status', 'cancelled', 'failed')),
    'cancel.short-answer': responseAt(cancelled, 'background', ({ id, object, status }) => ({
      id,
      object,
      status,
    })),
    'cancel.other-id': responseAt(cancelled, 'background', (body) =>
      set(body, 'id', `${body.id}_cancel`),
    ),
    'cancel.once-only': tighten('cancellable', (record) => record.turn?.status === 'cancelled'),
    'cancel.completed-too': finishedTurnsCancelled,
    'cancel.foreground-too': () => ({ policy: { cancellable: () => true } }),
  }),
  ...planted({
    'cancel.cancels-all': allCancelled,
  }),
];
