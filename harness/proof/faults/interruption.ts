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
import { bodies, creationModeOf, eachData, eachEvent, streams, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { planted } from './planted.ts';

// Faults in the handling of broken connections.

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

/** Records dropped streams at the time when the fate of their runs is decided. */
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

/** Hides a response whose stream was dropped from one operation. */
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

/** Shows a response whose stream was dropped as running. */
function hangs(asked: Asked): Defect['override'] {
  return (seams) => {
    let known: Dropped | null = null;
    const note = noting((dropped) => {
      known = dropped;
      return {};
    });
    const looks = bodies('responses.response', (body, { call, record }) =>
      call.operation === 'responses.lookup' && record != null && known?.has(record, asked) === true
        ? set(body, 'status', 'in_progress')
        : body,
    );
    return together(note, looks)(seams);
  };
}

const interruptionOwnFaults: readonly Fault[] = planted({
  'interruption.background-thrown-away': thrownAway('lookup', 'background'),
  'interruption.foreground-thrown-away': thrownAway('lookup', 'foreground'),
  'interruption.turn-thrown-away': thrownAway('lookup', 'websocket'),
  'interruption.events-thrown-away': thrownAway('recover', 'background'),
  'interruption.background-stops': tighten(
    'outlivesClient',
    (execution) => execution.background && execution.stream,
  ),
  'interruption.background-hangs': hangs('background'),
  'interruption.foreground-hangs': hangs('foreground'),
  'interruption.turn-hangs': hangs('websocket'),
  'interruption.half-request-charged': () => ({ policy: { recordsHalfRequest: () => true } }),
});

// Recovering the stream of a background response.

/** Changes the start of a recovery, as an index into the kept events. `last` is the index of the last event. */
function recoveringFrom(
  from: (startingAfter: number | null, last: number, native: number) => number,
): Defect['override'] {
  return decide('recoversFrom', (original) => (startingAfter, record, call) => {
    const native = original(startingAfter, record, call);
    const { turn } = record;
    if (turn === null || creationModeOf(turn) !== 'background') return native;
    // While the response runs, its last event is still pending.
    const last = turn.finished ? turn.eventsSoFar().length - 1 : Number.POSITIVE_INFINITY;
    return from(startingAfter, last, native);
  });
}

/** True for the recovered stream of a background response. */
function isRecovery({ record, startingAfter }: StreamContext): boolean {
  return startingAfter !== null && record?.background === true;
}

/** Omits events of one type from a recovered stream; the others keep their numbers. */
function recoveredWithout(type: string): Defect['override'] {
  return eachEvent(
    'responses',
    (context) => (event: StreamEvent) => (isRecovery(context) && event.name === type ? [] : event),
  );
}

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

const recoverFaults: readonly Fault[] = planted({
  'recover.inclusive': recoveringFrom((startingAfter, last, native) =>
    startingAfter === null || startingAfter >= last ? native : startingAfter,
  ),
  'recover.skips-one': recoveringFrom((startingAfter, _last, native) =>
    startingAfter === null ? native : native + 1,
  ),
  'recover.whole-stream': recoveringFrom((startingAfter, last, native) =>
    startingAfter !== null && startingAfter >= last ? native : 0,
  ),
  'recover.numbers-restart': eachData('responses', (data, index, context) =>
    isRecovery(context) ? { ...data, sequence_number: index } : data,
  ),
  'recover.each-twice': eachEvent(
    'responses',
    (context) => (event: StreamEvent) => (isRecovery(context) ? [event, event] : event),
  ),
  'recover.text-not-done': recoveredWithout('response.output_text.done'),
  'recover.part-not-done': recoveredWithout('response.content_part.done'),
  'recover.item-not-done': recoveredWithout('response.output_item.done'),
  'recover.another-response': recoveredUnder('response.id'),
  'recover.other-items': recoveredUnder('item_id', 'item.id', 'response.output.0.id'),
  'recover.generates-again': eachData('responses', (data, _index, context) => {
    if (!isRecovery(context)) return data;
    const again = shouted(data);
    return isObject(again) ? again : data;
  }),
  'recover.empty-while-running': streams('responses', async function* (events, context) {
    if (isRecovery(context) && context.record?.turn?.finished === false) return;
    yield* events;
  }),
  'recover.first-text-lost': eachEvent('responses', (context) => (event: StreamEvent) => {
    const isText = ({ name }: StreamEvent) => name === 'response.output_text.delta';
    const first = context.record?.turn?.eventsSoFar().find(isText);
    return isRecovery(context) && isDeepStrictEqual(event.data, first?.data) ? [] : event;
  }),
  'recover.items-moved': eachData('responses', (data, _index, context) =>
    isRecovery(context) && typeof data.output_index === 'number'
      ? { ...data, output_index: data.output_index + 1 }
      : data,
  ),
  'recover.nothing-left-refused': tighten('isStored', ({ operation, call, record }) => {
    const after = Number(call.query.get('starting_after') ?? Number.NaN);
    const last = (record.turn?.eventsSoFar().length ?? 0) - 1;
    const nothingLeft = record.turn?.finished === true && after >= last;
    return operation === 'recover' && nothingLeft;
  }),
  'recover.wraps-around': recoveringFrom((startingAfter, last, native) =>
    startingAfter !== null && startingAfter >= last ? 0 : native,
  ),
  'recover.first-event-lost': recoveringFrom((startingAfter, _last, native) =>
    startingAfter === null ? 1 : native,
  ),
  'recover.from-now-on': recoveringFrom((startingAfter, _last, native) =>
    startingAfter === null ? Number.MAX_SAFE_INTEGER : native,
  ),
  'recover.bad-value-ignored': tighten('insists', (refusal) => refusal.param === 'starting_after'),
  'recover.background-only': tighten(
    'isStored',
    (access) => access.operation === 'recover' && !access.record.background,
  ),
  'recover.broken-foreground': thrownAway('recover', 'foreground'),
  'recover.foreground-whole-only': tighten(
    'isStored',
    ({ operation, call, record }) =>
      operation === 'recover' && call.query.has('starting_after') && !record.background,
  ),
});

export const interruptionFaults: readonly Fault[] = [...interruptionOwnFaults, ...recoverFaults];
