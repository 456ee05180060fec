import { isDeepStrictEqual } from 'node:util';
import {
  type Call,
  type Defect,
  isArray,
  isObject,
  type Json,
  type Seams,
  type StoredOperation,
  type StoredResponse,
  type StreamContext,
  type StreamEvent,
} from '../../reference/index.ts';
import { decide, tighten } from '../decisions.ts';
import { memberAt, set } from '../editing.ts';
import {
  creationModeOf,
  eachData,
  eachEvent,
  lookedUp,
  responseAt,
  streams,
  together,
} from '../planting.ts';
import type { Fault } from './fault.ts';

// Connections that break.

/** Mode in which a response was requested. */
type Asked = 'background' | 'foreground' | 'websocket';

/** Requests whose client has dropped the stream or the socket. */
interface Dropped {
  /** True if the first stream of a response, requested in this mode, was dropped. */
  has(record: StoredResponse, asked: Asked): boolean;
  /** True if the request with this client id was dropped. */
  asked(clientRequestId: string | null): boolean;
}

const creates = new Set(['responses.create', 'responses.websocket']);

/** Notes which streams were dropped, when it is decided what becomes of their runs. */
export function noting(
  override: (dropped: Dropped, seams: Seams) => ReturnType<Defect['override']>,
): Defect['override'] {
  return (seams) => {
    const calls = new Map<string, Call>();
    const requests = new Set<string>();
    const clientRequests = new Set<string>();
    const replaced = override(
      {
        has: ({ id, background }, asked) => {
          const call = calls.get(id);
          if (call === undefined || !requests.has(call.requestId)) return false;
          if (call.operation === 'responses.websocket') return asked === 'websocket';
          return asked === (background ? 'background' : 'foreground');
        },
        asked: (id) => id !== null && clientRequests.has(id),
      },
      seams,
    );
    return {
      ...replaced,
      encode: {
        id: (prefix, call) => {
          const id = seams.encode.id(prefix, call);
          if (creates.has(call.operation)) calls.set(id, call);
          return id;
        },
      },
      policy: {
        ...replaced.policy,
        outlivesClient: (execution, call) => {
          requests.add(call.requestId);
          if (call.clientRequestId !== null) clientRequests.add(call.clientRequestId);
          return seams.policy.outlivesClient(execution, call);
        },
      },
    };
  };
}

/** One operation no longer finds a response whose stream was dropped. */
function thrownAway(operation: StoredOperation, asked: Asked): Defect['override'] {
  return noting((dropped, { policy }) => ({
    policy: {
      isStored: (access) => {
        const gone = access.operation === operation && dropped.has(access.record, asked);
        return !gone && policy.isStored(access);
      },
    },
  }));
}

const interruptionOwnFaults: readonly Fault[] = [
  {
    id: 'interruption.background-thrown-away',
    what: 'A background response whose stream was dropped cannot be looked up.',
    breaks: ['interruption/connection.cut-stream-is-stored:background'],
    override: thrownAway('lookup', 'background'),
  },
  {
    id: 'interruption.foreground-thrown-away',
    what: 'A stored response whose stream was dropped cannot be looked up.',
    breaks: ['interruption/connection.cut-stream-is-stored:foreground'],
    override: thrownAway('lookup', 'foreground'),
  },
  {
    id: 'interruption.turn-thrown-away',
    what: 'A stored turn whose WebSocket was interrupted cannot be looked up.',
    breaks: ['interruption/connection.cut-stream-is-stored:websocket'],
    override: thrownAway('lookup', 'websocket'),
  },
  {
    id: 'interruption.events-thrown-away',
    what: 'The events of a background stream are gone when its client drops it.',
    breaks: ['interruption/connection.cut-stream-recovers'],
    override: thrownAway('recover', 'background'),
  },
  {
    id: 'interruption.background-stops',
    what: 'A background run is cancelled when its client drops the stream.',
    breaks: ['interruption/connection.background-continues'],
    override: tighten('outlivesClient', (execution) => execution.background && execution.stream),
  },
  {
    id: 'interruption.background-hangs',
    what: 'A background run whose client drops its stream is shown as running for ever.',
    breaks: ['interruption/connection.background-continues'],
    override: (seams) => {
      let known: Dropped | null = null;
      const note = noting((dropped) => {
        known = dropped;
        return {};
      });
      const isDropped = (record: StoredResponse): boolean =>
        known?.has(record, 'background') === true;
      return together(
        note,
        responseAt(lookedUp, 'background', (body, _turn, { record }) =>
          record != null && isDropped(record) ? set(body, 'status', 'in_progress') : body,
        ),
      )(seams);
    },
  },
  {
    id: 'interruption.half-request-charged',
    what: 'A request whose connection breaks in the middle of its body is charged as a generation.',
    breaks: ['interruption/connection.partial-request-free'],
    override: () => ({ policy: { recordsHalfRequest: () => true } }),
  },
];

// Recovering the stream of a background response.

/**
 * Changes the start of a recovery, as an index into the kept events. `last` is the index of the last event.
 */
function beginning(
  from: (startingAfter: number | null, last: number, native: number) => number,
): Defect['override'] {
  return decide('recoversFrom', (original) => (startingAfter, record, call) => {
    const native = original(startingAfter, record, call);
    const { turn } = record;
    if (turn === null || creationModeOf(turn) !== 'background') return native;
    // While it runs, its last event is still to come.
    const last = turn.finished ? turn.eventsSoFar().length - 1 : Number.POSITIVE_INFINITY;
    return from(startingAfter, last, native);
  });
}

/** A recovered stream of a background response. */
function isRecovery({ record, startingAfter }: StreamContext): boolean {
  return startingAfter !== null && record?.background === true;
}

/** Leaves events of one type out of a recovered stream; the others keep their numbers. */
function recoveredWithout(type: string): Defect['override'] {
  return eachEvent(
    'responses',
    (context) => (event: StreamEvent) => (isRecovery(context) && event.name === type ? [] : event),
  );
}

/** Changes the ids at these paths of a recovered stream. */
function recoveredUnder(...paths: readonly string[]): Defect['override'] {
  return eachData('responses', (data, _index, context) => {
    if (!isRecovery(context)) return data;
    return paths.reduce((changing, path) => {
      const id = memberAt(changing, path);
      return typeof id === 'string' ? set(changing, path, `${id}_2`) : changing;
    }, data);
  });
}

/** Changes all text in an event: fragments and their repetitions. */
function shouted(value: Json | undefined): Json | undefined {
  if (isArray(value)) return value.map((item) => shouted(item) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isText = (name === 'text' || name === 'delta') && typeof member === 'string';
      return [name, isText ? member.toUpperCase() : shouted(member)];
    }),
  );
}

const recoverFaults: readonly Fault[] = [
  {
    id: 'recover.inclusive',
    what: 'A recovered stream begins with the event that the client has seen last.',
    breaks: ['interruption/recovery.only-later-events'],
    override: beginning((startingAfter, last, native) =>
      startingAfter === null || startingAfter >= last ? native : startingAfter,
    ),
  },
  {
    id: 'recover.skips-one',
    what: 'A recovered stream leaves out the first event that the client has not seen.',
    breaks: ['interruption/recovery.next-event'],
    override: beginning((startingAfter, _last, native) =>
      startingAfter === null ? native : native + 1,
    ),
  },
  {
    id: 'recover.whole-stream',
    what: 'A recovered stream begins from its start, whatever `starting_after` says.',
    breaks: ['interruption/recovery.only-later-events'],
    override: beginning((startingAfter, last, native) =>
      startingAfter !== null && startingAfter >= last ? native : 0,
    ),
  },
  {
    id: 'recover.numbers-restart',
    what: 'The sequence numbers of a recovered stream start at 0 again.',
    breaks: ['interruption/recovery.only-later-events'],
    override: eachData('responses', (data, index, context) =>
      isRecovery(context) ? { ...data, sequence_number: index } : data,
    ),
  },
  {
    id: 'recover.each-twice',
    what: 'A recovered stream has each event twice.',
    breaks: ['interruption/recovery.only-later-events'],
    override: eachEvent(
      'responses',
      (context) => (event: StreamEvent) => (isRecovery(context) ? [event, event] : event),
    ),
  },
  {
    id: 'recover.text-not-done',
    what: 'A recovered stream never says that the text is done.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredWithout('response.output_text.done'),
  },
  {
    id: 'recover.part-not-done',
    what: 'A recovered stream never closes the part that it continues.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredWithout('response.content_part.done'),
  },
  {
    id: 'recover.item-not-done',
    what: 'A recovered stream never closes the output item that it continues.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredWithout('response.output_item.done'),
  },
  {
    id: 'recover.another-response',
    what: 'A recovered stream goes on under the id of another response.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredUnder('response.id'),
  },
  {
    id: 'recover.other-items',
    what: 'In a recovered stream the output items have other ids than before the break.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredUnder('item_id', 'item.id', 'response.output.0.id'),
  },
  {
    id: 'recover.generates-again',
    what: 'A recovered stream has the events of another generation.',
    breaks: ['interruption/recovery.completes-text'],
    override: eachData('responses', (data, _index, context) => {
      if (!isRecovery(context)) return data;
      const again = shouted(data);
      return isObject(again) ? again : data;
    }),
  },
  {
    id: 'recover.empty-while-running',
    what: 'The rest of a stream is empty while its response runs.',
    breaks: ['interruption/recovery.only-later-events', 'interruption/recovery.completes-text'],
    override: streams('responses', async function* (events, context) {
      if (isRecovery(context) && context.record?.turn?.finished === false) return;
      yield* events;
    }),
  },
  {
    id: 'recover.first-text-lost',
    what: 'The first fragment of the text is not kept: only who has seen it recovers the whole text.',
    breaks: ['interruption/recovery.from-any-point'],
    override: eachEvent('responses', (context) => (event: StreamEvent) => {
      const isText = ({ name }: StreamEvent) => name === 'response.output_text.delta';
      const first = context.record?.turn?.eventsSoFar().find(isText);
      return isRecovery(context) && isDeepStrictEqual(event.data, first?.data) ? [] : event;
    }),
  },
  {
    id: 'recover.items-moved',
    what: 'In a recovered stream the output items stand one place further on.',
    breaks: ['interruption/recovery.only-later-events'],
    override: eachData('responses', (data, _index, context) =>
      isRecovery(context) && typeof data.output_index === 'number'
        ? { ...data, output_index: data.output_index + 1 }
        : data,
    ),
  },
  {
    id: 'recover.nothing-left-refused',
    what: 'A stream that has nothing left is not found.',
    breaks: ['interruption/recovery.past-the-end'],
    override: tighten('isStored', ({ operation, call, record }) => {
      const after = Number(call.query.get('starting_after') ?? Number.NaN);
      const last = (record.turn?.eventsSoFar().length ?? 0) - 1;
      const nothingLeft = record.turn?.finished === true && after >= last;
      return operation === 'recover' && nothingLeft;
    }),
  },
  {
    id: 'recover.wraps-around',
    what: 'After its last event a stream starts again.',
    breaks: ['interruption/recovery.past-the-end'],
    override: beginning((startingAfter, last, native) =>
      startingAfter !== null && startingAfter >= last ? 0 : native,
    ),
  },
  {
    id: 'recover.first-event-lost',
    what: 'A stream that is asked for from its start begins with its second event.',
    breaks: ['interruption/recovery.from-the-start'],
    override: beginning((startingAfter, _last, native) => (startingAfter === null ? 1 : native)),
  },
  {
    id: 'recover.from-now-on',
    what: 'A stream that is asked for from its start has no event that was sent before.',
    breaks: ['interruption/recovery.from-the-start'],
    override: beginning((startingAfter, _last, native) =>
      startingAfter === null ? Number.MAX_SAFE_INTEGER : native,
    ),
  },
  {
    id: 'recover.bad-value-ignored',
    what: 'A `starting_after` that is no number is ignored.',
    breaks: ['interruption/recovery.bad-value-refused'],
    override: tighten('insists', (refusal) => refusal.param === 'starting_after'),
  },
  {
    id: 'recover.background-only',
    what: 'The stream of a response that did not run in the background cannot be recovered.',
    breaks: ['interruption/recovery.foreground'],
    override: tighten(
      'isStored',
      (access) => access.operation === 'recover' && !access.record.background,
    ),
  },
  {
    id: 'recover.broken-foreground',
    what: 'The stream of a foreground response is recovered only where it did not break.',
    breaks: ['interruption/recovery.foreground'],
    override: thrownAway('recover', 'foreground'),
  },
  {
    id: 'recover.foreground-whole-only',
    what: 'The stream of a response that did not run in the background is recovered from its start only.',
    breaks: ['interruption/recovery.foreground'],
    override: tighten(
      'isStored',
      ({ operation, call, record }) =>
        operation === 'recover' && call.query.has('starting_after') && !record.background,
    ),
  },
];

export const interruptionFaults: readonly Fault[] = [...interruptionOwnFaults, ...recoverFaults];
